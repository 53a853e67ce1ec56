import { Counter, type Registry } from 'prom-client'
import { RegistrationReported } from '../../../../contract/devices/channels/shadow.ts'
import type { ShadowName } from '../../../../contract/devices/shadow-names.ts'
import { channels } from '../../../../contract/index.ts'
import type { Broker, Client, PublishOptions, TopicMatch } from '../../../kernel/broker.ts'
import type { Events } from '../../../kernel/events.ts'
import { createSerialQueue } from '../../../lib/serial-queue.ts'
import type { Clock, Log } from '../../../kernel/ports.ts'
import { createThrottle } from '../../../lib/throttle.ts'
import type { Db } from '../../../kernel/db.ts'
import { difference, stamp, type Patch } from './document.ts'
import {
  lockHomeOfHub,
  storeDiscoveries,
  storeFirmware,
  markPresence,
  type Mismatch,
  type PresenceChange,
  markAllOffline,
  reportedFirmware,
  type HubConnectionChange,
  writePresence,
} from './effects.ts'
import { createShadowFaults } from './shadow-faults.ts'
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

/** Minimum interval between two status requests to the hubs of one home, in ms. */
const MIN_REQUEST_INTERVAL_MS = 1_000

/** Named shadows of hubs (§7), compatible with AWS IoT, and their effects on hubs and discovered devices. */
export function createShadows({ db, broker, events, clock, log, metrics }: ShadowOptions) {
  const mismatchCounter = new Counter({
    name: 'shadow_mismatches_total',
    help: 'Announced devices that contradict what was added',
    labelNames: ['reason'],
    registers: [metrics],
  })
  /** Processes requests of one hub in order of arrival. */
  const runInOrder = createSerialQueue()

  /** Publishes at this gateway, where the hub is connected; `options` may extend it to others. */
  async function publish(topic: string, payload: unknown, options: PublishOptions = {}): Promise<void> {
    try {
      await broker.publish(topic, payload, { scope: 'local', ...options })
    } catch (err) {
      log.warn({ err, topic }, 'shadow response lost')
    }
  }

  const nowSeconds = () => Math.floor(clock.now() / 1000)

  async function get(key: ShadowKey, payload: Uint8Array): Promise<void> {
    let clientToken: string | undefined
    try {
      ;({ clientToken } = parseGet(payload))
      const shadow = await readShadow(db, key)
      const delta = difference(shadow.desired, shadow.reported, shadow.metadata.desired)
      await publish(channels.shadowGetAccepted.topic(key), {
        state: {
          ...(shadow.desired && { desired: shadow.desired }),
          ...(shadow.reported && { reported: shadow.reported }),
          ...(delta && { delta: delta.state }),
        },
        metadata: shadow.metadata,
        version: shadow.version,
        timestamp: nowSeconds(),
        ...(clientToken !== undefined && { clientToken }),
      })
    } catch (error) {
      await reject(channels.shadowGetRejected.topic(key), error, clientToken)
    }
  }

  /** Publishes the rejection to the sender; rethrows other errors to the broker, which holds the message. */
  async function reject(topic: string, error: unknown, clientToken: string | undefined): Promise<void> {
    if (!(error instanceof ShadowError)) throw error
    const token = clientToken ?? error.clientToken
    await publish(topic, {
      code: error.code,
      message: error.message,
      timestamp: nowSeconds(),
      ...(token !== undefined && { clientToken: token }),
    })
  }

  async function update(key: ShadowKey, payload: Uint8Array): Promise<void> {
    let request: UpdateRequest | undefined
    try {
      request = parseUpdate(payload, key.shadowName)
      await change(key, request)
      noteFaults(key, request)
    } catch (error) {
      if (error instanceof ShadowError && (error.code === 400 || error.code === 413))
        noteFaults.rejected(key, error.message)
      await reject(channels.shadowUpdateRejected.topic(key), error, request?.clientToken)
    }
  }

  const noteFaults = createShadowFaults({ events, clock })

  /** Stores an update with its effects in one transaction, then publishes them. */
  async function change(key: ShadowKey, request: UpdateRequest): Promise<void> {
    const at = clock.now()
    const { reported } = request.patch
    const online =
      key.shadowName === 'info' && typeof reported?.online === 'boolean' ? reported.online : undefined
    const devices =
      key.shadowName === 'registration' && reported?.Peripherals
        ? RegistrationReported.parse({ Peripherals: reported.Peripherals }).Peripherals
        : undefined
    const firmware = reportedFirmware(key.shadowName === 'info' && reported?.FirmwareVersion, devices)
    const result = await db.transaction(async (tx) => {
      // Lock order is home, hub, device, as in all other transactions, to avoid deadlocks.
      if (devices) await lockHomeOfHub(tx, key.thingName)
      return {
        presence: await markPresence(tx, key.thingName, online, at),
        shadow: await updateShadow(tx, key, request, at),
        discovered: devices && (await storeDiscoveries(tx, key.thingName, devices, at)),
        firmware: firmware.length > 0 && (await storeFirmware(tx, key.thingName, firmware, at)),
      }
    })
    await publishUpdate(key, request, result.shadow)
    const { presence, discovered } = result
    if (firmware.length > 0) events.emit('firmwareReported', { tenant: key.tenant, thingName: key.thingName })
    if (presence?.changed && online !== undefined) await announcePresence(key.thingName, presence, online, at)
    if (!discovered) return
    reportMismatches(key.thingName, discovered.mismatches)
    for (const record of discovered.found)
      events.emit('dataChange', { tenant: discovered.tenant, name: 'discovery.add', record, by: null })
  }

  async function publishUpdate(
    key: ShadowKey,
    { patch, clientToken }: UpdateRequest,
    shadow: StoredShadow,
  ): Promise<void> {
    const timestamp = Math.floor(shadow.updatedAt / 1000)
    const common = { version: shadow.version, timestamp, ...(clientToken !== undefined && { clientToken }) }
    const accepted = { state: patch, metadata: stampsOf(patch, timestamp), ...common }
    await broker
      .publish(channels.shadowUpdateAccepted.topic(key), accepted, { tenant: key.tenant })
      .catch((err: unknown) => log.warn({ err, thingName: key.thingName }, 'shadow response lost'))
    const delta = difference(shadow.desired, shadow.reported, shadow.metadata.desired)
    if (delta) await publish(channels.shadowUpdateDelta.topic(key), { ...delta, ...common })
  }

  /** Publishes that a hub went online or offline: the new version of its info shadow, and the event. */
  async function publishPresence(
    { tenant, homeId, thingName, at, shadow }: PresenceChange,
    online: boolean,
  ): Promise<void> {
    const key: ShadowKey = { tenant, thingName, shadowName: 'info' }
    const request = { patch: { reported: { online } }, version: undefined, clientToken: undefined }
    events.emit('hubOnline', { tenant, homeId, thingName, online, at })
    await publishUpdate(key, request, shadow)
    if (online) statusRequests.request(`${tenant}/${homeId}`)
  }

  async function announcePresence(
    thingName: string,
    { tenant, homeId }: { tenant: string; homeId: string },
    online: boolean,
    at: number,
  ): Promise<void> {
    events.emit('hubOnline', { tenant, homeId, thingName, online, at })
    if (online) statusRequests.request(`${tenant}/${homeId}`)
  }

  /**
   * Requests the states of a hub's devices when it reconnects (§4). All hubs of the home receive the request, so hubs
   * that reconnect together are asked once.
   */
  const statusRequests = createThrottle<string>(
    clock,
    () => MIN_REQUEST_INTERVAL_MS,
    (key) => {
      const [rootId = '', homeId = ''] = key.split('/')
      return publish(channels.statusRequest.topic({ rootId, homeId }), { Timestamp: clock.now() }, { qos: 0 })
    },
  )

  function reportMismatches(thingName: string, mismatches: Mismatch[]) {
    for (const { reason } of mismatches) mismatchCounter.inc({ reason })
    if (mismatches.length)
      log.warn(
        { thingName, devices: mismatches.slice(0, 10) },
        'hub announces devices that differ from those added',
      )
  }

  return {
    /** Whether a message is for the shadows. */
    takes: ({ name }: TopicMatch): boolean => name === 'shadowGet' || name === 'shadowUpdate',

    /**
     * Answers a get or an update; resolves when it is stored and answered. Rejections are answers.
     *
     * errors    UNAVAILABLE while the database is unavailable
     */
    receive({ name, values }: TopicMatch, payload: Uint8Array, client: Client): Promise<void> {
      const { thingName = '', shadowName } = values
      if (!isShadowName(shadowName)) return Promise.resolve()
      const key: ShadowKey & { shadowName: ShadowName } = { tenant: client.tenant, thingName, shadowName }
      return runInOrder(thingName, () => (name === 'shadowUpdate' ? update(key, payload) : get(key, payload)))
    },

    /** Writes that hubs went online or offline; call the result after the commit to publish it. */
    async presence(tx: Db, changes: readonly HubConnectionChange[], online: boolean): Promise<() => void> {
      const changed = await writePresence(tx, changes, online, clock.now())
      return () => {
        for (const one of changed) void publishPresence(one, online)
      }
    },

    /** Requests the states of a hub's devices once it has subscribed to the request topic. */
    subscribed(client: Client, filter: string): void {
      if (client.party !== 'hub') return
      const topic = channels.statusRequest.topic({ rootId: client.tenant, homeId: client.homeId })
      if (filter === topic) statusRequests.request(`${client.tenant}/${client.homeId}`)
    },

    /**
     * Sets hubs offline that a crash left online; for the start of a gateway, when no hub is connected yet. Publishes
     * nothing, because there are no subscribers yet.
     */
    async markAllOffline(): Promise<void> {
      const at = clock.now()
      for (const { tenant, homeId, thingName } of await markAllOffline(db, at))
        events.emit('hubOnline', { tenant, homeId, thingName, online: false, at })
    },

    close() {
      statusRequests.close()
    },
  }
}

function stampsOf(patch: Patch, timestamp: number) {
  const entries = Object.entries(patch).filter(([, section]) => section)
  return Object.fromEntries(entries.map(([name, section]) => [name, stamp(section, timestamp)]))
}
