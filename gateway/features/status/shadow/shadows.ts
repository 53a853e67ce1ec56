import { Counter, type Registry } from 'prom-client'
import { RegistrationReported, type ShadowName } from '../../../../contract/channels/shadow.ts'
import { channels } from '../../../../contract/index.ts'
import type { Broker, Client, TopicMatch } from '../../../broker/port.ts'
import type { Events } from '../../../events.ts'
import { createInOrder } from '../../../lib/in-order.ts'
import type { Clock, Log } from '../../../ports.ts'
import { createPacer } from '../../../lib/pacer.ts'
import { type Db, sql } from '../../../store/db.ts'
import { difference, stamp, type Patch } from './document.ts'
import {
  holdHomeOf,
  keepDiscoveries,
  keepFirmware,
  markPresence,
  type Mismatch,
  putAllOffline,
  toldFirmware,
} from './effects.ts'
import { isShadowName, parseGet, parseUpdate, ShadowError, type UpdateRequest } from './request.ts'
import { readShadow, updateShadow, type ShadowKey, type StoredShadow } from './store.ts'

export interface ShadowOptions {
  db: Db
  broker: Pick<Broker, 'publish'>
  events: Events
  clock: Clock
  log: Log
  metrics: Registry
}

export type Shadows = ReturnType<typeof createShadows>

const RETRY_AFTER = 1_000
/** Shortest time between two questions to the hubs of one home, in ms. */
const ASK_GAP = 1_000

/** The named shadows of hubs (§7) in the manner of AWS IoT, and what follows from them for hubs and discovered devices. */
export function createShadows({ db, broker, events, clock, log, metrics }: ShadowOptions) {
  const mismatched = new Counter({
    name: 'shadow_mismatches_total',
    help: 'Announced devices that contradict what was added',
    labelNames: ['reason'],
    registers: [metrics],
  })
  /** Work on one hub's shadows goes in the order it came. */
  const inOrder = createInOrder()
  /** Whether a hub is connected, as last told; what is not yet written is tried again. */
  const wanted = new Map<string, boolean>()
  let closed = false

  async function tell(topic: string, payload: unknown, qos: 0 | 1 = 1): Promise<void> {
    try {
      await broker.publish(topic, payload, { qos })
    } catch (err) {
      log.warn({ err, topic }, 'An answer of a shadow was lost')
    }
  }

  const seconds = () => Math.floor(clock.now() / 1000)

  async function get(key: ShadowKey, payload: Uint8Array): Promise<void> {
    let clientToken: string | undefined
    try {
      ;({ clientToken } = parseGet(payload))
      const shadow = await readShadow(db, key)
      const delta = difference(shadow.desired, shadow.reported, shadow.metadata.desired)
      await tell(channels.shadowGetAccepted.topic(key), {
        state: {
          ...(shadow.desired && { desired: shadow.desired }),
          ...(shadow.reported && { reported: shadow.reported }),
          ...(delta && { delta: delta.state }),
        },
        metadata: shadow.metadata,
        version: shadow.version,
        timestamp: seconds(),
        ...(clientToken !== undefined && { clientToken }),
      })
    } catch (error) {
      await reject(channels.shadowGetRejected.topic(key), error, clientToken)
    }
  }

  /** Tells the sender why not; anything but a refusal goes on to the broker, which holds the message. */
  async function reject(topic: string, error: unknown, clientToken: string | undefined): Promise<void> {
    if (!(error instanceof ShadowError)) throw error
    const token = clientToken ?? error.clientToken
    await tell(topic, {
      code: error.code,
      message: error.message,
      timestamp: seconds(),
      ...(token !== undefined && { clientToken: token }),
    })
  }

  async function update(key: ShadowKey, payload: Uint8Array): Promise<void> {
    let request: UpdateRequest | undefined
    try {
      request = parseUpdate(payload, key.shadowName)
      await change(key, request)
    } catch (error) {
      await reject(channels.shadowUpdateRejected.topic(key), error, request?.clientToken)
    }
  }

  /** Stores an update with its effects in one transaction, then tells of them. */
  async function change(key: ShadowKey, request: UpdateRequest): Promise<void> {
    const at = clock.now()
    const { reported } = request.patch
    const online =
      key.shadowName === 'info' && typeof reported?.online === 'boolean' ? reported.online : undefined
    const devices =
      key.shadowName === 'registration' && reported?.Peripherals
        ? RegistrationReported.parse({ Peripherals: reported.Peripherals }).Peripherals
        : undefined
    const firmware = toldFirmware(key.shadowName === 'info' && reported?.FirmwareVersion, devices)
    const done = await db.transaction(async (tx) => {
      // Home, hub, device: in the order of everybody who changes them, so that nobody waits for each other.
      if (devices) await holdHomeOf(tx, key.thingName)
      return {
        presence: await markPresence(tx, key.thingName, online, at),
        shadow: await updateShadow(tx, key, request, at),
        discovered: devices && (await keepDiscoveries(tx, key.thingName, devices, at)),
        firmware: firmware.length > 0 && (await keepFirmware(tx, key.thingName, firmware, at)),
      }
    })
    await answer(key, request, done.shadow)
    const { presence, discovered } = done
    if (firmware.length > 0) events.emit('firmwareReported', { tenant: key.tenant, thingName: key.thingName })
    if (presence?.changed && online !== undefined) await announcePresence(key.thingName, presence, online, at)
    if (!discovered) return
    reportMismatches(key.thingName, discovered.mismatches)
    for (const record of discovered.found)
      events.emit('dataChange', { tenant: discovered.tenant, name: 'discovery.add', record, by: null })
  }

  async function answer(
    key: ShadowKey,
    { patch, clientToken }: UpdateRequest,
    shadow: StoredShadow,
  ): Promise<void> {
    const timestamp = Math.floor(shadow.updatedAt / 1000)
    const rest = { version: shadow.version, timestamp, ...(clientToken !== undefined && { clientToken }) }
    await tell(channels.shadowUpdateAccepted.topic(key), {
      state: patch,
      metadata: stampsOf(patch, timestamp),
      ...rest,
    })
    const delta = difference(shadow.desired, shadow.reported, shadow.metadata.desired)
    if (delta) await tell(channels.shadowUpdateDelta.topic(key), { ...delta, ...rest })
  }

  async function announcePresence(
    thingName: string,
    { tenant, homeId }: { tenant: string; homeId: string },
    online: boolean,
    at: number,
  ): Promise<void> {
    events.emit('hubOnline', { tenant, homeId, thingName, online, at })
    if (online) questions.ask(`${tenant}/${homeId}`)
  }

  /**
   * A hub that comes back tells the states of its devices (§4). All hubs of its home hear the question, so many that come back at
   * once are asked together, and nothing waits for those that are away.
   */
  const questions = createPacer<string>(
    clock,
    () => ASK_GAP,
    (key) => {
      const [rootId = '', homeId = ''] = key.split('/')
      return tell(channels.statusRequest.topic({ rootId, homeId }), { Timestamp: clock.now() }, 0)
    },
  )

  function reportMismatches(thingName: string, mismatches: Mismatch[]) {
    for (const { reason } of mismatches) mismatched.inc({ reason })
    if (mismatches.length)
      log.warn(
        { thingName, devices: mismatches.slice(0, 10) },
        'A hub announces devices otherwise than they were added',
      )
  }

  async function writeOnline(thingName: string): Promise<void> {
    const online = wanted.get(thingName)
    if (online === undefined || closed) return
    try {
      await inOrder(thingName, async () => {
        const [thing] = await db.query<{ tenant: string }>(
          sql`select tenant from things where thing_name = ${thingName}`,
        )
        if (!thing || wanted.get(thingName) !== online) return
        const key: ShadowKey = { tenant: thing.tenant, thingName, shadowName: 'info' }
        await change(key, { patch: { reported: { online } }, version: undefined, clientToken: undefined })
      })
      if (wanted.get(thingName) === online) wanted.delete(thingName)
    } catch (err) {
      if (err instanceof ShadowError) return void wanted.delete(thingName)
      log.warn({ err, thingName }, 'Whether a hub is online could not be written; trying again')
      clock.after(RETRY_AFTER, () => void writeOnline(thingName))
    }
  }

  return {
    /** Whether a message is for the shadows. */
    takes: ({ name }: TopicMatch): boolean => name === 'shadowGet' || name === 'shadowUpdate',

    /**
     * Answers a get or an update; resolves when it is stored and answered. Refusals are answers.
     *
     * errors    UNAVAILABLE while the database is away
     */
    receive({ name, values }: TopicMatch, payload: Uint8Array, client: Client): Promise<void> {
      const { thingName = '', shadowName } = values
      if (!isShadowName(shadowName)) return Promise.resolve()
      const key: ShadowKey & { shadowName: ShadowName } = { tenant: client.tenant, thingName, shadowName }
      return inOrder(thingName, () => (name === 'shadowUpdate' ? update(key, payload) : get(key, payload)))
    },

    /** The broker says that a hub connected or went away. Never fails: it is written as soon as the database allows. */
    setOnline(thingName: string, online: boolean): Promise<void> {
      wanted.set(thingName, online)
      return writeOnline(thingName)
    },

    /** A hub listens: it is asked for the state of its devices, which it could not hear before. */
    subscribed(client: Client, filter: string): void {
      if (client.party !== 'hub') return
      const topic = channels.statusRequest.topic({ rootId: client.tenant, homeId: client.homeId })
      if (filter === topic) questions.ask(`${client.tenant}/${client.homeId}`)
    },

    /**
     * At the start nobody is connected: hubs that a crash left online go offline until they come. One statement however
     * many they are, and no topic: nobody listens yet.
     */
    async markAllOffline(): Promise<void> {
      const at = clock.now()
      for (const hub of await putAllOffline(db, at)) events.emit('hubOnline', { ...hub, online: false, at })
    },

    close() {
      closed = true
      questions.close()
    },
  }
}

function stampsOf(patch: Patch, timestamp: number) {
  const entries = Object.entries(patch).filter(([, section]) => section)
  return Object.fromEntries(entries.map(([name, section]) => [name, stamp(section, timestamp)]))
}
