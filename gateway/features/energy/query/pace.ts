import { type CounterSample, counterAt } from '../../../../contract/energy/demand.ts'
import { type Db, sql } from '../../../store/db.ts'
import { readMeters } from '../meters/meters.ts'
import { IS_NOT_QUARANTINED } from './readings.ts'

const HOUR = 3_600_000
/** A reading this old still says what the last hour was. */
const RECENT = HOUR / 2

/**
 * What a meter counted in the 60 minutes before its last reading, kWh.
 *
 * returns  null while that is not known: of a meter that has told nothing for half an hour, or began less than an hour ago, and of a
 *          counter that fell
 */
export async function paceOfMeter(
  db: Db,
  { tenant, homeId }: { tenant: string; homeId: string },
  uid: string,
  at: number,
): Promise<number | null> {
  const meter = (await readMeters(db, tenant, homeId)).find(
    ({ PeripheralUID, removedAt }) => PeripheralUID === uid && removedAt === null,
  )
  if (meter?.meterId == null) return null
  const samples = await db.query<CounterSample>(sql`
    select timestamp as "Timestamp", accumulate_power as "kWh" from readings r
    where meter_id = ${meter.meterId} and timestamp > ${at - 3 * HOUR}::bigint and timestamp <= ${at}::bigint and ${IS_NOT_QUARANTINED}
    order by timestamp`)
  const last = samples.at(-1)
  if (!last || at - last.Timestamp > RECENT) return null
  if (samples.some(({ kWh }, i) => i > 0 && kWh < (samples[i - 1]?.kWh ?? 0))) return null
  const before = counterAt(samples, last.Timestamp - HOUR)
  return before === null ? null : last.kWh - before
}
