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
import { createHubTrials } from './hub-trials.ts'
import { createHubDiagnostics } from './hub-troubles.ts'
import { createReportFaults, expiringFaults } from './report-faults.ts'
import { createUnmapped } from './unmapped.ts'
import { getSetupState } from './setup-state.ts'
import { hubHosts, isInContainer, machineAddresses, type MachineAddress } from './hub-hosts.ts'

/** Calls for setting up: addresses for hubs, and the progress of a new hub. */
export function setup(deps: Deps) {
  const { config, events } = deps
  const trials = createHubTrials(deps)
  const troubles = createHubDiagnostics(deps)
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
          return troubles.of(key.ThingName)
        },
        getHubAddress: async (_: object, { host }: { host: string }) => {
          const { host: configuredHost, port, tls, loopback = false } = config.hubAddress ?? NOWHERE
          const machine: MachineAddress[] = configuredHost === undefined ? machineAddresses() : []
          return {
            Hosts: loopback
              ? []
              : hubHosts({ given: configuredHost, page: host, machine, contained: isInContainer() }),
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
    watches: {
      message(received) {
        trials.message(received)
        if (received.client.party === 'hub') troubles.heard(received.client.thingName)
      },
      came(client) {
        if (client.party === 'hub') trials.connected(client.thingName)
      },
      rightSecret: troubles.rightSecret,
      wrongSecret(thingName, address) {
        trials.wrongSecret(thingName, address)
        troubles.wrongSecret(thingName, address)
      },
      turnedAway(client, rejection) {
        if (client.party !== 'hub') return
        trials.turnedAway(client, rejection)
        troubles.turnedAway(client.thingName, rejection)
      },
    },
    subscribed: trials.subscribed,
    async close() {
      trials.close()
      await faults.close()
    },
  } satisfies Feature
}

/** Address if none was configured, as in tests. */
const NOWHERE: HubAddress = { port: 1883, tls: false }
