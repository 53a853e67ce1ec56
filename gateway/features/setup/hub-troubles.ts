import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import type { HUB_REJECTION_REASONS, setup } from '../../../contract/setup/calls.ts'
import type { ConnectRefusal } from '../../kernel/broker.ts'
import type { Clock } from '../../kernel/ports.ts'

type Refused = NonNullable<ResultsOf<typeof setup.getHubTrouble>['Refused']>

/** Maximum number of hubs in memory; the one without news for the longest time is replaced. */
const MAX_HUBS = 20_000
const MAX_COUNT = 99

/** Reasons of rejected messages that users see; others are not shown. */
export const TROUBLE_REASONS: Partial<Record<ConnectRefusal, (typeof HUB_REJECTION_REASONS)[number]>> = {
  home: 'otherHome',
  tenant: 'otherHome',
  thing: 'otherHome',
  party: 'unknownTopic',
  'unknown-topic': 'unknownTopic',
  malformed: 'malformed',
}

/** Address in its usual form: the broker receives IPv4 addresses mapped to IPv6. */
export const stripIpv4Prefix = (address: string | undefined): string | null =>
  address?.replace(/^::ffff:/, '') || null

/** Stores from where hubs sign in and why they were rejected, in memory: events before the start or at other gateways are unknown. */
export function createHubDiagnostics({ clock }: { clock: Pick<Clock, 'now'> }) {
  const Since = clock.now()
  const addresses = new Map<string, string | null>()
  const refusals = new Map<string, Refused>()

  function setBounded<T>(map: Map<string, T>, name: string, value: T): void {
    map.delete(name)
    const [oldest] = map.keys()
    if (map.size >= MAX_HUBS && oldest !== undefined) map.delete(oldest)
    map.set(name, value)
  }

  function recordRejection(thingName: string, Reason: Refused['Reason'], From: string | null): void {
    const before = refusals.get(thingName)
    const Count = before?.Reason === Reason ? Math.min(before.Count + 1, MAX_COUNT) : 1
    setBounded(refusals, thingName, { Reason, Count, From, Timestamp: clock.now() })
  }

  return {
    rightSecret(thingName: string, address: string | undefined): void {
      setBounded(addresses, thingName, stripIpv4Prefix(address))
      refusals.delete(thingName)
    },
    wrongSecret: (thingName: string, address: string | undefined): void =>
      recordRejection(thingName, 'wrongPassword', stripIpv4Prefix(address)),
    turnedAway(thingName: string, rejection: ConnectRefusal): void {
      const reason = TROUBLE_REASONS[rejection]
      if (reason) recordRejection(thingName, reason, addresses.get(thingName) ?? null)
    },
    /** Clears the rejection of a hub after an accepted message. */
    heard(thingName: string): void {
      if (refusals.size > 0) refusals.delete(thingName)
    },
    of: (thingName: string): ResultsOf<typeof setup.getHubTrouble> => ({
      Since,
      Address: addresses.get(thingName) ?? null,
      Refused: refusals.get(thingName) ?? null,
    }),
  }
}
