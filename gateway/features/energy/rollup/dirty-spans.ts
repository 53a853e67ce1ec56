import { numberArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'

/** Namespace of the advisory lock that is taken to compute or correct a meter. */
const LOCK = 7_240_315
/** End of a span that extends to the last reading. */
export const OPEN_END = 8.64e15
/** Spans with a smaller gap between them are computed as one, in ms. */
const MERGE_WITHIN_MS = 86_400_000

/** Span in which readings or corrections of a meter changed, in epoch ms, both ends included; empty if it ends before it begins. */
export interface DirtySpan {
  meterId: number
  from: number
  through: number
}

/** Marks spans to be recomputed; called in the transaction of the change. */
export async function markDirty(db: Db, spans: readonly DirtySpan[]): Promise<void> {
  if (spans.length === 0) return
  await db.query(sql`insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
    select * from unnest(${numberArray(spans.map(({ meterId }) => meterId))}::int[],
      ${numberArray(spans.map(({ from }) => from))}::bigint[],
      ${numberArray(spans.map(({ through }) => through))}::bigint[])`)
}

/** Lists dirty meters, among the given ones or all: at most `limit`, in order of id, after the id `after`. */
export async function listDirty(
  db: Db,
  { meterIds, after = 0, limit }: { meterIds?: readonly number[] | undefined; after?: number; limit: number },
): Promise<number[]> {
  const rows = await db.query<{ meterId: number }>(sql`
    select distinct meter_id as "meterId" from meter_dirty
    where meter_id > ${after}::int and (${meterIds === undefined} or meter_id = any(${numberArray(meterIds ?? [])}::int[]))
    order by 1 limit ${limit}::int`)
  return rows.map(({ meterId }) => meterId)
}

/** Locks the energy of meters until the transaction ends; waits for other holders. */
export const lockMeters = async (tx: Db, meterIds: readonly number[]): Promise<void> => {
  await tx.query(sql`select pg_advisory_xact_lock(${LOCK}::int, meter_id)
    from (select unnest(${numberArray(meterIds)}::int[]) as meter_id order by 1) as wanted`)
}

/** Locks those of the meters that no other transaction has locked, until the transaction ends, and returns them. */
export async function lockAvailableMeters(tx: Db, meterIds: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ meterId: number }>(sql`
    select meter_id as "meterId" from unnest(${numberArray(meterIds)}::int[]) as meter_id
    where pg_try_advisory_xact_lock(${LOCK}::int, meter_id)`)
  return rows.map(({ meterId }) => meterId)
}

/**
 * Deletes and returns the dirty spans of locked meters. Later changes add spans of their own.
 *
 * returns  spans, those that overlap or are near to each other merged, ascending by meter and time
 */
export async function consumeDirtySpans(tx: Db, meterIds: readonly number[]): Promise<DirtySpan[]> {
  const spans = await tx.query<DirtySpan>(sql`
    delete from meter_dirty where meter_id = any(${numberArray(meterIds)}::int[])
    returning meter_id as "meterId", from_timestamp as from, through_timestamp as through`)
  const claimedSpans: DirtySpan[] = []
  for (const span of spans.sort((a, b) => a.meterId - b.meterId || a.from - b.from)) {
    const last = claimedSpans.at(-1)
    if (last?.meterId !== span.meterId || span.from - last.through > MERGE_WITHIN_MS)
      claimedSpans.push({ ...span })
    else if (last.from > last.through) Object.assign(last, span)
    else last.through = Math.max(last.through, span.through)
  }
  return claimedSpans
}
