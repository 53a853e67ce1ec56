import { CADENCE_NEIGHBORS, JITTER_KWH, type Sample } from '../../../../contract/meters/intervals.ts'
import {
  COUNTED_ZEROS_MS,
  type ValidationReason,
  MAX_GLITCH_MS,
  MAX_GLITCH_READINGS,
} from '../../../../contract/meters/validate-readings.ts'
import { QUARTER_MS } from '../../../../contract/time/periods.ts'
import { numberArray } from '../../../store/array-literal.ts'
import { type Db, raw, sql } from '../../../store/db.ts'
import { type DirtySpan, OPEN_END } from './dirty-spans.ts'

/** Readings inside a span that are looked at in one go; the rest of a longer one waits for the next. */
export const MAX_READINGS_PER_BATCH = 5_000

/** A change of readings changes how so many gaps on either side are known, each by as many readings beyond. */
const CHANGED = CADENCE_NEIGHBORS
const ASKED = 2 * CADENCE_NEIGHBORS

/** A stored reading with what is known of it. */
export interface StoredReading extends Sample {
  /** Why it is quarantined; null when it counts or nobody has looked yet. */
  reason: ValidationReason | null
  /** A person's; what was dropped is not among the readings. */
  decision: 'accepted' | null
  /** W, as the meter told it; null where it did not. */
  power: number | null
}

/** What must be read to compute a dirty span again. */
export interface SpanReadings {
  /** Readings that count, for certain: the judging begins after the last of them, the others tell the cadence. */
  before: Sample[]
  /** The last of an open run of jumped readings before the span. */
  jumped: Sample | undefined
  /** Readings to judge, ascending. */
  readings: StoredReading[]
  /** First reading after the span that counted so far; undefined when there is none. */
  next: number | undefined
  /** Readings that count as they did, after those to judge: they tell the cadence. */
  following: Sample[]
  /** Whether no other reading that counts follows those. */
  isEnd: boolean
  /** The quarter in which energy, or how it is known, may have changed first, counted from 1970. */
  fromQuarter: number
  /** And where nothing changes any more: exclusive; undefined when that is the end of all that is known. */
  toQuarter: number | undefined
  /** The last moment, in epoch ms, that the readings reach to unless there is more. */
  until: number
  /** Whether there is more in the span than was read. */
  more: boolean
}

/** Reasons of judged readings, of which those that are explained have the decision `dropped`, by nobody. */
const JUDGED = `('jump', 'glitch', 'dip', 'clock')`
/** What was noted (q) of a stored reading (r); another value of the same moment says nothing of it unless it was accepted. */
const NOTED = raw('q.meter_id = r.meter_id and q.timestamp = r.timestamp')
const QUARANTINED = raw(`q.reason in ${JUDGED} and q.decision is distinct from 'accepted'`)
const COUNTS = sql`not exists (select 1 from quarantined_readings q where ${NOTED} and ${QUARANTINED})`

/** Reads what it takes to compute spans again, one span of each meter. */
export async function readSpans(tx: Db, spans: readonly DirtySpan[], floor: number): Promise<SpanReadings[]> {
  const starts = await findStarts(tx, spans)
  const ranges = starts.map(({ before, newest, next }, i) => {
    const { from } = spans[i] as DirtySpan
    const openRun = newest?.reason === 'jump'
    const certain = (openRun ? before[0] : certainOf(before, from))?.timestamp
    const earliest = Math.max(floor, Math.min(from, certain ?? (openRun ? newest.timestamp : from)))
    // Of a counter that reads 0 since it fell, only the zeros that may still count are judged again.
    const waits = newest?.reason === 'dip' && before[0] !== undefined
    return {
      openRun,
      certain,
      skipFrom: openRun ? (certain ?? -1) : waits ? before[0]!.timestamp : OPEN_END,
      skipTo: newest === null ? -1 : newest.timestamp - (waits ? COUNTED_ZEROS_MS : 0),
      earliest: Math.floor(earliest / QUARTER_MS) * QUARTER_MS,
      next,
      end: next === null ? null : Math.ceil(next / QUARTER_MS) * QUARTER_MS,
    }
  })
  const bounds = await tx.query<{
    at: number
    before: number | null
    after: number | null
    following: number[] | null
    followingKwh: number[] | null
  }>(sql`
    select w.at, a.timestamp as before, z.timestamp as after, f.timestamps as following, f.kwh as "followingKwh"
    from unnest(${numberArray(spans.map(({ meterId }) => meterId))}::int[],
      ${numberArray(ranges.map(({ certain, earliest }) => (certain === undefined ? -1 : earliest)))}::bigint[],
      ${numberArray(ranges.map(({ end }) => end ?? undefined))}::bigint[],
      ${numberArray(ranges.map(({ next }) => next ?? undefined))}::bigint[])
      with ordinality as w (meter_id, earliest, "end", next, at)
    left join lateral (select timestamp from readings r where r.meter_id = w.meter_id and r.timestamp <= w.earliest
      and ${COUNTS} order by timestamp desc limit 1) a on true
    left join lateral (select timestamp from readings r where r.meter_id = w.meter_id and r.timestamp >= w."end"
      and r.timestamp > w.next and ${COUNTS} order by timestamp limit 1) z on true
    left join lateral (select array_agg(timestamp::float8 order by timestamp) as timestamps,
        array_agg(accumulate_power order by timestamp) as kwh
      from (select r.timestamp, r.accumulate_power from readings r where r.meter_id = w.meter_id and r.timestamp > w.next
        and ${COUNTS} order by r.timestamp limit ${ASKED}::int) k) f on w.next is not null
    order by w.at`)
  const rows = await tx.query<Omit<StoredReading, 'decision'> & { at: number; decision: string | null }>(sql`
    select w.at, r.timestamp, r.kwh, r.power, case when q.reason in ${raw(JUDGED)} then q.reason end as reason,
      case when q.decision = 'accepted' or q.reason in ('jump', 'glitch') then q.decision end as decision
    from unnest(${numberArray(spans.map(({ meterId }) => meterId))}::int[],
      ${numberArray(spans.map(({ from }) => from))}::bigint[],
      ${numberArray(bounds.map(({ before }) => before ?? -1))}::bigint[],
      ${numberArray(bounds.map(({ after }) => after ?? OPEN_END))}::bigint[],
      ${numberArray(ranges.map(({ skipFrom }) => skipFrom))}::bigint[],
      ${numberArray(ranges.map(({ skipTo }) => skipTo))}::bigint[])
      with ordinality as w (meter_id, "from", first, last, skip_from, skip_to, at)
    cross join lateral (
      (select r.meter_id, r.timestamp, r.accumulate_power as kwh, r.power from readings r
        where r.meter_id = w.meter_id and r.timestamp >= w.first and r.timestamp < w."from"
          and (r.timestamp <= w.skip_from or r.timestamp >= w.skip_to))
      union all
      (select r.meter_id, r.timestamp, r.accumulate_power, r.power from readings r
        where r.meter_id = w.meter_id and r.timestamp >= w."from" and r.timestamp <= w.last
        order by r.timestamp limit ${MAX_READINGS_PER_BATCH}::int)) r
    left join quarantined_readings q on ${NOTED}
    order by w.at, r.timestamp`)
  const bySpan = spans.map(() => ({ found: [] as StoredReading[], inside: 0 }))
  for (const { at, timestamp, kwh, power, reason, decision } of rows) {
    const of = bySpan[at - 1] as (typeof bySpan)[number]
    if (timestamp >= (spans[at - 1] as DirtySpan).from) of.inside += 1
    if (decision !== 'dropped')
      of.found.push({ timestamp, kwh, power, reason, decision: decision === null ? null : 'accepted' })
  }

  return spans.map(({ from }, i) => {
    const { found, inside } = bySpan[i] as (typeof bySpan)[number]
    const { openRun, certain, earliest, next, end } = ranges[i] as (typeof ranges)[number]
    const { before: known } = starts[i] as Start
    const bound = bounds[i] as (typeof bounds)[number]
    const after = bound.after ?? null
    const start = openRun ? certain : (bound.before ?? undefined)
    const split = start === undefined ? 0 : found.findIndex(({ timestamp }) => timestamp >= start) + 1
    const jumped = openRun ? found[split] : undefined
    const first = found[0]?.timestamp ?? from
    const begin = certain === undefined ? Math.min(earliest, first) : earliest
    // The last reading before the span may be judged again: the gaps before it are known by what it is.
    const reaching = (known[CHANGED + 1] ?? known.at(-1))?.timestamp ?? begin
    const following = samplesOf(bound.following, bound.followingKwh)
    return {
      before: [
        ...known.filter(({ timestamp }) => timestamp < first).toReversed(),
        ...found.slice(0, split).filter(({ reason, decision }) => reason === null || decision !== null),
      ],
      jumped,
      readings: found.slice(jumped ? split + 1 : split),
      next: next ?? undefined,
      following: following.filter(({ timestamp }) => timestamp > (after ?? Infinity)),
      isEnd: following.length < ASKED,
      fromQuarter: Math.max(
        Math.floor(floor / QUARTER_MS),
        Math.min(Math.floor(begin / QUARTER_MS), Math.ceil(reaching / QUARTER_MS)),
      ),
      toQuarter: after === null || end === null ? undefined : endOf(end, following),
      until: after ?? OPEN_END,
      more: inside >= MAX_READINGS_PER_BATCH,
    }
  })
}

/**
 * Last reading whose judgement no later one changes; undefined if that is before the first. The readings after a fall are
 * judged by those that follow, and a meter's first ones by whether others follow them soon.
 *
 * before  readings that count, newest first
 * from    epoch ms of the first that is judged
 */
function certainOf(before: readonly Sample[], from: number): Sample | undefined {
  if (before.length < ASKED + 2) return undefined
  const low = before.findLastIndex(
    ({ kwh }, i) =>
      i < MAX_GLITCH_READINGS &&
      (before[i + 1] as Sample).kwh - kwh > JITTER_KWH &&
      from - (before[i + 1] as Sample).timestamp <= MAX_GLITCH_MS,
  )
  return before[Math.max(low, 0) + 1]
}

/** Where what the readings after a span say is as it was, in quarters; undefined where too few follow. */
function endOf(end: number, following: readonly Sample[]): number | undefined {
  const last = following[CHANGED - 1]
  return last && Math.max(end / QUARTER_MS, Math.floor(last.timestamp / QUARTER_MS))
}

const samplesOf = (timestamps: readonly number[] | null, kwh: readonly number[] | null): Sample[] =>
  (timestamps ?? []).map((timestamp, i) => ({ timestamp, kwh: kwh?.[i] as number }))

interface Start {
  /** The last readings before the span that count, newest first: as many as tell the cadence of what it changes. */
  before: Sample[]
  newest: { timestamp: number; reason: ValidationReason | null } | null
  next: number | null
}

async function findStarts(tx: Db, spans: readonly DirtySpan[]): Promise<Start[]> {
  const rows = await tx.query<
    Pick<Start, 'newest' | 'next'> & { before: number[] | null; beforeKwh: number[] | null }
  >(sql`
    select b.timestamps as before, b.kwh as "beforeKwh", n.newest, z.next
    from unnest(${numberArray(spans.map(({ meterId }) => meterId))}::int[],
      ${numberArray(spans.map(({ from }) => from))}::bigint[],
      ${numberArray(spans.map(({ through }) => through))}::bigint[])
      with ordinality as w (meter_id, "from", through, at)
    cross join lateral (select array_agg(timestamp::float8 order by timestamp desc) as timestamps,
        array_agg(accumulate_power order by timestamp desc) as kwh
      from (select r.timestamp, r.accumulate_power from readings r where r.meter_id = w.meter_id and r.timestamp < w."from"
        and ${COUNTS} order by r.timestamp desc limit ${ASKED + 2}::int) k) b
    left join lateral (select jsonb_build_object('timestamp', r.timestamp, 'reason', q.reason) as newest
      from readings r left join quarantined_readings q on ${NOTED} and ${QUARANTINED}
      where r.meter_id = w.meter_id and r.timestamp < w."from"
        and (q.decision is distinct from 'dropped' or q.reason in ('dip', 'clock'))
      order by r.timestamp desc limit 1) n on true
    left join lateral (select r.timestamp as next from readings r
      where r.meter_id = w.meter_id and r.timestamp > w.through and ${COUNTS} order by r.timestamp limit 1) z on true
    order by w.at`)
  return rows.map(({ before, beforeKwh, newest, next }) => ({
    before: samplesOf(before, beforeKwh),
    newest,
    next,
  }))
}
