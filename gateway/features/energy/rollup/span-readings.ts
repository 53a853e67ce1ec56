import { CADENCE_NEIGHBORS, JITTER_KWH, type Sample } from '../../../../contract/meters/intervals.ts'
import {
  COUNTED_ZEROS_MS,
  type ValidationReason,
  MAX_GLITCH_MS,
  MAX_GLITCH_READINGS,
} from '../../../../contract/meters/validate-readings.ts'
import { QUARTER_MS } from '../../../../contract/time/periods.ts'
import { numberArray } from '../../../store/sql.ts'
import { type Db, raw, sql } from '../../../kernel/db.ts'
import { type DirtySpan, OPEN_END } from './dirty-spans.ts'

/** Maximum number of readings of a span that are processed at once; the rest waits for the next run. */
export const MAX_READINGS_PER_BATCH = 5_000

/** Number of gaps on either side that a changed reading affects, and number of readings needed to compute these. */
const CHANGED = CADENCE_NEIGHBORS
const ASKED = 2 * CADENCE_NEIGHBORS

/** A stored reading with its verdict. */
export interface StoredReading extends Sample {
  /** Reason of its quarantine; null if it counts or has not been validated yet. */
  reason: ValidationReason | null
  /** Decision of a person; dropped readings are not included. */
  decision: 'accepted' | null
  /** W as reported by the meter; null if it reported none. */
  power: number | null
}

/** Readings that are needed to recompute a dirty span. */
export interface SpanReadings {
  /** Readings with a final verdict: validation starts after the last of them, the others determine the cadence. */
  before: Sample[]
  /** Last reading of an open run of jumps before the span. */
  jumped: Sample | undefined
  /** Readings to validate, ascending. */
  readings: StoredReading[]
  /** Timestamp of the first reading after the span that has counted so far; undefined if there is none. */
  next: number | undefined
  /** Accepted readings after those to validate, which determine the cadence. */
  following: Sample[]
  /** Whether no other accepted reading follows these. */
  isEnd: boolean
  /** First interval whose energy or quality may have changed, counted from 1970. */
  fromQuarter: number
  /** End of the changes, exclusive; undefined if they extend to the last reading. */
  toQuarter: number | undefined
  /** Epoch ms up to which readings were read, unless `hasMore`. */
  until: number
  /** Whether the span contains more readings than were read. */
  hasMore: boolean
}

/** Reasons of quarantine; explained readings (dip, clock) have the decision `dropped` without a person. */
const JUDGED = `('jump', 'glitch', 'dip', 'clock')`
/** Joins a verdict (q) to a stored reading (r). */
const NOTED = raw('q.meter_id = r.meter_id and q.timestamp = r.timestamp')
const QUARANTINED = raw(`q.reason in ${JUDGED} and q.decision is distinct from 'accepted'`)
const COUNTS = sql`not exists (select 1 from quarantined_readings q where ${NOTED} and ${QUARANTINED})`

/** Reads what is needed to recompute spans, one span per meter. */
export async function readSpans(tx: Db, spans: readonly DirtySpan[], floor: number): Promise<SpanReadings[]> {
  const starts = await findStarts(tx, spans)
  const ranges = starts.map(({ before, newest, next }, i) => {
    const { from } = spans[i] as DirtySpan
    const openRun = newest?.reason === 'jump'
    const certain = (openRun ? before[0] : certainOf(before, from))?.timestamp
    const earliest = Math.max(floor, Math.min(from, certain ?? (openRun ? newest.timestamp : from)))
    // While a counter reads 0 after a fall, only the zeros that may still count are validated again.
    const isDip = newest?.reason === 'dip' && before[0] !== undefined
    return {
      openRun,
      certain,
      skipFrom: openRun ? (certain ?? -1) : isDip ? before[0]!.timestamp : OPEN_END,
      skipTo: newest === null ? -1 : newest.timestamp - (isDip ? COUNTED_ZEROS_MS : 0),
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
    // The last reading before the span may be validated again, which affects the gaps before it.
    const revalidatedFrom = (known[CHANGED + 1] ?? known.at(-1))?.timestamp ?? begin
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
        Math.min(Math.floor(begin / QUARTER_MS), Math.ceil(revalidatedFrom / QUARTER_MS)),
      ),
      toQuarter: after === null || end === null ? undefined : endOf(end, following),
      until: after ?? OPEN_END,
      hasMore: inside >= MAX_READINGS_PER_BATCH,
    }
  })
}

/**
 * Last reading whose verdict no later reading can change; undefined if it precedes those given. Readings after a counter fall are validated
 * by those that follow, and a meter's first ones by whether others follow soon.
 *
 * before  accepted readings, newest first
 * from    epoch ms of the first reading to validate
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

/** End of the affected intervals after a span; undefined if too few readings follow. */
function endOf(end: number, following: readonly Sample[]): number | undefined {
  const last = following[CHANGED - 1]
  return last && Math.max(end / QUARTER_MS, Math.floor(last.timestamp / QUARTER_MS))
}

const samplesOf = (timestamps: readonly number[] | null, kwh: readonly number[] | null): Sample[] =>
  (timestamps ?? []).map((timestamp, i) => ({ timestamp, kwh: kwh?.[i] as number }))

interface Start {
  /** Last accepted readings before the span, newest first: as many as determine the cadence of the affected readings. */
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
