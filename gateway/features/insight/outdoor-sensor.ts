import { isDeepStrictEqual } from 'node:util'
import { PLAIN_VALUE } from '../../../contract/devices/capabilities/sensors.ts'
import { unitOf } from '../../../contract/devices/kinds/history-fields.ts'
import type { insight, OutdoorSensor } from '../../../contract/energy/insight-calls.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import type { Handler } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { findHome, lockHome } from '../../domain/homes/find-home.ts'
import { type Db, sql } from '../../kernel/db.ts'

/** §GetOutdoorSensor. */
export const outdoorSensorHandler: Handler<(typeof insight)['getOutdoorSensor']> = async (
  { HomeID },
  { db, actor },
) => {
  await findHome(db, actor.tenant, HomeID)
  return {
    Sensor: await readSensor(db, actor.tenant, HomeID),
    Candidates: await readCandidates(db, actor.tenant, HomeID),
  }
}

/** §UpdateOutdoorSensor. */
export const updateOutdoorSensorHandler: Handler<(typeof insight)['updateOutdoorSensor']> = async (
  { HomeID, Sensor, Seen },
  context,
) => {
  const { db, actor } = context
  // Concurrent updates run one after the other.
  await lockHome(db, actor.tenant, HomeID)
  const before = await readSensor(db, actor.tenant, HomeID)
  if (Seen !== undefined && !isDeepStrictEqual(Seen, before))
    throw new GatewayError('CONFLICT', 'Somebody else has said which sensor is outdoors', { Seen: 'changed' })
  if (Sensor === null)
    await db.query(sql`delete from outdoor_sensors where tenant = ${actor.tenant} and home_id = ${HomeID}`)
  else {
    const candidates = await readCandidates(db, actor.tenant, HomeID)
    const isOne = ({ PeripheralUID, Field }: OutdoorSensor) =>
      PeripheralUID === Sensor.PeripheralUID && Field === Sensor.Field
    if (!candidates.some(isOne))
      throw new GatewayError('INVALID', 'No device of the home has measured this temperature', {
        Sensor: 'notMeasured',
      })
    await db.query(sql`insert into outdoor_sensors (tenant, home_id, peripheral_uid, field)
      values (${actor.tenant}, ${HomeID}, ${Sensor.PeripheralUID}, ${Sensor.Field})
      on conflict (tenant, home_id) do update
        set peripheral_uid = excluded.peripheral_uid, field = excluded.field`)
  }
  context.change('pricing.update', { HomeID })
  context.audit({ before: { Sensor: before }, after: { Sensor } })
  return { HomeID, Sensor }
}

async function readSensor(db: Db, tenant: string, HomeID: string): Promise<OutdoorSensor | null> {
  const [row] = await db.query<OutdoorSensor>(sql`
    select peripheral_uid as "PeripheralUID", field as "Field" from outdoor_sensors
    where tenant = ${tenant} and home_id = ${HomeID}`)
  return row ?? null
}

/** Spellings of the degree Celsius in units that devices report. */
const DEGREES = ['°C', '℃', '° C', 'C', 'degC']

type Candidate = ResultsOf<(typeof insight)['getOutdoorSensor']>['Candidates'][number]

/** Quantities in °C that devices of a home have measured; not set points. */
async function readCandidates(db: Db, tenant: string, HomeID: string): Promise<Candidate[]> {
  const rows = await db.query<Candidate & { unit: string | null }>(sql`
    select s.peripheral_uid as "PeripheralUID", s.field as "Field", p.peripheral_name as "PeripheralName",
      p.peripheral_type as "PeripheralType", coalesce(r.row ->> 'Label', l.values ->> 'Quantity') as "Label",
      coalesce(r.row ->> 'Unit', l.values ->> 'Unit') as unit
    from sample_series s
    join peripherals p on p.tenant = s.tenant and p.home_id = s.home_id and p.peripheral_uid = s.peripheral_uid
    left join lateral (select e as row from modbus_tables t cross join jsonb_array_elements(t.rows) e
      where t.tenant = p.tenant and t.modbus_table_id = p.modbus_table_id
        and 'ModbusValues.' || (e ->> 'Key') = s.field limit 1) r on true
    left join device_status l on l.tenant = p.tenant and l.peripheral_uid = p.peripheral_uid and s.field = ${PLAIN_VALUE}
    where s.tenant = ${tenant} and s.home_id = ${HomeID} order by lower(p.peripheral_name), 1, 2`)
  return rows
    .filter(({ Field, unit }) => DEGREES.includes(unit ?? unitOf(Field)) && !Field.endsWith(ASKED))
    .map(({ PeripheralUID, Field, PeripheralName, PeripheralType, Label }) => ({
      PeripheralUID,
      Field,
      PeripheralName,
      PeripheralType,
      Label,
    }))
}
const ASKED = 'TargetTemperature'
