import type { Deps, RetentionDays } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import {
  createRetentionJob,
  createFuturePartitions,
  BATCH,
  type RetentionTarget,
  type RetentionOptions,
  dropMonthsOlderThan,
  deleteOlderThan,
} from '../../store/retention.ts'
import { EVENT_PATHS } from '../../../contract/devices/kinds/history-fields.ts'
import { type Db, sql } from '../../kernel/db.ts'
import type { hubCredentials } from '../../../contract/devices/hub-credential-calls.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { createHubSecret } from '../../domain/devices/hub-secret.ts'
import { DeviceEvent, type deviceEvents } from '../../../contract/devices/event-calls.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { columnsOf, inHomes } from '../../store/sql.ts'
import { peripheralCallHandlers } from './peripheral-calls.ts'
import { peripheralHandlers } from './peripheral.ts'
import type { Groups, ModbusTables } from './ports.ts'
import { thingHandlers, lockThing } from './thing.ts'

/** Number of devices per step. */
const DEVICES = 200
/** Number of rows per delete, so that locks are short. */
const EVENTS_PER_BATCH = 1_000

/**
 * Limits the rows per device in `device_events`, for example of a door sensor with a loose contact: the latest remain.
 *
 * maxEvents     maximum number of events per device
 * returns  checks the next devices in turn and returns the number of deleted rows; a full batch if one of them has more
 */
function createEventCap(db: Db, maxEvents: number): () => Promise<number> {
  /** Last device that was checked. */
  let last = { tenant: '00000000-0000-0000-0000-000000000000', uid: '' }

  return async () => {
    const checked = await db.query<{
      tenant: string
      uid: string
      from: number | null
      seq: number | null
    }>(sql`
      select d.tenant, d.peripheral_uid as uid, gone.timestamp as from, gone.seq
      from peripherals d left join lateral (select e.timestamp, e.seq from device_events e
        where e.tenant = d.tenant and e.peripheral_uid = d.peripheral_uid
        order by e.timestamp desc, e.seq desc offset ${maxEvents}::int limit 1) as gone on true
      where (d.tenant, d.peripheral_uid) > (${last.tenant}::uuid, ${last.uid}::text)
      order by d.tenant, d.peripheral_uid limit ${DEVICES}::int`)
    let deleted = EVENTS_PER_BATCH
    for (const { tenant, uid, from, seq } of checked) {
      if (from !== null)
        deleted -= (
          await db.query(sql`delete from device_events where (tenant, peripheral_uid, timestamp, seq) in (
            select tenant, peripheral_uid, timestamp, seq from device_events
            where tenant = ${tenant} and peripheral_uid = ${uid}
              and (timestamp, seq) <= (${from}::bigint, ${seq}::bigint)
            order by timestamp, seq limit ${deleted}::int) returning 1 as one`)
        ).length
      // The rest of this device's events comes first next time.
      if (deleted === 0) return EVENTS_PER_BATCH
      last = { tenant, uid }
    }
    if (checked.length < DEVICES) last = { tenant: '00000000-0000-0000-0000-000000000000', uid: '' }
    return EVENTS_PER_BATCH - deleted
  }
}

/** Partitioned log of device events, by the devices' clocks. */
const EVENTS = {
  table: 'device_events',
  at: 'timestamp',
  key: 'tenant, peripheral_uid, timestamp, seq',
} as const

/**
 * Retention of device events, by whole months, and of hubs' offline times, from their reconnection.
 *
 * maxEvents  maximum number of events per device; 0 for no limit
 */
export const expiringEvents = (
  options: Pick<RetentionOptions, 'db' | 'clock'>,
  { history }: Pick<RetentionDays, 'history'>,
  maxEvents: number,
): RetentionTarget[] => [
  ...dropMonthsOlderThan(options, history, EVENTS),
  ...deleteOlderThan(options, history, {
    aged_events: (before) => sql`
      delete from aged_events where (tenant, peripheral_uid, seq) in (
        select tenant, peripheral_uid, seq from aged_events where timestamp <= ${before}::bigint
        order by timestamp limit ${BATCH}::int) returning 1 as one`,
    hub_absences: (before) => sql`
      delete from hub_absences where (thing_name, since) in (
        select thing_name, since from hub_absences where until <= ${before}::bigint
        order by until limit ${BATCH}::int) returning 1 as one`,
  }),
  ...(maxEvents > 0 ? [{ table: 'device_events', deleteBatch: createEventCap(options.db, maxEvents) }] : []),
]

const deviceEventHandlers: HandlersOf<typeof deviceEvents> = {
  listDeviceEvent: async ({ HomeID, PeripheralUID, Since, Limit }, { db, actor }) => {
    const found = await db.query(sql`select 1 from peripherals where tenant = ${actor.tenant}
      and home_id = ${HomeID} and peripheral_uid = ${PeripheralUID}`)
    if (!found.length) throw new GatewayError('NOT_FOUND', `Device ${PeripheralUID} does not exist`)
    return db.query<DeviceEvent>(sql`select ${columnsOf(DeviceEvent, 'e')} from device_events e
      where tenant = ${actor.tenant} and peripheral_uid = ${PeripheralUID} and timestamp >= ${Since}
        and before is not null
      order by timestamp desc, seq desc limit ${Limit}::int`)
  },

  listLastChange: ({ Field }, { db, actor, homes }) =>
    db.query(sql`select p.peripheral_uid as "PeripheralUID", e.value as "Value", e.timestamp as "Since"
      from peripherals p cross join lateral (
        select value, timestamp from device_events e where e.tenant = p.tenant and e.peripheral_uid = p.peripheral_uid
          and e.field = ${Field} order by e.timestamp desc, e.seq desc limit 1) e
      where p.tenant = ${actor.tenant} and ${inHomes(homes(), sql`p.home_id`)} order by 1`),
}

const hubCredentialHandlers: HandlersOf<typeof hubCredentials> = {
  rotateThingSecret: async (key, context) => {
    const { db, actor, random } = context
    await lockThing(key, context)
    const { secret, hash } = createHubSecret(random)
    await db.query(sql`update things set secret_hash = ${hash}
      where tenant = ${actor.tenant} and thing_name = ${key.ThingName}`)
    context.emit('hubRevoked', { tenant: actor.tenant, thingName: key.ThingName })
    context.emit('hubSecretMade', { tenant: actor.tenant, homeId: key.HomeID, thingName: key.ThingName })
    context.audit({ after: key })
    return { ...key, Secret: secret }
  },
}

/** Stores the fields whose changes are events, so that the database records these together with the status. */
export const syncStateFields = async (db: Db): Promise<void> => {
  await db.query(sql`
    insert into state_fields (path, field, list, key)
    select path, field, list, key from jsonb_to_recordset(${JSON.stringify(EVENT_PATHS)}::jsonb)
      as p (path text, field text, list text, key text)
    on conflict do nothing`)
}

export function devices(deps: Deps, ports: ModbusTables & Groups) {
  const months = createFuturePartitions(deps, EVENTS)
  return {
    handlers: {
      thing: thingHandlers(ports),
      peripheral: { ...peripheralHandlers(ports), ...peripheralCallHandlers(ports) },
      hubCredentials: hubCredentialHandlers,
      deviceEvents: deviceEventHandlers,
    },
    jobs: [
      months.job,
      createRetentionJob(
        'events of devices',
        deps,
        expiringEvents(deps, deps.config.retentionDays, deps.config.maxDeviceEvents ?? 0),
      ),
    ],
    async prepare() {
      await syncStateFields(deps.db)
      await months.prepare()
    },
  } satisfies Feature
}
