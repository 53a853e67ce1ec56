import type { HubAddress } from '../../broker/open.ts'
import type { Deps, Feature } from '../../deps.ts'
import { createHubTrials } from './hub-trials.ts'
import { getSetupState } from './setup-state.ts'
import { hubHosts, isInContainer, machineAddresses, type MachineAddress } from './hub-hosts.ts'

/** What somebody needs who begins: where hubs connect, and how far a new one has come. */
export function setup(deps: Deps) {
  const { config, events } = deps
  const trials = createHubTrials(deps)
  events.on('hubSecretMade', (hub) => trials.begin(hub))
  events.on('hubRevoked', ({ thingName }) => trials.end(thingName))
  return {
    handlers: {
      setup: {
        // Whether mail goes out may change while a test goes on.
        getSetupState: (input, context) => getSetupState(deps.mail)(input, context),
        getHubAddress: async (_: object, { host }: { host: string }) => {
          const { host: given, port, tls, loopback = false } = config.hubAddress ?? NOWHERE
          const machine: MachineAddress[] = given === undefined ? machineAddresses() : []
          return {
            Hosts: loopback ? [] : hubHosts({ given, page: host, machine, contained: isInContainer() }),
            Port: port,
            Tls: tls,
            Reachable: loopback ? ('thisComputer' as const) : ('all' as const),
          }
        },
      },
    },
    watches: {
      message: trials.message,
      came(client) {
        if (client.party === 'hub') trials.connected(client.thingName)
      },
      wrongSecret: trials.wrongSecret,
      turnedAway(client, refusal) {
        if (client.party === 'hub') trials.turnedAway(client, refusal)
      },
    },
    subscribed: trials.subscribed,
    close: trials.close,
  } satisfies Feature
}

/** Of a gateway that was not told, as in tests. */
const NOWHERE: HubAddress = { port: 1883, tls: false }
