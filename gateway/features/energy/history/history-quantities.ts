import {
  figureFields,
  READING_FIELDS,
  readPath,
  RETURN_FIELD,
  stateFields,
  statesOf,
  unitOf,
} from '../../../../contract/devices/kinds/history-fields.ts'
import { PLAIN_VALUE } from '../../../../contract/devices/capabilities/sensors.ts'
import type { HistoryDevice, HistoryQuantity } from '../../../../contract/devices/history-calls.ts'
import type { ModbusRow } from '../../../../contract/devices/modbus/modbus-table.ts'
import { deviceOfMeter, returnIdOf } from '../../../../contract/devices/kinds/meter-id.ts'
import { toSnakeCase } from '../../../store/sql.ts'
import { type Db, type Sql, join, raw, sql } from '../../../kernel/db.ts'

const MINUTE = 60_000

interface Place {
  tenant: string
  homeId: string
}

interface Device {
  uid: string
  name: string | null
  type: string | null
  roomId: number | null
  reported: string[] | null
  reportedAt: number | null
  /** Zone table of a thermostat. */
  zones: unknown[] | null
  rows: ModbusRow[] | null
  /** Quantity and unit that a plain sensor last reported. */
  quantity: string | null
  unit: string | null
}

/**
 * Ids of present and former devices of a home that have stored data, ascending.
 *
 * only     restricts the result to these ids
 * cursor   returns ids after this one
 */
export async function listIds(
  db: Db,
  { tenant, homeId }: Place,
  { only, cursor, limit }: { only?: readonly string[]; cursor?: string | undefined; limit: number },
): Promise<string[]> {
  // The second register of a meter is a quantity of its device, not a device.
  const of = (table: string): Sql => sql`
    select peripheral_uid from ${raw(table)} where peripheral_uid not like '%.return' and tenant = ${tenant} and home_id = ${homeId}
      and (${only ?? null}::text[] is null or peripheral_uid = any (${only ?? null}::text[]))
      and (${cursor ?? null}::text is null or peripheral_uid > ${cursor ?? null}::text)`
  const rows = await db.query<{ uid: string }>(sql`
    select peripheral_uid as uid from (
      ${of('peripherals')} union ${of('meters')} union ${of('sample_series')}
    ) as one order by 1 limit ${limit}::int`)
  return rows.map(({ uid }) => uid)
}

/** Lists the stored quantities of these devices. Devices without any are left out. */
export async function listQuantities(
  db: Db,
  place: Place,
  uids: readonly string[],
): Promise<HistoryDevice[]> {
  const devices = await readDevices(db, place, uids)
  const readings = await readMeters(db, place, uids)
  const samples = await readSeries(db, place, uids)
  return devices
    .map((device) => {
      const rows = device.rows ?? []
      return {
        PeripheralUID: device.uid,
        PeripheralName: device.name,
        PeripheralType: device.type,
        RoomID: device.roomId,
        Quantities: [
          ...(readings.get(device.uid) ?? []),
          ...inOrder(samples.get(device.uid) ?? [], device).map((quantity) =>
            withNames(quantity, rows, device),
          ),
          ...stateQuantities(device),
        ],
      }
    })
    .filter(({ Quantities }) => Quantities.length > 0)
}

async function readDevices(db: Db, { tenant, homeId }: Place, uids: readonly string[]): Promise<Device[]> {
  return db.query<Device>(sql`
    select wanted.uid, p.peripheral_name as name, p.peripheral_type as type, p.room_id as "roomId",
      array(select jsonb_object_keys(s.values)) as reported, s.timestamp as "reportedAt",
      s.values->'ThermostatTable' as zones, t.rows,
      s.values->>'Quantity' as quantity, s.values->>'Unit' as unit
    from unnest(${uids}::text[]) as wanted (uid)
    left join peripherals p on p.tenant = ${tenant} and p.home_id = ${homeId} and p.peripheral_uid = wanted.uid
    left join device_status s on s.tenant = p.tenant and s.peripheral_uid = p.peripheral_uid
    left join modbus_tables t on t.tenant = p.tenant and t.modbus_table_id = p.modbus_table_id
    order by wanted.uid`)
}

/** Reads the quantities of meters: the fields that the last reading contains. */
async function readMeters(db: Db, { tenant, homeId }: Place, uids: readonly string[]) {
  const columns = join(READING_FIELDS.map((field) => raw(`${toSnakeCase(field)} as "${field}"`)))
  const rows = await db.query<{ uid: string; first: number; last: number } & Record<string, unknown>>(sql`
    select m.peripheral_uid as uid, f.timestamp as first, l.*
    from meters m
    join lateral (select timestamp from readings where meter_id = m.meter_id order by timestamp limit 1) f on true
    join lateral (
      select timestamp as last, ${columns} from readings where meter_id = m.meter_id order by timestamp desc limit 1
    ) l on true
    where m.tenant = ${tenant} and m.home_id = ${homeId}
      and m.peripheral_uid = any (${[...uids, ...uids.map(returnIdOf)]}::text[])
    order by m.meter_id`)
  const ofDevice = new Map<string, HistoryQuantity[]>()
  for (const { uid, first, last, ...values } of rows) {
    const { PeripheralUID, isReturn } = deviceOfMeter(uid)
    const fields = isReturn ? [RETURN_FIELD] : READING_FIELDS.filter((field) => values[field] !== null)
    const known = ofDevice.get(PeripheralUID) ?? []
    ofDevice.set(PeripheralUID, [...known, ...fields.map((field) => measured(field, first, last))])
  }
  return ofDevice
}

async function readSeries(db: Db, { tenant, homeId }: Place, uids: readonly string[]) {
  const rows = await db.query<{ uid: string; field: string; first: number; last: number }>(sql`
    select s.peripheral_uid as uid, s.field, f.minute * ${MINUTE}::bigint as first, l.minute * ${MINUTE}::bigint as last
    from sample_series s
    join lateral (select minute from device_samples where series_id = s.series_id order by minute limit 1) f on true
    join lateral (select minute from device_samples where series_id = s.series_id order by minute desc limit 1) l on true
    where s.tenant = ${tenant} and s.home_id = ${homeId} and s.peripheral_uid = any (${uids}::text[])
    order by s.series_id`)
  const ofDevice = new Map<string, HistoryQuantity[]>()
  for (const { uid, field, first, last } of rows)
    ofDevice.set(uid, [...(ofDevice.get(uid) ?? []), measured(field, first, last)])
  return ofDevice
}

const measured = (Field: string, First: number, Last: number): HistoryQuantity => ({
  Field,
  Kind: 'measured',
  Label: null,
  Unit: unitOf(Field),
  First,
  Last,
})

/** Sorts quantities in the order of the device type and its Modbus table; zones by number. */
function inOrder(quantities: readonly HistoryQuantity[], { type, rows }: Device): HistoryQuantity[] {
  const order = [...figureFields(type ?? ''), ...(rows ?? []).map(({ Key }) => Key)]
  const rank = ({ Field }: HistoryQuantity) => {
    const { field, modbusKey } = readPath(Field)
    const place = order.indexOf(modbusKey ?? field)
    return place < 0 ? order.length : place
  }
  return [...quantities].sort(
    (a, b) => rank(a) - rank(b) || a.Field.localeCompare(b.Field, 'en', { numeric: true }),
  )
}

/** Adds label and unit: from the Modbus table for a Modbus value, from the last report for a plain sensor. */
function withNames(
  quantity: HistoryQuantity,
  rows: readonly ModbusRow[],
  sensor: Pick<Device, 'quantity' | 'unit'>,
): HistoryQuantity {
  if (quantity.Field === PLAIN_VALUE)
    return { ...quantity, Label: sensor.quantity, Unit: sensor.unit ?? quantity.Unit }
  const row = rowOf(quantity.Field, rows)
  return row ? { ...quantity, Label: row.Label, Unit: row.Unit } : quantity
}

/** Row of a Modbus table that the path of a quantity refers to. */
export function rowOf(path: string, rows: readonly ModbusRow[]): ModbusRow | undefined {
  const { modbusKey } = readPath(path)
  return modbusKey === undefined ? undefined : rows.find(({ Key }) => Key === modbusKey)
}

const stateQuantities = ({ type, reported, reportedAt, zones }: Device): HistoryQuantity[] =>
  [
    ...stateFields(type ?? '').filter((field) => reported?.includes(field)),
    ...(zones ? statesOf(type ?? '', { ThermostatTable: zones }).map(([path]) => path) : []),
  ].map((Field) => ({ Field, Kind: 'state', Label: null, Unit: '', First: null, Last: reportedAt }))
