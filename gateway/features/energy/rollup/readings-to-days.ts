import {
  applyCorrection,
  type IntervalCorrection,
  type Intervals,
  intervalsOf,
  quarterOf,
  type Sample,
  markQuarantined,
} from '../../../../contract/meters/intervals.ts'
import {
  isExplained,
  validateReadings,
  type ValidationReason,
  MAX_GLITCH_MS,
  type MaxKw,
} from '../../../../contract/meters/validate-readings.ts'
import { dayOf, QUARTER_MS } from '../../../../contract/time/periods.ts'
import { type Replacement, withReplacements } from '../../../../contract/meters/replacements.ts'
import { idArray, numberArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { type DirtySpan, OPEN_END } from './dirty-spans.ts'
import { readRetentionFloors } from './energy-floors.ts'
import {
  LAST_DAY,
  loadDays,
  type MeterDay,
  packDay,
  quartersIn,
  storeDays,
  unknown,
  unpackDay,
  type MeterClock,
} from './meter-days.ts'
import { maxKwOf, readLimits } from './learn-limits.ts'
import { readSpans, type SpanReadings } from './span-readings.ts'

/** Results of the validation of readings to store. */
interface Verdicts {
  quarantined: { meterId: number; timestamp: number; kwh: number; reason: ValidationReason }[]
  released: { meterId: number; timestamp: number; reason: ValidationReason }[]
}

/**
 * Recomputes the days and months of some meters that dirty spans affect.
 *
 * spans          one per meter, which must be locked
 * changedMeters  receives the meters whose set of quarantined readings changed
 * returns        spans left to compute: the rest of spans with too many readings, and readings whose verdict may change
 */
export async function rollUpSpans(
  tx: Db,
  spans: readonly DirtySpan[],
  clocks: ReadonlyMap<number, MeterClock>,
  changedMeters: Set<number>,
): Promise<DirtySpan[]> {
  const floors = await readRetentionFloors(tx)
  const found = await readSpans(tx, spans, floors.readings)
  const replacements = await readReplacements(tx, spans)
  const limits = await readLimits(
    tx,
    spans.map(({ meterId }) => meterId),
  )
  const remainingSpans: DirtySpan[] = []
  const verdicts: Verdicts = { quarantined: [], released: [] }
  const changes = spans.map((span, i): Change => {
    const readings = found[i] as SpanReadings
    const ofMeter = replacements.filter(({ meterId }) => meterId === span.meterId)
    const { zone } = clocks.get(span.meterId) as MeterClock
    const maxKw = maxKwOf(limits.get(span.meterId), zone)
    const { samples, rest } = validateSpan(span, readings, { replacements: ofMeter, maxKw }, verdicts)
    if (rest) remainingSpans.push(rest)
    const last = samples.at(-1)
    const end = last ? quarterOf(last.timestamp) : readings.fromQuarter
    return {
      meterId: span.meterId,
      zone,
      samples,
      begin: Math.min(readings.fromQuarter, quarterOf(span.from)),
      from: readings.fromQuarter,
      to: readings.hasMore ? end : (readings.toQuarter ?? Infinity),
    }
  })
  await storeVerdicts(tx, verdicts)
  for (const { meterId, reason } of [...verdicts.quarantined, ...verdicts.released])
    if (!isExplained(reason)) changedMeters.add(meterId)

  const quarantined = await readQuarantined(tx, changes)
  const extents = await findExtents(tx, changes, floors.days)
  const rows = await loadDays(
    tx,
    extents.map(({ firstDay, lastDay }, i) => ({
      meterId: (changes[i] as Change).meterId,
      from: firstDay,
      to: Math.min(lastDay + 1, LAST_DAY),
    })),
  )
  const days: MeterDay[] = []
  const deleted: { meterId: number; day: number }[] = []
  changes.forEach((change, i) => {
    const { meterId } = change
    const storedDays = rows.filter((row) => row.meterId === meterId)
    const newDays = makeDays(change, extents[i] as Extent, storedDays, quarantined[i] as number[])
    for (const [day, packed] of newDays) {
      if (day < floors.days) continue
      if (packed) days.push(packed)
      else if (storedDays.some((row) => row.day === day)) deleted.push({ meterId, day })
    }
  })
  await storeDays(tx, days, deleted)
  return remainingSpans
}

/** Change of a meter's energy, in 15-minute intervals since 1970. */
interface Change {
  meterId: number
  /** IANA zone of its home. */
  zone: string
  /** Accepted readings, from before the changes to after them. */
  samples: Sample[]
  /** First interval to recompute; corrections may have changed where no reading did. */
  begin: number
  /** Intervals to recompute from readings; `to` is exclusive, Infinity for all that follow. */
  from: number
  to: number
}

/** Days of a change, both ends included, extended to all corrections that overlap them. */
interface Extent {
  firstDay: number
  lastDay: number
  corrections: IntervalCorrection[]
  /** Intervals of the days that the change itself touches; the others are included only for the corrections. */
  own: { from: number; to: number }
  /** Corrections that partly lie in expired days: their distribution does not change. */
  cut: IntervalCorrection[]
}

/** Validates the readings of a span, and returns the accepted samples and the span that is left to compute. */
function validateSpan(
  { meterId, from, through }: DirtySpan,
  { before, jumped, readings, next, following, isEnd, until, hasMore }: SpanReadings,
  { replacements, maxKw }: { replacements: readonly Replacement[]; maxKw: MaxKw },
  verdicts: Verdicts,
): { samples: Sample[]; rest: DirtySpan | undefined } {
  const reachedAt = hasMore ? (readings.at(-1)?.timestamp ?? from) : until
  const replacementsIn = (after: number, to: number) =>
    replacements.filter(({ at }) => at > after && at <= to)
  const since = jumped ?? before.at(-1)
  // A replacement with the timestamp of a reading is one that the validation has already passed.
  const certain = withReplacements(
    before,
    since ? replacementsIn((before[0]?.timestamp ?? 0) - 1, since.timestamp) : [],
    undefined,
    maxKw,
  )
  const samplesRead = readings.map(({ timestamp, kwh, power, decision }) =>
    decision === null ? { timestamp, kwh, power } : { timestamp, kwh, accepted: true },
  )
  const toValidate = withReplacements(
    samplesRead,
    replacementsIn(since?.timestamp ?? -1, reachedAt),
    since,
    maxKw,
  )
  const { accepted, quarantined, lows } = validateReadings(toValidate, { counted: certain, jumped }, maxKw)

  const verdictOf = new Map(quarantined.map((one) => [one.timestamp, one]))
  for (const { timestamp, reason, decision } of readings) {
    const verdict = verdictOf.get(timestamp)
    if (verdict && verdict.reason !== reason) verdicts.quarantined.push({ meterId, ...verdict })
    else if (!verdict && reason !== null && decision === null)
      verdicts.released.push({ meterId, timestamp, reason })
  }
  const samples = [...certain, ...accepted]
  if (hasMore) return { samples, rest: { meterId, from: reachedAt, through: Math.max(reachedAt, through) } }
  // From the first following reading with an unchanged verdict on, all later verdicts are unchanged.
  const changed = next !== undefined && verdictOf.has(next)
  const end = isEnd ? OPEN_END : (following.at(-1)?.timestamp ?? until)
  if (until < OPEN_END)
    samples.push(...withReplacements(following, replacementsIn(until, end), samples.at(-1), maxKw))
  if (changed) return { samples, rest: { meterId, from: next, through: OPEN_END } }
  // Readings after a counter fall are validated by later readings that have not been read yet.
  if (!lows || until === OPEN_END) return { samples, rest: undefined }
  return {
    samples,
    rest: { meterId, from: lows.first, through: Math.max(lows.last, lows.first + MAX_GLITCH_MS) },
  }
}

/**
 * Recomputes the days of a change; returns the row to store for each day, undefined if nothing of it is known any longer.
 *
 * quarantined  intervals with a quarantined reading that awaits a decision
 */
function makeDays(
  { meterId, zone, samples, from, to }: Change,
  { firstDay, lastDay, corrections, own, cut }: Extent,
  storedDays: readonly MeterDay[],
  quarantined: readonly number[],
): Map<number, MeterDay | undefined> {
  const known = [
    firstDay,
    storedDays.at(-1)?.day ?? firstDay,
    dayOf(samples.at(-1)?.timestamp ?? 0, zone),
    ...corrections.map((one) => dayOf((one.to - 1) * QUARTER_MS, zone)),
  ]
  const until = Math.min(lastDay, Math.max(...known))
  const raw = unknown(quartersIn(firstDay, zone).from, quartersIn(until, zone).to)
  for (const row of storedDays) unpackDay(row, zone, raw)
  const [begin, end] = [Math.max(from, raw.first), Math.min(to, raw.first + raw.kwh.length)]
  if (begin < end) {
    const intervals = markQuarantined(intervalsOf(samples, begin, end), quarantined)
    raw.kwh.set(intervals.kwh, begin - raw.first)
    for (const [i, letter] of intervals.quality.entries()) raw.quality[begin - raw.first + i] = letter
    raw.resets = [...raw.resets.filter((at) => at < begin || at >= end), ...intervals.resets].sort(
      (a, b) => a - b,
    )
  }
  const corrected = applyCorrection(raw, corrections)
  for (const row of storedDays) mergeStored(row, zone, { own, corrections, cut }, corrected)
  const days = new Map<number, MeterDay | undefined>()
  for (let day = firstDay; day <= until; day++) days.set(day, packDay(meterId, day, zone, raw, corrected))
  return days
}

/** Keeps existing corrections that are not applied again: those of days beyond the change, and those cut by retention. */
function mergeStored(
  { day, cumulative, quality }: MeterDay,
  zone: string,
  { own, corrections, cut }: Pick<Extent, 'own' | 'corrections' | 'cut'>,
  into: Intervals,
): void {
  const { from } = quartersIn(day, zone)
  for (let i = quality.indexOf('c'); i >= 0; i = quality.indexOf('c', i + 1)) {
    const at = from + i
    const isOf = (one: IntervalCorrection): boolean => isWithin(one, at)
    if (corrections.some(isOf) || (isWithin(own, at) && !cut.some(isOf))) continue
    into.kwh[at - into.first] = (cumulative[i] as number) - (i === 0 ? 0 : (cumulative[i - 1] as number))
    into.quality[at - into.first] = 'c'
  }
}

/** Intervals of each change with a quarantined reading that awaits a decision; a reading belongs to the interval that it ends. */
async function readQuarantined(tx: Db, changes: readonly Change[]): Promise<number[][]> {
  const rows = await tx.query<{ index: number; quarter: number }>(sql`
    select distinct w.index::int - 1 as index, (q.timestamp + ${QUARTER_MS - 1}::bigint) / ${QUARTER_MS}::bigint - 1 as quarter
    from unnest(${numberArray(changes.map(({ meterId }) => meterId))}::int[],
      ${numberArray(changes.map(({ from }) => from * QUARTER_MS))}::bigint[],
      ${numberArray(changes.map(({ to }) => (to === Infinity ? OPEN_END : to * QUARTER_MS)))}::bigint[])
      with ordinality as w (meter_id, "from", "to", index)
    join quarantined_readings q on q.meter_id = w.meter_id and q.decision is null and q.reason in ('jump', 'glitch')
      and q.timestamp > w."from" and q.timestamp <= w."to"`)
  const quarters = changes.map((): number[] => [])
  for (const { index, quarter } of rows) (quarters[index] as number[]).push(quarter)
  return quarters
}

const isWithin = ({ from, to }: { from: number; to: number }, at: number): boolean => from <= at && at < to

/**
 * Days that changes touch, extended to contain all overlapping corrections: the distribution of a correction depends on all its intervals.
 */
async function findExtents(tx: Db, changes: readonly Change[], floor: number): Promise<Extent[]> {
  const extents = changes.map(({ zone, begin, to }): Extent => {
    const firstDay = dayOf(begin * QUARTER_MS, zone)
    const lastDay = to === Infinity ? LAST_DAY : Math.max(firstDay, dayOf(to * QUARTER_MS - 1, zone))
    const own = {
      from: quartersIn(firstDay, zone).from,
      to: lastDay === LAST_DAY ? Infinity : quartersIn(lastDay, zone).to,
    }
    return { firstDay, lastDay, corrections: [], own, cut: [] }
  })
  const limits = extents.map(({ own }) => ({
    from: own.from * QUARTER_MS,
    to: own.to === Infinity ? OPEN_END : own.to * QUARTER_MS,
  }))
  const rows = await tx.query<{
    index: number
    from: number
    to: number
    kwh: number
    sharing: 'even' | 'shape'
  }>(sql`
    select w.index::int - 1 as index, c.from_timestamp as from, c.to_timestamp as to, c.kwh, c.sharing
    from unnest(${numberArray(changes.map(({ meterId }) => meterId))}::int[],
      ${numberArray(limits.map(({ from }) => from))}::bigint[], ${numberArray(limits.map(({ to }) => to))}::bigint[])
      with ordinality as w (meter_id, "from", "to", index)
    join meter_corrections c on c.meter_id = w.meter_id and c.undone_at is null and c.kind = 'interval'
      and c.from_timestamp < w."to" and c.to_timestamp > w."from"
    order by 1, 2`)
  for (const { index, from, to, kwh, sharing } of rows) {
    const extent = extents[index] as Extent
    const { zone } = changes[index] as Change
    const correction = { from: from / QUARTER_MS, to: to / QUARTER_MS, kwh, sharing }
    if (dayOf(from, zone) < floor) {
      extent.cut.push(correction)
      continue
    }
    extent.corrections.push(correction)
    extent.firstDay = Math.min(extent.firstDay, dayOf(from, zone))
    extent.lastDay = Math.max(extent.lastDay, dayOf(to - 1, zone))
  }
  return extents
}

const readReplacements = (
  tx: Db,
  spans: readonly DirtySpan[],
): Promise<(Replacement & { meterId: number })[]> =>
  tx.query<Replacement & { meterId: number }>(sql`
    select meter_id as "meterId", from_timestamp as at, old_kwh as "oldKwh", new_kwh as "newKwh" from meter_corrections
    where meter_id = any(${numberArray(spans.map(({ meterId }) => meterId))}::int[]) and undone_at is null
      and kind = 'replacement' order by 1, 2`)

/** Stores quarantined readings and deletes released ones. Decisions of people are kept; explained readings need none. */
async function storeVerdicts(tx: Db, { quarantined, released }: Verdicts): Promise<void> {
  if (released.length > 0)
    await tx.query(sql`
      delete from quarantined_readings q using unnest(${numberArray(released.map(({ meterId }) => meterId))}::int[],
        ${numberArray(released.map(({ timestamp }) => timestamp))}::bigint[]) as w (meter_id, timestamp)
      where q.meter_id = w.meter_id and q.timestamp = w.timestamp and (q.decision is null or q.reason in ('dip', 'clock'))`)
  if (quarantined.length > 0)
    await tx.query(sql`
      insert into quarantined_readings as q (meter_id, timestamp, value, reason, decision)
      select meter_id, timestamp, value, reason, case when reason in ('dip', 'clock') then 'dropped' end
      from unnest(${numberArray(quarantined.map(({ meterId }) => meterId))}::int[],
        ${numberArray(quarantined.map(({ timestamp }) => timestamp))}::bigint[],
        ${numberArray(quarantined.map(({ kwh }) => kwh))}::float8[],
        ${idArray(quarantined.map(({ reason }) => reason))}::text[]) as w (meter_id, timestamp, value, reason)
      on conflict (meter_id, timestamp) do update set value = excluded.value, reason = excluded.reason,
        decision = excluded.decision, decided_by = null, decided_at = null
      where q.decision is distinct from 'accepted'`)
}
