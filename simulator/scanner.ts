import { accessDecision, accessPresence, accessScan } from '../contract/access-control/channels.ts'
import type { PayloadOf } from '../contract/kernel/define-channel.ts'
import { parseJson } from '../contract/kernel/parse-json.ts'
import { type Clock, systemClock } from '../device-link/clock.ts'
import { openHubSession } from '../device-link/hub-session.ts'

export type ScannerDecision = PayloadOf<typeof accessDecision>
/** A credential that a person shows to a scanner. */
export interface Credential {
  Type: 'qr' | 'card'
  Credential: string
}

export interface ScannerOptions {
  /** mqtt:// or mqtts:// of the gateway. */
  url: string
  rootId: string
  HomeID: string
  ThingName: string
  Secret: string
  /** Credentials of random visitors; none come if it is empty. */
  people?: readonly Credential[]
  /** Minimum and maximum time between two visitors, in ms. */
  pace?: readonly [number, number]
  clock?: Clock
  random?: () => number
  onOnline?(): void
  onDecision?(decision: ScannerDecision): void
  /** Certificate authority (PEM) of the gateway, if it is not a public one. */
  ca?: string
}

export interface SimulatedScanner {
  scan(credential: Credential): void
  stop(): Promise<void>
}

/** Simulates a scanner: connects with its own credentials, reports its presence, publishes scans and receives decisions. */
export function startScanner(options: ScannerOptions): SimulatedScanner {
  const { clock = systemClock, random = Math.random, people = [], pace = [20_000, 90_000] } = options
  const place = { rootId: options.rootId, homeId: options.HomeID, thingName: options.ThingName }
  const presence = (Online: boolean) => ({
    topic: accessPresence.topic(place),
    payload: JSON.stringify({ Online }),
  })
  let cancel = () => {}
  const connection = openHubSession({
    url: options.url,
    ThingName: options.ThingName,
    Secret: options.Secret,
    will: presence(false),
    subscriptions: [accessDecision.topic(place)],
    clock,
    random,
    ca: options.ca,
    onOnline() {
      connection.send(presence(true))
      options.onOnline?.()
    },
    onOffline() {},
    onMessage(_topic, payload) {
      const decision = accessDecision.payload.safeParse(parseJson(payload))
      if (decision.success) options.onDecision?.(decision.data)
    },
  })

  function scan(credential: Credential): void {
    connection.send({
      topic: accessScan.topic(place),
      payload: JSON.stringify({ Timestamp: clock.now(), ...credential }),
    })
  }

  function visit(): void {
    const [minMs, maxMs] = pace
    cancel = clock.after(minMs + random() * (maxMs - minMs), () => {
      const person = people[Math.floor(random() * people.length)]
      // Scans are not buffered while offline: a visitor at a dead door leaves.
      if (person && connection.online) scan(person)
      visit()
    })
  }
  if (people.length > 0) visit()

  return {
    scan,
    async stop() {
      cancel()
      // A clean disconnect removes the last will, so a broker other than the gateway would publish nothing.
      if (connection.online) connection.send(presence(false))
      await connection.stop(1_000)
    },
  }
}
