import { existsSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import type { setup as setupCalls } from '../../../contract/setup/calls.ts'
import type { ThingKey } from '../../../contract/devices/thing.ts'
import type { HubAddress } from '../../broker/hub-address.ts'
import type { SignedIn } from '../../kernel/context.ts'
import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { createRetentionJob } from '../../store/retention.ts'
import { sql } from '../../kernel/db.ts'
import { isLoopback } from '../../http/caller-address.ts'
import { createHubTrials, createHubDiagnostics } from './hub-trials.ts'
import { createReportFaults, expiringFaults } from './report-faults.ts'
import { createUnmapped } from './unmapped.ts'
import { getSetupState } from './setup-state.ts'

type Host = ResultsOf<typeof setupCalls.getHubAddress>['Hosts'][number]

/** An address of this machine, with the name of its network interface. */
interface MachineAddress {
  name: string
  address: string
}

const PRIVATE = /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\./
/** Interfaces of container engines and virtual machines. */
const VIRTUAL = /^(docker|br-|veth|cni|flannel|cali|virbr|podman|lxc|vmnet|vboxnet)/

/** Addresses of this machine, without loopback ones. */
const machineAddresses = (): MachineAddress[] =>
  Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.filter(({ internal }) => !internal).map(({ address }) => ({ name, address })),
  )

/** Whether this process runs in a container, whose addresses are not reachable from outside. */
const isInContainer = (): boolean => existsSync('/.dockerenv') || existsSync('/run/.containerenv')

/**
 * Hosts at which hubs reach the broker, the likeliest first.
 *
 * configured      the host of HUB_URL
 * page       the host of the dashboard, as the browser reports it
 * isContained  whether the machine's addresses are those of a container
 */
export function hubHosts({
  configured,
  page,
  machine,
  isContained,
}: {
  configured: string | undefined
  page: string
  machine: readonly MachineAddress[]
  isContained: boolean
}): Host[] {
  if (configured !== undefined) return [{ Address: configured, Kind: 'set' }]
  if (page !== '' && !isLoopback(page)) return [{ Address: page, Kind: 'page' }]
  const ownAddresses = machine
    .filter(({ address }) => isIPv4(address) && PRIVATE.test(address))
    .map(({ name, address }): Host => ({
      Address: address,
      Kind: isContained || VIRTUAL.test(name) ? 'container' : 'lan',
    }))
  const lanAddresses = ownAddresses.filter(({ Kind }) => Kind === 'lan')
  return lanAddresses.length > 0 ? lanAddresses : ownAddresses
}

/** Calls for setting up: addresses for hubs, and the progress of a new hub. */
export function setup(deps: Deps) {
  const { config, events } = deps
  const trials = createHubTrials(deps)
  const diagnostics = createHubDiagnostics(deps)
  const faults = createReportFaults(deps)
  const unmapped = createUnmapped(deps)
  events.on('hubSecretMade', (hub) => trials.begin(hub))
  events.on('hubRevoked', ({ thingName }) => trials.end(thingName))
  return {
    handlers: {
      setup: {
        // The configuration of email may change during a test.
        getSetupState: (input, context) => getSetupState(deps.mail)(input, context),
        getHubTrouble: async (
          key: ThingKey,
          { db, actor }: SignedIn,
        ): Promise<ResultsOf<typeof setupCalls.getHubTrouble>> => {
          const [found] = await db.query(sql`select 1 as one from things
            where tenant = ${actor.tenant} and home_id = ${key.HomeID} and thing_name = ${key.ThingName}`)
          if (!found) throw new GatewayError('NOT_FOUND', `Hub ${key.ThingName} does not exist`)
          return diagnostics.of(key.ThingName)
        },
        getHubAddress: async (_: object, { host }: { host: string }) => {
          const {
            host: configuredHost,
            port,
            tls,
            isLoopback: loopback = false,
          } = config.hubAddress ?? NOWHERE
          const machine: MachineAddress[] = configuredHost === undefined ? machineAddresses() : []
          return {
            Hosts: loopback
              ? []
              : hubHosts({ configured: configuredHost, page: host, machine, isContained: isInContainer() }),
            Port: port,
            Tls: tls,
            Reachable: loopback ? ('thisComputer' as const) : ('all' as const),
          }
        },
      },
      reportFaults: faults.handlers,
      unmapped: unmapped.handlers,
    },
    topics: { unmappedReport: unmapped.receive },
    jobs: [createRetentionJob('faults of reports', deps, expiringFaults(deps))],
    hubObserver: {
      onMessage(received) {
        trials.onMessage(received)
        if (received.client.party === 'hub') diagnostics.onMessage(received.client.thingName)
      },
      onConnected(client) {
        if (client.party === 'hub') trials.onConnected(client.thingName)
      },
      onAuthenticated: diagnostics.onAuthenticated,
      onWrongSecret(thingName, address) {
        trials.onWrongSecret(thingName, address)
        diagnostics.wrongSecret(thingName, address)
      },
      onRejected(client, rejection) {
        if (client.party !== 'hub') return
        trials.onRejected(client, rejection)
        diagnostics.onRejected(client.thingName, rejection)
      },
    },
    onSubscribed: trials.onSubscribed,
    async close() {
      trials.close()
      await faults.close()
    },
  } satisfies Feature
}

/** Address if none was configured, as in tests. */
const NOWHERE: HubAddress = { port: 1883, tls: false }
