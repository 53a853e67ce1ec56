import type { Track } from '../logic/replay.ts'
import { type Db, sql } from '../../../store/db.ts'
import { readColumns } from '../../../store/read-columns.ts'

/** The most presses of a button that are replayed: of more, the last. */
const MOST = 100_000

/** A figure that counts what people do, change by change, as the engine reads it; what came late is none. */
export async function counterTrack(
  db: Db,
  tenant: string,
  { uid, field, from, to }: { uid: string; field: string; from: number; to: number },
): Promise<Omit<Track, 'unknown'>> {
  const ofField = sql`tenant = ${tenant} and peripheral_uid = ${uid} and field = ${field} and not late`
  const last = await readColumns<{ at: number; value: number; before: number | null }>(
    db,
    ['at', 'value', 'before'],
    sql`select * from (select timestamp as at, before, value, seq from device_events
      where ${ofField} and timestamp >= ${from}::bigint and timestamp < ${to}::bigint
      order by timestamp desc, seq desc limit ${MOST}::int) as last order by at, seq`,
  )
  const [earlier] = await db.query<{ value: number }>(sql`select value from device_events
    where ${ofField} and timestamp < ${from}::bigint order by timestamp desc, seq desc limit 1`)
  const first = earlier?.value ?? last.before[0] ?? undefined
  if (first !== undefined) {
    last.at.unshift(from)
    last.value.unshift(first)
  }
  return { at: last.at, values: last.value, goodFor: null }
}
