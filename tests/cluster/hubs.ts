import { controlCommand, statusRequest } from '../../contract/devices/channels/control.ts'
import { systemClock } from '../../device-link/clock.ts'
import { hubMessages } from '../../device-link/hub-messages.ts'
import { type HubSession, openHubSession } from '../../device-link/hub-session.ts'
import type { Message } from '../../device-link/outbox.ts'
import type { FleetHub } from '../../simulator/building/building.ts'

/** Reading of a meter at a time, epoch ms. */
export interface Reading {
  uid: string
  at: number
  kWh: number
}

/** Report of a lamp and the time of its acknowledgement, epoch ms. */
export interface Report {
  uid: string
  on: boolean
  at: number
  acknowledgedAt: number | undefined
}

/** Command received by a hub, epoch ms. */
export interface Heard {
  requestId: string
  at: number
  /** False if it was too old to be executed. */
  done: boolean
}

interface HubMessage extends Message {
  reading?: Reading
  report?: Report
}

/** Two commands or readings of one device cannot have the same timestamp. */
const METER = '528'

/** Messages sent and received by hubs, to be compared with the gateways' data. */
export interface HubLedger {
  acknowledged: Reading[]
  /** Reports of each lamp, in order; they include the last one acknowledged before any given time. */
  reports: Map<string, Report[]>
  heard: Heard[]
  /** Connection times of each hub, by name; the last one is open while `until` is undefined. */
  connected: Map<string, { since: number; until: number | undefined }[]>
  /** Ms from a connection's end to the next CONNACK. */
  returns: number[]
}

/** Hubs that keep every message until it is acknowledged, all in this process. */
export interface Hubs {
  ledger: HubLedger
  /** Sends this many readings per second, over all hubs; 0 stops. */
  read(perSecond: number): void
  online(): number
  /** Number of unacknowledged readings. */
  waiting(): number
  stop(): Promise<void>
}

/** Connects hubs. Their lamps execute every command that is not too old, and report it at the same time. */
export function connectHubs(url: string, hubs: readonly FleetHub[]): Hubs {
  const ledger: HubLedger = {
    acknowledged: [],
    reports: new Map(),
    heard: [],
    connected: new Map(),
    returns: [],
  }
  const sessions = hubs.map((hub) => connectHub(url, hub, ledger))
  const meters = hubs.flatMap(({ devices }, i) =>
    devices
      .filter(({ PeripheralType }) => PeripheralType === METER)
      .map(({ PeripheralUID: uid }) => ({ uid, kWh: 1_000, session: sessions[i], hub: hubs[i], last: 0 })),
  )
  let turn = 0
  let timer: NodeJS.Timeout | undefined

  function readNext(): void {
    const meter = meters[turn++ % meters.length]
    if (!meter?.hub) return
    const at = Math.max(Date.now(), meter.last + 1)
    meter.last = at
    meter.kWh = Math.round(meter.kWh * 1e4 + 1) / 1e4
    const { uid, kWh } = meter
    const readings = [{ PeripheralUID: uid, Timestamp: at, AccumulatePower: kWh, Power: 500, Voltage: 220 }]
    const message = hubMessages(meter.hub).readings(readings)
    meter.session?.send({ ...message, reading: { uid, at, kWh } })
  }

  return {
    ledger,
    read(perSecond) {
      clearInterval(timer)
      if (perSecond === 0) return
      const began = performance.now()
      let sent = 0
      timer = setInterval(() => {
        for (const due = ((performance.now() - began) * perSecond) / 1_000; sent < due; sent++) readNext()
      }, 10)
    },
    online: () => sessions.filter(({ online }) => online).length,
    waiting: () => sessions.reduce((sum, { waiting, inFlight }) => sum + waiting + inFlight, 0),
    async stop() {
      clearInterval(timer)
      await Promise.all(sessions.map((session) => session.stop(0)))
    },
  }
}

function connectHub(url: string, hub: FleetHub, ledger: HubLedger): HubSession<HubMessage> {
  const say = hubMessages(hub)
  const { rootId, HomeID: homeId, ThingName: thingName } = hub
  const commands = controlCommand.topic({ rootId, homeId, thingName })
  const connected: { since: number; until: number | undefined }[] = []
  ledger.connected.set(thingName, connected)
  const lamps = new Map(
    hub.devices
      .filter(({ PeripheralType }) => PeripheralType !== METER)
      .map(({ PeripheralUID }) => [PeripheralUID, { Switch: 0, last: 0 }]),
  )

  function report(uid: string): void {
    const lamp = lamps.get(uid)
    if (!lamp) return
    const at = (lamp.last = Math.max(Date.now(), lamp.last + 1))
    const report: Report = { uid, on: lamp.Switch === 1, at, acknowledgedAt: undefined }
    ledger.reports.set(uid, [...(ledger.reports.get(uid) ?? []), report])
    session.send({ ...say.status(at, [{ PeripheralUID: uid, Switch: lamp.Switch } as never]), report })
  }

  const session: HubSession<HubMessage> = openHubSession<HubMessage>({
    url,
    ThingName: thingName,
    Secret: hub.Secret,
    will: say.info(false),
    subscriptions: [commands, statusRequest.topic({ rootId, homeId })],
    clock: systemClock,
    random: Math.random,
    onOnline() {
      const now = Date.now()
      const before = connected.at(-1)?.until
      if (before !== undefined) ledger.returns.push(now - before)
      connected.push({ since: now, until: undefined })
      session.send(say.info(true, now))
      for (const uid of lamps.keys()) report(uid)
    },
    onOffline() {
      const last = connected.at(-1)
      if (last) last.until = Date.now()
    },
    onMessage(topic, payload) {
      // A status request: here states only change by commands, which are reported immediately.
      if (topic !== commands) return
      const { RequestID, PeripheralUID, Values, Timestamp, ExpiresIn } = controlCommand.payload.parse(
        JSON.parse(payload),
      )
      const at = Date.now()
      const done = at - Timestamp <= ExpiresIn
      ledger.heard.push({ requestId: RequestID, at, done })
      const lamp = lamps.get(PeripheralUID)
      if (!done || !lamp) return
      lamp.Switch = Number(Values['Switch'])
      session.send(say.ack({ RequestID, PeripheralUID, Result: 'ok' }))
      report(PeripheralUID)
    },
    onAcknowledged({ reading, report }) {
      if (reading) ledger.acknowledged.push(reading)
      if (report) report.acknowledgedAt = Date.now()
    },
  })
  return session
}
