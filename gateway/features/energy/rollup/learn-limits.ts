import { dayOf, firstDayOf, formatDay, parseDay } from '../../../../contract/time/periods.ts'
import {
  LEARNT_FROM_DAYS,
  MIN_TRAINING_DATA,
  learnLimit,
  type KnownLimits,
  limitOf,
  limitsBetween,
} from '../../../domain/meters/meter-limit.ts'
import type { DatedValue } from '../../../../contract/meters/meter-facts.ts'
import type { Log } from '../../../kernel/ports.ts'
import { upsertFact, type FactRow, factHistories } from '../../../domain/meters/meter-facts.ts'
import { numberArray } from '../../../store/sql.ts'
import { type Db, sql, named } from '../../../kernel/db.ts'
import { MAX_POWER_KW, type MaxKw } from '../../../../contract/meters/validate-readings.ts'

/** Number of meters that are processed together. */
const AT_ONCE = 100
/** Number of days that are checked again for a meter with a learnt limit, as readings may be late. */
const LATELY = 3

interface Learner {
  meterId: number
  tenant: string
  HomeID: string
  MeterID: string
  zone: string
  /** kW; null if nothing has been learnt yet. */
  known: number | null
}

/**
 * Learns the maximum power of meters from their energy (meter-limit.ts). A limit takes effect the next day in the home's time zone, so that
 * no day is validated with two limits. May run concurrently.
 */
export async function learnLimits(
  db: Db,
  log: Pick<Log, 'error'>,
  now: number,
  closed: () => boolean,
): Promise<void> {
  for (let after = 0; !closed();) {
    const learners = await db.query<Learner>(sql`
      select m.meter_id as "meterId", m.tenant, m.home_id as "HomeID", m.peripheral_uid as "MeterID", h.time_zone as zone,
        (select f.value::float8 from meter_facts f where f.tenant = m.tenant and f.home_id = m.home_id
          and f.meter_key = m.peripheral_uid and f.fact = 'learnt' order by f.from_day desc limit 1) as known
      from meters m join homes h on h.tenant = m.tenant and h.home_id = m.home_id
      where m.meter_id > ${after}::int and m.removed_at is null order by 1 limit ${AT_ONCE}::int`)
    if (learners.length === 0) return
    after = learners.at(-1)?.meterId as number
    try {
      await learnMeterLimits(db, learners, now)
    } catch (err) {
      log.error({ err }, 'meter limits not learned')
    }
  }
}

async function learnMeterLimits(db: Db, learners: readonly Learner[], now: number): Promise<void> {
  const newLearners = learners.filter(({ known }) => known === null)
  const highest = new Map([
    ...(await readHighest(
      db,
      learners.filter(({ known }) => known !== null),
      now,
      LATELY,
    )),
    ...(await readHighest(db, await readReady(db, newLearners, now), now, LEARNT_FROM_DAYS)),
  ])
  for (const { meterId, tenant, HomeID, MeterID, zone, known } of learners) {
    const kwh = highest.get(meterId)
    const kw = kwh === undefined ? undefined : learnLimit(kwh, known ?? undefined)
    if (kw === undefined) continue
    await upsertFact(
      db,
      { tenant, HomeID, MeterID },
      'learnt',
      { from: dayOf(now, zone) + 1, value: kw },
      { by: null, at: now },
    )
  }
}

/** Meters with enough measured data to learn from. */
async function readReady(db: Db, learners: readonly Learner[], now: number): Promise<Learner[]> {
  const rows = await db.query<{ meterId: number }>(sql`
    select d.meter_id as "meterId" from meter_days d
    where d.meter_id = any(${numberArray(learners.map(({ meterId }) => meterId))}::int[])
      and d.day > ${dayOf(now, 'UTC') - LEARNT_FROM_DAYS}::int
    group by 1 having count(*) filter (where d.measured > 0) >= ${MIN_TRAINING_DATA.days}::int
      and sum(d.measured) >= ${MIN_TRAINING_DATA.intervals}::int`)
  const ready = new Set(rows.map(({ meterId }) => meterId))
  return learners.filter(({ meterId }) => ready.has(meterId))
}

/** Highest measured interval of each meter in the days before today, in kWh. */
async function readHighest(
  db: Db,
  learners: readonly Learner[],
  now: number,
  days: number,
): Promise<Map<number, number>> {
  const today = learners.map(({ zone }) => dayOf(now, zone))
  const rows = await db.query<{ meterId: number; highest: number }>(sql`
    select d.meter_id as "meterId", max(d.cumulative[i] - coalesce(d.cumulative[i - 1], 0)) as highest
    from unnest(${numberArray(learners.map(({ meterId }) => meterId))}::int[], ${numberArray(today)}::int[])
      as w (meter_id, today)
    join meter_days d on d.meter_id = w.meter_id and d.day < w.today and d.day >= w.today - ${days}::int
    cross join generate_series(1, cardinality(d.cumulative)) i
    where substr(d.quality, i, 1) = 'm' group by 1`)
  return new Map(rows.map(({ meterId, highest }) => [meterId, highest]))
}

/** Facts that determine the maximum power of a meter. */
const SAYING = ['limit', 'rated', 'learnt', 'role'] as const

/** Reads the known limits of these meters; meters without any are absent. */
export async function readLimits(tx: Db, meterIds: readonly number[]): Promise<Map<number, KnownLimits>> {
  const rows = await tx.query<FactRow & { meterId: number }>(
    // A named statement, so that it is planned once: every transaction that computes energy runs it.
    named(
      'limits of meters',
      sql`select m.meter_id as "meterId", f.meter_key as "MeterID", f.fact, f.from_day as from, f.value
        from meters m cross join lateral (select * from meter_facts f where f.tenant = m.tenant
          and f.home_id = m.home_id and f.meter_key = m.peripheral_uid and f.fact = any(${[...SAYING]})) f
        where m.meter_id = any(${numberArray(meterIds)}::int[]) order by f.from_day`,
    ),
  )
  const limits = new Map<number, KnownLimits>()
  if (rows.length === 0) return limits
  for (const [meterId, facts] of factHistories(
    rows.map(({ meterId, ...row }) => ({ ...row, MeterID: String(meterId) })),
  )) {
    const { limit, rated, learnt, role } = facts
    limits.set(Number(meterId), { limit, rated, learnt, role })
  }
  const contracted = [...limits].filter(
    ([, { learnt, role }]) => learnt !== undefined || role?.some(({ value }) => value === 'gridImport'),
  )
  if (contracted.length > 0) await addContracts(tx, new Map(contracted))
  return limits
}

/** Adds the contract capacities of the meters' homes. */
async function addContracts(tx: Db, limits: ReadonlyMap<number, KnownLimits>): Promise<void> {
  const rows = await tx.query<{
    meterId: number
    from: string
    through: string | null
    capacities: Record<string, number>
  }>(
    named(
      'contracts of meters',
      sql`select m.meter_id as "meterId", t.valid_from as from, t.valid_through as through, t.capacities
        from meters m join home_tariffs t on t.tenant = m.tenant and t.home_id = m.home_id
        where m.meter_id = any(${numberArray([...limits.keys()])}::int[])`,
    ),
  )
  for (const [meterId, known] of limits) {
    const agreed = rows.filter((row) => row.meterId === meterId)
    known.contractDays = agreed.flatMap(({ from, through }) => [
      parseDay(from),
      ...(through === null ? [] : [parseDay(through) + 1]),
    ])
    known.contractOn = (day) => {
      const date = formatDay(day)
      const held = agreed.find(({ from, through }) => from <= date && (through === null || date <= through))
      return held ? Object.values(held.capacities).reduce((sum, kw) => sum + kw, 0) : null
    }
  }
}

/** Maximum power of a meter, by day of its home. */
export function maxKwOf(known: KnownLimits | undefined, zone: string): MaxKw {
  if (!known) return MAX_POWER_KW
  const days = new Map<number, number>()
  return (timestamp) => {
    const day = dayOf(timestamp, zone)
    const limit = days.get(day) ?? limitOf(known, day)
    days.set(day, limit)
    return limit
  }
}

/** Maximum power of each of these meters on the last day of a month, in kW. */
export async function readMaxKw(
  tx: Db,
  meterIds: readonly number[],
): Promise<(meterId: number, month: number) => number> {
  const limits = await readLimits(tx, meterIds)
  return (meterId, month) => limitOf(limits.get(meterId) ?? {}, firstDayOf(month + 1) - 1)
}

/** Limits of each of these meters on the days from `first` through `last`, in kW: that of the first day, and each change. */
export async function readLimitsBetween(
  tx: Db,
  meterIds: readonly number[],
  { first, last }: { first: number; last: number },
): Promise<(meterId: number) => DatedValue<number>[]> {
  const limits = await readLimits(tx, meterIds)
  return (meterId) => limitsBetween(limits.get(meterId) ?? {}, first, last)
}
