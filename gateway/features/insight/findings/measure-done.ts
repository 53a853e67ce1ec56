import type { MeasuredSaving } from '../../../../contract/findings/calls.ts'
import { type HourlyDay, HOURS } from '../logic/baseline.ts'
import { BASELINE_DAYS, measureSaving, type VerifiedSaving, SAVING_DAYS } from '../logic/measured-saving.ts'
import { formatDay, weekdayOf, DAY_TYPES } from '../../../../contract/time/periods.ts'
import {
  BILL_KINDS,
  FAULT_KINDS,
  type FindingVerdict,
  MONTH_DAYS,
} from '../../../../contract/findings/finding-life.ts'
import { dayTypeOf } from '../../../../contract/tariffs/tariff-terms.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import type { HomeClock } from '../../../domain/homes/find-home.ts'
import type { InsightPorts, LoadDay } from '../logic/ports.ts'

/**
 * Stores the measured saving of a completed finding, and the resulting state. From then on the same finding may be
 * detected again.
 *
 * seen     the version that was measured
 * returns  false if it has changed since, or is not waiting for a measurement
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

/** The meters of a finding `f`: those whose energy it claims; for a recorded measure its own. */
const METERS_OF = sql`case when f.kind = 'measure' then array[f.meter_id]
  else array(select c.meter_id from finding_claims c where c.finding_id = f.finding_id order by 1) end`

/**
 * Measures completed in a home on some days, with their meters and rooms; those must not be among the comparison
 * lines.
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

/** Maximum number of days read before a measure: its baseline, and the earlier dates for the range. */
const MAX_BEFORE = 400
/** Maximum number of comparison lines, the largest ones. */
const MAX_COMPARED = 8
/** Number of days by which the lines are ranked. */
const RANKED_DAYS = 28
/** Intervals of an hour. */
const QUARTERS = 4
/** Days on which the clocks change have a different number of hours: they are skipped. */
const PLAIN_DAY = HOURS * QUARTERS

interface Done {
  FindingID: string
  doneOn: number
  kWh: number | null
  Amount: number | null
  version: number
  /** Number of days already measured. */
  measured: number
  meters: string[]
  /** The first day on which the cause is known to have existed; null for a recorded measure. */
  since: number | null
  /** NT$ per kWh at the time of recording, for a recorded measure; null for others, and without prices. */
  price: number | null
}

interface MeasureOptions {
  db: Db
  ports: Pick<InsightPorts, 'energy' | 'readBilling'>
}

/**
 * Measures the saving of completed findings 28, 56 and 84 days later: one that is verified or saved nothing is final;
 * one that is too uncertain is measured again at the next of these. Kinds that change only the bill, and faults, are
 * not measured.
 *
 * end      the first day that is not over, as `dayOf` numbers days
 * returns  number of findings that received a verdict
 */
export async function measureDone(
  { db, ports }: MeasureOptions,
  tenant: string,
  home: HomeClock,
  end: number,
): Promise<number> {
  let recordedCount = 0
  for (const done of await readUnverified(db, tenant, home.HomeID)) {
    const days = SAVING_DAYS.findLast((each) => done.doneOn + each < end && each > done.measured)
    if (days === undefined || done.meters.length === 0) continue
    const measured = await measure({ db, ports }, tenant, home, done, days)
    if (!measured) continue
    const key = { tenant, HomeID: home.HomeID, FindingID: done.FindingID, seen: done.version }
    if (await recordMeasurement(db, key, measured)) recordedCount += 1
  }
  return recordedCount
}

/** Earliest known day of a finding `f`: from its memory, its first detection, or its first claimed day. */
const SINCE = sql`case when f.kind <> 'measure' then least((f.memory ->> 'since')::int, f.first_seen, (
    select min(c.from_day + u.place - 1)::int from finding_claims c, unnest(c.kwh) with ordinality as u (kwh, place)
    where c.finding_id = f.finding_id and u.kwh > 0)) end`

/** Completed findings without a final measurement. */
const readUnverified = (db: Db, tenant: string, HomeID: string): Promise<Done[]> =>
  db.query<Done>(sql`
    select f.finding_id as "FindingID", f.done_on as "doneOn", f.kwh as "kWh", f.amount as "Amount", f.version,
      coalesce((f.verified ->> 'Through')::date - date '1970-01-01' - f.done_on, 0) as measured,
      ${METERS_OF} as meters, (f.memory ->> 'price')::float8 as price, ${SINCE} as since
    from findings f where f.tenant = ${tenant} and f.home_id = ${HomeID} and f.state in ('done', 'tooUncertain')
      and f.done_on is not null and not f.kind = any(${[...BILL_KINDS, ...FAULT_KINDS]}::text[])
    order by f.done_on, f.finding_id`)

async function measure(
  { db, ports }: MeasureOptions,
  tenant: string,
  home: HomeClock,
  done: Done,
  days: number,
): Promise<MeasuredSaving | undefined> {
  const { energy } = ports
  const from = Math.max(
    (await energy.readFirstDay(tenant, home)) ?? done.doneOn,
    done.doneOn + 1 - BASELINE_DAYS - MAX_BEFORE,
  )
  const end = done.doneOn + 1 + days
  const others = (await doneMeasures(db, tenant, home.HomeID, from, end)).filter(
    ({ FindingID }) => FindingID !== done.FindingID,
  )
  const touchedMeters = new Set([...done.meters, ...others.flatMap(({ meters }) => meters)])
  const compared = await comparable({ energy }, tenant, home, touchedMeters, [from, end])
  const [{ offPeakDays }, celsius] = await Promise.all([
    ports.readBilling(db, tenant, home),
    energy.readOutdoor(tenant, home, from, end),
  ])
  const hourly = (load: ReadonlyMap<number, LoadDay>) =>
    Array.from({ length: end - from }, (_, i) =>
      hourlyDay(from + i, load.get(from + i), offPeakDays, celsius),
    )
  const isOwn = ({ meters }: { meters: string[] }) => meters.some((id) => done.meters.includes(id))
  const { Saving, Verdict } = measureSaving({
    line: hourly(await energy.loadOfMeters(tenant, home, done.meters, from, end)),
    comparison: compared.map(hourly),
    doneOn: done.doneOn + 1,
    days,
    // A finding first seen after its completion gives no start of the cause.
    ...(done.since !== null && done.since <= done.doneOn && { since: done.since }),
    otherMeasures: others.filter(isOwn).map(({ doneOn }) => doneOn + 1),
    ...(done.kWh !== null && { expected: done.kWh / MONTH_DAYS }),
  })
  return Saving && Verdict ? measuredOf(done, days, Saving, Verdict) : undefined
}

/** Comparison lines: the largest load meters without a completed measure on, above or below them. */
async function comparable(
  { energy }: Pick<InsightPorts, 'energy'>,
  tenant: string,
  home: HomeClock,
  touchedMeters: ReadonlySet<string>,
  [from, end]: readonly [number, number],
): Promise<ReadonlyMap<number, LoadDay>[]> {
  const meters = await energy.readStandingMeters(tenant, home)
  const parentOf = new Map(meters.map(({ MeterID, parent }) => [MeterID, parent]))
  const isBelow = (id: string): boolean => {
    for (let at: string | null | undefined = id; at; at = parentOf.get(at))
      if (touchedMeters.has(at)) return true
    return false
  }
  const above = new Set(meters.map(({ parent }) => parent))
  const free = meters.filter(
    ({ MeterID, role }) => role === 'load' && !above.has(MeterID) && !isBelow(MeterID),
  )
  // Ranks by daily features, and reads only the largest: a home may have thousands of meters.
  const ranked = await energy.readDayFeatures(tenant, home, end - RANKED_DAYS, end)
  const kWh = new Map([...ranked].map(([id, days]) => [id, days.reduce((sum, one) => sum + one.kWh, 0)]))
  const largest = free
    .map(({ MeterID }) => MeterID)
    .toSorted((a, b) => (kWh.get(b) ?? 0) - (kWh.get(a) ?? 0))
    .slice(0, MAX_COMPARED)
  return [...(await energy.readLoads(tenant, home, from, end, new Set(largest))).values()]
}

function hourlyDay(
  day: number,
  load: LoadDay | undefined,
  offPeakDays: ReadonlySet<number>,
  celsius: ReadonlyMap<number, number>,
): HourlyDay {
  const kWh = new Float64Array(HOURS).fill(Number.NaN)
  if (load?.kWh.length === PLAIN_DAY)
    for (let hour = 0; hour < HOURS; hour++) {
      const quarters = Array.from({ length: QUARTERS }, (_, i) => hour * QUARTERS + i)
      if (quarters.every((i) => load.isKnown[i]))
        kWh[hour] = quarters.reduce((sum, i) => sum + (load.kWh[i] as number), 0)
    }
  return {
    day,
    weekday: weekdayOf(day),
    kind: DAY_TYPES.indexOf(dayTypeOf(day, offPeakDays)),
    kWh,
    celsius: celsius.get(day) ?? null,
  }
}

/** Saving per month of 30 days; a kWh costs as much as when the finding was detected or recorded. */
function measuredOf(
  { doneOn, kWh, Amount, price: recorded }: Done,
  days: number,
  { Saved, Low, High }: VerifiedSaving,
  Verdict: FindingVerdict,
): MeasuredSaving {
  const monthly = (sum: number) => (sum * MONTH_DAYS) / days
  const price = kWh !== null && kWh > 0 && Amount !== null ? Amount / kWh : recorded
  const money = (sum: number) => (price === null ? null : Math.round(monthly(sum) * price * 100) / 100)
  return {
    Verdict,
    From: formatDay(doneOn + 1),
    Through: formatDay(doneOn + days),
    kWh: monthly(Saved),
    LowKwh: monthly(Low),
    HighKwh: monthly(High),
    Amount: money(Saved),
    Low: money(Low),
    High: money(High),
  }
}
