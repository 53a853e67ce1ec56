import type { MeasuredSaving } from '../../../../contract/findings/calls.ts'
import { type Db, sql } from '../../../store/db.ts'

/**
 * Writes what a measurement of a finding that was done came to, and with it its state. From then on the same may be found again.
 *
 * seen     the version that was measured
 * returns  false where it has changed since, or is not waiting for a measurement
 */
export async function recordMeasurement(
  db: Db,
  key: { tenant: string; HomeID: string; FindingID: string; seen: number },
  measured: MeasuredSaving,
): Promise<boolean> {
  const rows = await db.query(sql`
    update findings set verified = ${JSON.stringify(measured)}::jsonb, state = ${measured.Verdict}, is_live = false,
      version = version + 1
    where tenant = ${key.tenant} and home_id = ${key.HomeID} and finding_id = ${key.FindingID}::uuid and version = ${key.seen}
      and state in ('done', 'tooUncertain')
    returning 1`)
  return rows.length > 0
}

/** The meters that a finding `f` is about: those that it claims energy of, and of what a person recorded its own. */
export const METERS_OF = sql`case when f.kind = 'measure' then array[f.meter_id]
  else array(select c.meter_id from finding_claims c where c.finding_id = f.finding_id order by 1) end`

/**
 * What was done in a home on some days, with the meters and rooms that it is about: what is compared with a measured one must not
 * be among them.
 *
 * fromDay, endDay  as `dayOf` numbers days, the last exclusive
 */
export const doneMeasures = (
  db: Db,
  tenant: string,
  HomeID: string,
  fromDay: number,
  endDay: number,
): Promise<
  { FindingID: string; RoomID: number | null; MeterID: string | null; doneOn: number; meters: string[] }[]
> =>
  db.query(sql`
    select f.finding_id as "FindingID", f.room_id as "RoomID", f.meter_id as "MeterID", f.done_on as "doneOn",
      ${METERS_OF} as meters
    from findings f where f.tenant = ${tenant} and f.home_id = ${HomeID} and f.done_on >= ${fromDay}::int
      and f.done_on < ${endDay}::int order by f.done_on, f.finding_id`)
