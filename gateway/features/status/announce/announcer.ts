import { alarmOfDevice, alarmOfRule } from '../../../../contract/alarms/channels.ts'
import { automationRun } from '../../../../contract/automation/channels.ts'
import {
  controlResponse,
  status,
  statusRequest,
  statusChange,
} from '../../../../contract/devices/channels/control.ts'
import {
  dataChange,
  type dataChanges,
  userPermission,
  userResponse,
} from '../../../../contract/data-change.ts'
import type { Permission } from '../../../../contract/kernel/permissions.ts'
import type { RoomKey } from '../../../../contract/homes/room.ts'
import type { Broker, Client, PublishOptions } from '../../../kernel/broker.ts'
import type { DataChangeEvent, Events, GatewayEvents } from '../../../kernel/events.ts'
import { type Clock, type Log, systemClock } from '../../../kernel/ports.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { createThrottle } from '../../../lib/throttle.ts'
import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'

/**
 * Interval between two messages of one home, in ms: `least` adds little to the age of a report. With many busy homes
 * it grows by `perHome` for each of them, which keeps the total at two thousand messages a second until the interval
 * reaches `most`.
 */
const INTERVAL_MS = { least: 10, perHome: 0.5, most: 100 }
const intervalOf = (homes: number) =>
  Math.min(INTERVAL_MS.most, Math.max(INTERVAL_MS.least, homes * INTERVAL_MS.perHome))

interface PendingHome {
  topic: string
  statuses: Map<string, DeviceStatus>
}

/**
 * Batches changed statuses per home, which bounds the number of messages however fast devices report; only the last
 * of several changes of a device is sent. Sends the change of a quiet home at once, and none of a home without
 * subscribers: a new subscriber requests the full status first.
 */
function createStatusChanges(
  clock: Clock,
  publish: (topic: string, payload: unknown) => Promise<void>,
  hasSubscribers: (topic: string) => boolean,
) {
  const homes = new Map<string, PendingHome>()

  async function send(key: string): Promise<void> {
    const home = homes.get(key)
    if (!home) return
    homes.delete(key)
    const statuses = [...home.statuses.values()]
    for (let i = 0; i < statuses.length; i += CHUNK_SIZE)
      await publish(home.topic, { Peripherals: statuses.slice(i, i + CHUNK_SIZE) })
  }
  const throttle = createThrottle<string>(clock, intervalOf, send)

  return {
    add(change: GatewayEvents['statusChanged']): void {
      const topic = statusChange.topic({ rootId: change.tenant, homeId: change.homeId })
      let home = homes.get(topic)
      if (!home) {
        if (!hasSubscribers(topic)) return
        homes.set(topic, (home = { topic, statuses: new Map() }))
      }
      for (const status of change.statuses) home.statuses.set(status.PeripheralUID, status)
      throttle.request(topic)
    },
    /** Sends pending changes at once: no other gateway has them, and screens of other gateways stay connected. */
    async close(): Promise<void> {
      throttle.close()
      await Promise.all([...homes.keys()].map(send))
    },
  }
}

/** Maximum number of devices in one message of a full status. */
const CHUNK_SIZE = 200
/** Minimum interval between two full answers for one home, in ms: every screen of the home receives each of them. */
const responseIntervalMs = () => 1_000

/** Delay before an answer that failed or may be incomplete is repeated, in ms. */
const RETRY_MS = 2_000

interface AnnouncerOptions {
  events: Events
  broker: Broker
  db: Db
  log: Log
  /** Clock of the throttles and retries; the system clock by default. */
  clock?: Clock
}

/**
 * Publishes events of the gateway to screens: changed records, statuses, commands, and a person's own rights and
 * settings. Ends the connections of persons and hubs whose rights changed.
 */
export function createAnnouncer({ events, broker, db, log, clock = systemClock }: AnnouncerOptions) {
  /** A failure is only logged: nothing depends on an announcement, and screens read the data by calls. */
  async function publish(topic: string, payload: unknown, options: PublishOptions = {}): Promise<void> {
    try {
      await broker.publish(topic, payload, options)
    } catch (error) {
      log.warn({ err: error, topic }, 'announcement lost')
    }
  }

  const statusChanges = createStatusChanges(
    clock,
    (topic, payload) => publish(topic, payload, { qos: 0 }),
    (topic) => broker.hasSubscribers?.(topic) ?? true,
  )

  /** QoS 0: a hub that is offline is asked again when it reconnects. */
  const requestStatusFromHubs = (rootId: string, homeId: string) =>
    publish(statusRequest.topic({ rootId, homeId }), { Timestamp: clock.now() }, { qos: 0 })

  /** Reports of a device that was not yet added were discarded, so the hubs of its home are asked for them again. */
  const newDeviceRequests = createThrottle<string>(clock, responseIntervalMs, (key) => {
    const [tenant = '', homeId = ''] = key.split('/')
    return requestStatusFromHubs(tenant, homeId)
  })

  /** Scheduled repeats of answers, with the function that cancels each. */
  const cancelRetries = new Map<string, () => void>()
  let closed = false
  const responses = createThrottle<string>(clock, responseIntervalMs, async (key) => {
    const [tenant = '', homeId = ''] = key.split('/')
    const topic = status.topic({ rootId: tenant, homeId })
    const isFirst = !cancelRetries.has(key)
    cancelRetries.get(key)?.()
    cancelRetries.delete(key)
    if (isFirst) await requestStatusFromHubs(tenant, homeId)
    try {
      const statuses = await readStatuses(db, tenant, homeId)
      for (let i = 0; i === 0 || i < statuses.length; i += CHUNK_SIZE)
        // The screens that sent a request are connected to this gateway.
        await publish(topic, { Peripherals: statuses.slice(i, i + CHUNK_SIZE) }, { scope: 'local' })
      // Another gateway may have stored a change meanwhile without publishing it here, if it did not know this subscription yet.
      if (broker.hasRecentSubscriber?.(topic)) retryLater(key, topic)
    } catch (error) {
      if (isFirst) log.warn({ err: error, homeId }, 'database unavailable, status request delayed')
      retryLater(key, topic)
    }
  })

  function retryLater(key: string, topic: string): void {
    if (closed) return
    const cancel = clock.after(RETRY_MS, () => {
      if (broker.hasSubscribers?.(topic) ?? true) responses.request(key)
      else cancelRetries.delete(key)
    })
    cancelRetries.set(key, cancel)
  }

  const unsubscribes = [
    events.on('dataChange', (change) => announceChange(change, publish)),
    events.on('dataChange', ({ tenant, name, record }) => {
      if (name === 'peripheral.add' && record.ThingName !== null)
        newDeviceRequests.request(`${tenant}/${record.HomeID}`)
    }),
    events.on('statusChanged', (changed) => statusChanges.add(changed)),
    events.on('commandChanged', ({ tenant, homeId, response }) =>
      publish(controlResponse.topic({ rootId: tenant, homeId }), response),
    ),
    events.on('runChanged', ({ tenant, homeId, news }) =>
      publish(automationRun.topic({ rootId: tenant, homeId }), news),
    ),
    events.on('alarmChanged', ({ tenant, homeId, kind, alarm }) => {
      const channel = kind === 'rule' || kind === 'ahead' ? alarmOfRule : alarmOfDevice
      return publish(channel.topic({ rootId: tenant, homeId }), alarm)
    }),
    events.on('personChanged', (change) => announcePerson(change, { db, broker, publish })),
    events.on('personalConfigChanged', ({ tenant, cognitoId, config }) =>
      publish(userResponse.topic({ rootId: tenant, cognitoId }), { PersonalConfig: config }),
    ),
    events.on('hubRevoked', ({ thingName }) => broker.disconnect({ thingName })),
  ]

  return {
    /**
     * Receives a screen's `status/request` and publishes the home's full status, once for all concurrent requests;
     * also asks the hubs of the home to report.
     */
    async receive({ topic, client }: { topic: string; client: Client }): Promise<void> {
      const request = statusRequest.match(topic)
      if (!request || client.party !== 'screen' || request.rootId !== client.tenant) return
      responses.request(`${request.rootId}/${request.homeId}`)
    },
    /** Stops listening, and sends pending status changes. */
    async close(): Promise<void> {
      closed = true
      for (const unsubscribe of unsubscribes) unsubscribe()
      for (const cancel of cancelRetries.values()) cancel()
      responses.close()
      newDeviceRequests.close()
      await statusChanges.close()
    },
  }
}

type PublishMessage = (topic: string, payload: unknown) => Promise<void>

/** Changes of rooms are also published as changes of their home (§7): room.add is also home.addRoom. */
const ROOM_EVENTS_OF_HOME = {
  add: 'addRoom',
  update: 'updateRoom',
  remove: 'removeRoom',
} as const satisfies Record<keyof typeof dataChanges.room, keyof typeof dataChanges.home>

async function announceChange(
  { tenant, name, record, by, requestId }: DataChangeEvent,
  publish: PublishMessage,
) {
  const [entity = '', event = ''] = name.split('.')
  const payload = { Record: record, By: by, RequestID: requestId ?? null }
  const published = publish(dataChange.topic({ rootId: tenant, entity, event }), payload)
  if (entity !== 'room') return published
  const homeEvent = ROOM_EVENTS_OF_HOME[event as keyof typeof ROOM_EVENTS_OF_HOME]
  const { HomeID, RoomID } = record as RoomKey
  await Promise.all([
    published,
    publish(dataChange.topic({ rootId: tenant, entity: 'home', event: homeEvent }), {
      ...payload,
      Record: { HomeID, RoomID },
    }),
  ])
}

/** Notifies a person of their changed rights, then ends their connections: new connections get the new rights. */
async function announcePerson(
  { tenant, cognitoId, change }: GatewayEvents['personChanged'],
  { db, broker, publish }: { db: Db; broker: Broker; publish: PublishMessage },
) {
  if (change === 'profile') return
  try {
    const [person] = await db.query<{ permissions: Permission[] }>(sql`
      select permissions from users where tenant = ${tenant} and cognito_id = ${cognitoId} and enabled`)
    const topic = userPermission.topic({ rootId: tenant, cognitoId })
    if (!person) await publish(topic, { Deleted: true })
    else if (change === 'permissions') await publish(topic, { Permissions: person.permissions })
  } finally {
    await broker.disconnect({ cognitoId })
  }
}

/** Stored statuses of all devices of a home. */
async function readStatuses(db: Db, tenant: string, homeId: string): Promise<DeviceStatus[]> {
  const rows = await db.query<{
    PeripheralUID: string
    PeripheralType: string
    Timestamp: number
    updateAt: number
    values: CommandValues
  }>(sql`
    select peripheral_uid as "PeripheralUID", peripheral_type as "PeripheralType", timestamp as "Timestamp",
      updated_at as "updateAt", values
    from device_status where tenant = ${tenant} and home_id = ${homeId} order by peripheral_uid`)
  return rows.map(({ values, ...status }) => ({ ...values, ...status }))
}
