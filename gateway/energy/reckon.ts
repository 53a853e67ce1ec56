import type { EnergyPoint } from '../../contract/procedures/meter-data.ts'
import { bandParts, partsOfDay, type Periods } from '../../contract/rules/energy-totals.ts'
import {
  dayOf,
  firstDayOf,
  monthOf,
  monthOfDay,
  QUARTER,
  type Resolution,
  startOfDay,
  wallMinute,
} from '../../contract/rules/periods.ts'
import { numberArray } from '../store/array-literal.ts'
import { type Db, sql } from '../store/db.ts'
import { addHomeDays, epochOf, type HomeKey, knownBefore, readHomeDays, readHomeMonths } from './home-days.ts'
import type { Epoch, Lines } from './lines.ts'
import { monthlyPrice, NO_TARIFF, type Pricing, type Rate, type Rates, ratesOf } from './prices.ts'
import { createSums, type DayPlan, type SumCache, type Sums, sumWindows, tableOf } from './sums.ts'

export interface Question {
  lines: Lines
  /** Of the home as a whole: its energy decides what tiers and surcharges make of a kWh. */
  home: Lines
  key: HomeKey
  zone: string
  resolution: Resolution
  periods: Periods
  pricing: Pricing
  /** Divides the first line by bands of the tariff. */
  byBand: boolean
  /** Epoch ms. */
  now: number
}

/** One line's points, one for each period. */
export interface Series {
  Key: string
  Points: EnergyPoint[]
}

/** Where the energy of one rate in one period is added up. */
interface Slot {
  period: number
  rate: Rate
}

/** A part of a plain day, of 24 hours, that begins at midnight. */
const PLAIN_DAY = 96

/**
 * Energy, cost, carbon and coverage of each line in each period. Nothing is stored that a price decides: intervals are
 * added up by band, and multiplied here.
 *
 * db  a transaction that sees one moment
 */
export async function reckon(db: Db, cache: SumCache, question: Question): Promise<Series[]> {
  const { lines, periods, zone, resolution, pricing, byBand, now } = question
  const rates = ratesOf(pricing)
  const clock = createClock(zone, now)
  const { plans, slots } = plan(question, rates, clock)
  const days = await firstDays(db, lines.epochs, monthOf(periods.starts[0] as number, zone))
  const oneEpoch = lines.epochs.length === 1
  const exact = byBand || !oneEpoch || resolution === 'quarter' || resolution === 'hour'
  // Months are sums already; their days are read only for what different prices make of them.
  const months = resolution === 'month' && oneEpoch && !byBand
  const single = months && slots.length === new Set(slots.map(({ period }) => period)).size
  const ofHome = lines === question.home
  const sums = single
    ? []
    : ofHome
      ? [await sumHome(db, cache, question, plans, slots.length, clock)]
      : await sumEpochs(db, cache, lines, plans, { slots: slots.length, exact, clock })
  const numbers = periods.starts.map((start) => monthOf(start, zone))
  const totals = !months
    ? undefined
    : ofHome
      ? [await sumHomeMonths(db, question, numbers, clock)]
      : await sumMonths(db, lines, numbers, clock)
  const prices = await pricesOf(db, cache, question, rates, slots, clock, totals)
  const expected = createExpectation(lines, (epoch) => within(epoch, plans, clock), slots.length, days)

  const pointsOf = (line: number, keep: (slot: Slot) => boolean): EnergyPoint[] => {
    const kept = slots.flatMap((slot, index) => (keep(slot) ? [{ ...slot, index }] : []))
    const parts = sums[line]
    const byPart = parts && fold(parts, kept, periods.starts.length)
    const of = totals?.[line] ?? (byPart as Sums)
    const due = new Int32Array(periods.starts.length)
    const cost: (number | null)[] = periods.starts.map(() => 0)
    for (const { period, rate, index } of kept) {
      ;(due[period] as number) += expected(line)[index] as number
      const kwh = (parts ? parts.kwh[index] : of.kwh[period]) as number
      const price = prices[index] as number | null
      const nothing = rate.band !== NO_TARIFF && Math.abs(kwh) < 1e-9
      if (!nothing) cost[period] = price === null ? null : plus(cost[period], kwh * price)
    }
    return periods.starts.map((Timestamp, period) => {
      const known = knownOf(of, period)
      // Days that are kept no more cannot be priced.
      if (byPart && knownOf(byPart, period) !== known) cost[period] = null
      const missing =
        (due[period] as number) + (of.past[period] as number) + (of.ahead[period] as number) - known
      const kwh = known ? trim(of.kwh[period] as number) : null
      const money = cost[period] as number | null
      return {
        Timestamp,
        kWh: kwh,
        Cost: kwh === null || money === null ? null : trim(money),
        CarbonKg: kwh === null ? null : trim(kwh * pricing.carbonFactor(clock.yearOf(Timestamp))),
        Coverage: {
          Measured: of.measured[period] as number,
          Estimated: of.estimated[period] as number,
          Corrected: of.corrected[period] as number,
          Missing: Math.max(0, missing),
        },
        Resets: of.resets[period] as number,
      }
    })
  }

  if (!byBand) return lines.keys.map((Key, line) => ({ Key, Points: pointsOf(line, () => true) }))
  const bands = [...new Set(slots.map(({ rate }) => rate.band))]
  return bands.map((Key) => ({ Key, Points: pointsOf(0, ({ rate }) => rate.band === Key) }))
}

const knownOf = ({ measured, estimated, corrected }: Sums, at: number): number =>
  (measured[at] as number) + (estimated[at] as number) + (corrected[at] as number)

/** Sums of slots as sums of their periods. */
function fold(sums: Sums, slots: readonly (Slot & { index: number })[], periods: number): Sums {
  const folded = createSums(periods)
  for (const name of Object.keys(folded) as (keyof Sums)[])
    for (const { period, index } of slots) (folded[name][period] as number) += sums[name][index] as number
  return folded
}

const plus = (sum: number | null | undefined, more: number): number | null =>
  sum === null || sum === undefined ? null : sum + more

/** Without the last bits that adding leaves. */
const trim = (value: number): number => Math.round(value * 1e9) / 1e9

type Clock = ReturnType<typeof createClock>

/** When days begin, by zone: at most those of the hundred years that calls look at. */
const startsOf = new Map<string, Map<number, number>>()

/** The days of a zone as they pass. */
function createClock(zone: string, now: number) {
  const starts = startsOf.get(zone) ?? new Map<number, number>()
  startsOf.set(zone, starts)
  const today = dayOf(now, zone)
  const startOf = (day: number): number => {
    const known = starts.get(day)
    if (known !== undefined) return known
    const start = startOfDay(day, zone)
    starts.set(day, start)
    return start
  }
  return {
    zone,
    today,
    startOf,
    quartersOf: (day: number) => (startOf(day + 1) - startOf(day)) / QUARTER,
    endedOf: (day: number, quarters: number) =>
      day < today ? quarters : Math.min(quarters, Math.floor((now - startOf(day)) / QUARTER)),
    yearOf: (timestamp: number) => Math.floor(monthOf(timestamp, zone) / 12),
    /** What the wall shows at the beginning of each interval of a day on which the clocks change. */
    minutesOf: (day: number, quarters: number): number[] | undefined =>
      quarters === PLAIN_DAY
        ? undefined
        : Array.from({ length: quarters }, (_, quarter) => wallMinute(day, quarter, zone)),
  }
}

/** Which part of each day so far goes into which slot. */
function plan({ periods }: Question, rates: Rates, clock: Clock): { plans: DayPlan[]; slots: Slot[] } {
  const slots: Slot[] = []
  const slotOf = new Map<string, number>()
  const at = (period: number, rate: Rate): number => {
    const key = `${period} ${rate.id}`
    const known = slotOf.get(key)
    if (known !== undefined) return known
    slotOf.set(key, slots.length)
    return slots.push({ period, rate }) - 1
  }
  const plans: DayPlan[] = []
  const first = dayOf(periods.starts[0] as number, clock.zone)
  const last = Math.min(dayOf(periods.end - 1, clock.zone), clock.today)
  for (let day = first; day <= last; day++) {
    const quarters = clock.quartersOf(day)
    const bands = bandParts(rates.ofDay(day), clock.minutesOf(day, quarters))
    const windows = partsOfDay(periods, clock.startOf(day), clock.startOf(day + 1)).flatMap((part) =>
      bands.flatMap(({ span, from, to }) => {
        const [begin, end] = [Math.max(part.from, from), Math.min(part.to, to)]
        return begin < end ? [{ slot: at(part.period, span.rate), from: begin, to: end }] : []
      }),
    )
    plans.push({ day, quarters, ended: clock.endedOf(day, quarters), windows: joined(windows) })
  }
  return { plans, slots }
}

/** Neighbours of one slot as one. */
function joined(windows: readonly DayPlan['windows'][number][]): DayPlan['windows'] {
  const all: { slot: number; from: number; to: number }[] = []
  for (const window of windows) {
    const before = all.at(-1)
    if (before && before.slot === window.slot && before.to === window.from) before.to = window.to
    else all.push({ ...window })
  }
  return all
}

/** The parts of the days that lie in an epoch. */
function within({ from, to }: Epoch, plans: readonly DayPlan[], clock: Clock): DayPlan[] {
  if (from === -Infinity && to === Infinity) return [...plans]
  return plans.flatMap((one) => {
    const start = clock.startOf(one.day)
    const [begin, end] = [(from - start) / QUARTER, (to - start) / QUARTER]
    const windows = one.windows
      .map((window) => ({ ...window, from: Math.max(window.from, begin), to: Math.min(window.to, end) }))
      .filter((window) => window.from < window.to)
    return windows.length ? [{ ...one, windows }] : []
  })
}

async function sumEpochs(
  db: Db,
  cache: SumCache,
  lines: Lines,
  plans: readonly DayPlan[],
  { slots, exact, clock }: { slots: number; exact: boolean; clock: Clock },
): Promise<Sums[]> {
  let all: Sums[] | undefined
  for (const epoch of lines.epochs) {
    const sums = await sumWindows(db, cache, {
      members: epoch.members,
      lines: lines.keys.length,
      slots,
      plans: within(epoch, plans, clock),
      exact,
    })
    all = all ? all.map((one, i) => add(one, sums[i] as Sums)) : sums
  }
  return all ?? []
}

function add(a: Sums, b: Sums): Sums {
  for (const name of Object.keys(a) as (keyof Sums)[])
    for (let i = 0; i < a[name].length; i++) (a[name][i] as number) += b[name][i] as number
  return a
}

/** The home as a whole, of which days are kept. */
async function sumHome(
  db: Db,
  cache: SumCache,
  { key, home }: Pick<Question, 'key' | 'home'>,
  plans: readonly DayPlan[],
  slots: number,
  clock: Clock,
): Promise<Sums> {
  const sums = createSums(slots)
  const asked = plans.filter(({ windows }) => windows.length)
  const [first, last] = [asked[0], asked.at(-1)]
  if (!first || !last) return sums
  const isKept = ({ day }: DayPlan) => epochOf(home.epochs, clock.startOf(day), clock.startOf(day + 1))
  const kept = asked.filter(isKept)
  addHomeDays(sums, kept, await readHomeDays(db, key, first.day, last.day + 1))
  const removed = removedOf(home)
  if (removed) {
    const [of] = await sumEpochs(db, cache, removed, kept, { slots, exact: true, clock })
    if (of) sums.past.set(of.past)
  }
  // Days on which a meter changed its place are not kept.
  const others = asked.filter((one) => !isKept(one))
  if (others.length) {
    const [of] = await sumEpochs(db, cache, home, others, { slots, exact: true, clock })
    if (of) add(sums, of)
  }
  return sums
}

/** The meters that are devices no more; undefined where there are none. */
function removedOf(lines: Lines): Lines | undefined {
  const epochs = lines.epochs.map((epoch) => ({
    ...epoch,
    members: epoch.members.filter(({ removed }) => removed),
  }))
  return epochs.some(({ members }) => members.length) ? { ...lines, epochs } : undefined
}

/** Whole months of the home, as they are kept, without what removed meters left out and what is ahead. */
async function sumKeptMonths(db: Db, key: HomeKey, months: readonly number[]): Promise<Sums> {
  const sums = createSums(months.length)
  for (const { month, ...row } of await readHomeMonths(db, key, months))
    for (const [name, value] of Object.entries(row) as [keyof typeof row, number][])
      sums[name][months.indexOf(month)] = value
  return sums
}

/** Whole months of the home. */
async function sumHomeMonths(
  db: Db,
  { key, home }: Pick<Question, 'key' | 'home'>,
  months: readonly number[],
  clock: Clock,
): Promise<Sums> {
  const sums = await sumKeptMonths(db, key, months)
  const removed = removedOf(home)
  if (removed) {
    const [of] = await sumMonths(db, removed, months, clock)
    if (of) sums.past.set(of.past)
  }
  const { today, endedOf, quartersOf } = clock
  const running = months.indexOf(monthOfDay(today))
  const day = running < 0 ? undefined : (await readHomeDays(db, key, today, today + 1)).get(today)
  if (day)
    sums.ahead[running] =
      knownBefore(day, PLAIN_DAY * 2) - knownBefore(day, endedOf(today, quartersOf(today)))
  return sums
}

/** Whole months of each line, as they are stored. */
async function sumMonths(
  db: Db,
  { keys, epochs }: Lines,
  months: readonly number[],
  { today, endedOf, quartersOf }: Clock,
): Promise<Sums[]> {
  const members = epochs.flatMap((epoch) => epoch.members)
  const sums = keys.map(() => createSums(months.length))
  if (!members.length) return sums
  const from = sql`from ${tableOf(members)}`
  const rows = await db.query<Record<Exclude<keyof Sums, 'ahead'> | 'line' | 'month', number>>(sql`
    select g.line, t.month, sum(g.weight * t.kwh) as kwh, sum(t.measured) as measured, sum(t.estimated) as estimated,
      sum(t.corrected) as corrected, sum(t.resets) as resets,
      coalesce(sum(t.measured + t.estimated + t.corrected + t.missing) filter (where g.removed = 1), 0) as past
    ${from} join meter_months t on t.meter_id = g.meter_id and t.month = any(${months as number[]}::int[])
    group by 1, 2`)
  for (const { line, month, ...row } of rows)
    for (const [i, one] of months.entries())
      if (one === month)
        for (const [name, value] of Object.entries(row) as [keyof typeof row, number][])
          (sums[line] as Sums)[name][i] = value
  const running = months.indexOf(monthOfDay(today))
  if (running < 0) return sums
  const ahead = await db.query<{ line: number; ahead: number }>(sql`
    select g.line, sum(greatest(0, cardinality(d.cumulative) - ${endedOf(today, quartersOf(today))}::int)) as ahead
    ${from} join meter_days d on d.meter_id = g.meter_id and d.day = ${today}::int group by 1`)
  for (const row of ahead) (sums[row.line] as Sums).ahead[running] = row.ahead
  return sums
}

/** NT$ per kWh in each slot; null where no price is known. */
async function pricesOf(
  db: Db,
  cache: SumCache,
  { home, key, lines, periods }: Question,
  rates: Rates,
  slots: readonly Slot[],
  clock: Clock,
  totals: Sums[] | undefined,
): Promise<(number | null)[]> {
  const spans = rates.spansOf(slots.map(({ rate }) => rate))
  const monthly = new Map<string, number>()
  if (spans.length) {
    const wholes = spans.every(({ months }) => months !== undefined)
    const months = [...new Set(spans.flatMap((span) => span.months ?? []))]
    const asked = periods.starts.map((start) => monthOf(start, clock.zone))
    // Periods of months that are the home's have been summed already.
    const summed = totals !== undefined && lines === home && months.every((month) => asked.includes(month))
    const ofMonths = (known: readonly number[], sums: Sums | undefined) =>
      spans.map((span) =>
        (span.months ?? []).reduce((sum, month) => sum + (sums?.kwh[known.indexOf(month)] ?? 0), 0),
      )
    const kwh: ArrayLike<number> | undefined =
      wholes && summed
        ? ofMonths(asked, totals[0])
        : wholes && home.epochs.length === 1
          ? ofMonths(months, await sumKeptMonths(db, key, months))
          : (await sumHome(db, cache, { key, home }, spanPlans(spans, clock), spans.length, clock)).kwh
    for (const [i, span] of spans.entries()) monthly.set(span.id, monthlyPrice(span, kwh?.[i] ?? 0))
  }
  return slots.map(({ rate }) =>
    rate.price === null ? null : rate.price + (rate.span === undefined ? 0 : (monthly.get(rate.span) ?? 0)),
  )
}

const spanPlans = (spans: ReturnType<Rates['spansOf']>, clock: Clock): DayPlan[] =>
  spans
    .flatMap(({ days }, slot) =>
      days
        .filter((day) => day <= clock.today)
        .map((day): DayPlan => {
          const quarters = clock.quartersOf(day)
          return {
            day,
            quarters,
            ended: clock.endedOf(day, quarters),
            windows: [{ slot, from: 0, to: quarters }],
          }
        }),
    )
    .toSorted((a, b) => a.day - b.day)

/**
 * The day of each meter's first reading, before which nothing is missing; one before the month `since` is as good as another.
 * Most meters are older than what is asked for, and are not even told.
 */
async function firstDays(db: Db, epochs: readonly Epoch[], since: number): Promise<Map<number, number>> {
  const ids = new Set(epochs.flatMap(({ members }) => members.map(({ meterId }) => meterId)))
  const days = new Map([...ids].map((id) => [id, firstDayOf(since)]))
  if (!ids.size) return days
  const rows = await db.query<{ id: number; day: number | null; month: number | null }>(sql`
    select m.id, f.month, (select min(d.day) from meter_days d
      where d.meter_id = m.id and d.day between f.first and f.first + 30) as day
    from unnest(${numberArray([...ids])}::int[]) as m (id)
    left join lateral (select month, make_date(month / 12, month % 12 + 1, 1) - date '1970-01-01' as first
      from meter_months t where t.meter_id = m.id order by month limit 1) f on true
    where f.month is null or f.month >= ${since}::int`)
  for (const { id, day, month } of rows)
    if (month === null) days.delete(id)
    else days.set(id, day ?? firstDayOf(month))
  return days
}

/** How many ended intervals of each slot the devices of a line should have told of, from the day of their first. */
function createExpectation(
  { epochs, keys }: Lines,
  plansOf: (epoch: Epoch) => readonly DayPlan[],
  slots: number,
  first: ReadonlyMap<number, number>,
) {
  const due = keys.map(() => new Int32Array(slots))
  for (const epoch of epochs) {
    const plans = plansOf(epoch)
    const earliest = plans[0]?.day ?? 0
    const since = new Map<number, Int32Array>()
    for (const { meterId, line, removed } of epoch.members) {
      const day = first.get(meterId)
      if (removed || day === undefined) continue
      const from = Math.max(day, earliest)
      const lengths = since.get(from) ?? lengthsSince(from, plans, slots)
      since.set(from, lengths)
      const sums = due[line] as Int32Array
      for (let i = 0; i < slots; i++) (sums[i] as number) += lengths[i] as number
    }
  }
  return (line: number): Int32Array => due[line] as Int32Array
}

/** Ended intervals of each slot in the days from one on. */
function lengthsSince(first: number, plans: readonly DayPlan[], slots: number): Int32Array {
  const lengths = new Int32Array(slots)
  for (const { day, ended, windows } of plans)
    if (day >= first)
      for (const { slot, from, to } of windows)
        (lengths[slot] as number) += Math.max(0, Math.min(to, ended) - from)
  return lengths
}
