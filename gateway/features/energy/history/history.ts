import { PLAIN_VALUE } from '../../../../contract/devices/capabilities/sensors.ts'
import { ONLINE, pickOfDevice, statesOf, unitOf } from '../../../../contract/devices/kinds/history-fields.ts'
import type { history, HistorySeries } from '../../../../contract/devices/history-calls.ts'
import { DEFAULT_UPDATE_FREQUENCY } from '../../../../contract/devices/peripheral.ts'
import type { ModbusRow } from '../../../../contract/devices/modbus/modbus-table.ts'
import { offsetAt } from '../../../../contract/time/periods.ts'
import type { HandlersOf } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { findHome } from '../../../domain/homes/find-home.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { dropMonths, deleteInBatches } from '../../../store/partitions.ts'
import { listIds, listQuantities, rowOf } from './history-quantities.ts'
import { readHistory } from './history-series.ts'

export const historyHandlers: HandlersOf<typeof history> = {
  listHistoryQuantity: async ({ HomeID, PeripheralUID, Limit, Cursor }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    const place = { tenant: actor.tenant, homeId: HomeID }
    const ids = await listIds(db, place, {
      limit: Limit + 1,
      cursor: Cursor,
      ...(PeripheralUID !== undefined && { only: [PeripheralUID] }),
    })
    const page = ids.slice(0, Limit)
    const NextCursor = ids.length > Limit ? (page.at(-1) ?? null) : null
    return { Devices: await listQuantities(db, place, page), NextCursor }
  },

  getHistorySeries: async ({ HomeID, Quantities, From, To, Points }, { db, actor, clock }) => {
    const place = { tenant: actor.tenant, homeId: HomeID }
    const uids = [...new Set(Quantities.map((quantity) => pickOfDevice(quantity).PeripheralUID))]
    const stored = await listIds(db, place, { only: uids, limit: uids.length })
    const missing = uids.find((uid) => !stored.includes(uid))
    if (missing !== undefined) throw new GatewayError('NOT_FOUND', `Device ${missing} does not exist`)
    return readSeries(db, place, Quantities, { from: From, to: To, points: Points, now: clock.now() })
  },
}

/**
 * Reads the stored values of some quantities, one series each, in the same order.
 *
 * from, to  epoch ms, `to` exclusive
 * points    maximum number of points of one series; longer series are reduced to means of equal spans
 * errors    NOT_FOUND if the home does not exist
 */
export async function readSeries(
  db: Db,
  place: { tenant: string; homeId: string },
  quantities: readonly { PeripheralUID: string; Field: string }[],
  range: { from: number; to: number; points: number; now: number },
): Promise<HistorySeries[]> {
  const zone = await readZone(db, place.tenant, place.homeId)
  const uids = [...new Set(quantities.map((quantity) => pickOfDevice(quantity).PeripheralUID))]
  const devices = await readDevices(db, place.tenant, uids)
  const offset = offsetAt(range.from, zone)
  const all: HistorySeries[] = []
  for (const quantity of quantities) {
    const { PeripheralUID, Field } = pickOfDevice(quantity)
    const device = devices.get(PeripheralUID)
    const series = await readHistory(db, {
      ...place,
      ...range,
      uid: PeripheralUID,
      field: Field,
      offset,
      frequency: device?.frequency ?? DEFAULT_UPDATE_FREQUENCY,
      addedAt: device?.addedAt ?? 0,
      current: device && stateNow(device, Field),
      thingName: device?.thingName,
    })
    const reported = Field === PLAIN_VALUE ? device?.values?.['Unit'] : undefined
    const Unit =
      rowOf(Field, device?.rows ?? [])?.Unit ?? (typeof reported === 'string' ? reported : unitOf(Field))
    all.push({ PeripheralUID: quantity.PeripheralUID, Field: quantity.Field, Unit, ...series })
  }
  return all
}

async function readZone(db: Db, tenant: string, homeId: string): Promise<string> {
  const [home] = await db.query<{ zone: string }>(
    sql`select time_zone as zone from homes where tenant = ${tenant} and home_id = ${homeId}`,
  )
  if (!home) throw new GatewayError('NOT_FOUND', `Home ${homeId} does not exist`)
  return home.zone
}

/** Current value of a state by its path; undefined if it was never reported. */
const stateNow = ({ type, values, online }: Device, path: string): number | undefined =>
  path === ONLINE ? Number(online) : new Map(statesOf(type, values ?? {})).get(path)

interface Device {
  uid: string
  type: string
  online: boolean
  thingName: string
  frequency: number
  addedAt: number
  values: Record<string, unknown> | null
  rows: ModbusRow[] | null
}

async function readDevices(db: Db, tenant: string, uids: readonly string[]): Promise<Map<string, Device>> {
  const rows = await db.query<Device>(sql`
    select p.peripheral_uid as uid, p.peripheral_type as type, d.online, p.thing_name as "thingName",
      p.power_meter_update_frequency as frequency, p.created_at as "addedAt", s.values, t.rows
    from peripherals p
    join things d on d.thing_name = p.thing_name
    left join device_status s on s.tenant = p.tenant and s.peripheral_uid = p.peripheral_uid
    left join modbus_tables t on t.tenant = p.tenant and t.modbus_table_id = p.modbus_table_id
    where p.tenant = ${tenant} and p.peripheral_uid = any (${uids}::text[])`)
  return new Map(rows.map((row) => [row.uid, row]))
}

/** Samples deleted by one statement; small enough not to block other transactions noticeably. */
const AT_ONCE = 10_000
const MINUTE = 60_000

/** Deletes the samples of devices whose home was deleted. Can be interrupted at any point and run by several gateways at a time. */
export async function deleteOrphanedSamples(db: Db): Promise<void> {
  for (;;) {
    const [dropped] = await db.query<{ id: number }>(sql`select series_id as id from dropped_series limit 1`)
    if (!dropped) return
    const deleted = await db.query(sql`
      delete from device_samples where series_id = ${dropped.id} and minute in
        (select minute from device_samples where series_id = ${dropped.id} order by minute limit ${AT_ONCE}::int)
      returning 1`)
    if (deleted.length === 0) await db.query(sql`delete from dropped_series where series_id = ${dropped.id}`)
  }
}

/**
 * Deletes expired samples: whole months by dropping their partitions, which is cheap, and older samples in batches. Samples are therefore
 * retained up to a month longer than configured.
 *
 * before  epoch ms
 */
export async function deleteOldSamples(db: Db, before: number): Promise<void> {
  const oldest = Math.floor(before / MINUTE)
  await dropMonths(db, 'device_samples', oldest)
  await deleteInBatches(
    db,
    AT_ONCE,
    sql`delete from device_samples_default where (series_id, minute) in
        (select series_id, minute from device_samples_default where minute < ${oldest}::int limit ${AT_ONCE}::int)
      returning 1`,
  )
}
