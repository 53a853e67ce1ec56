import { readLog } from '../../gateway/features/automation/engine/log.ts'
import { type Db, raw, sql } from '../../gateway/kernel/db.ts'
import { createPartitions } from '../../gateway/store/partitions.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { alternate } from '../support/statistics.ts'
import { DAY, openSchema, SILENT, TENANT } from './database.ts'

const DEVICES = 300
/** Default of KEEP_HISTORY. */
const MONTHS = 14
/** Devices of a rule. */
const WATCHED = ['device-1', 'device-2', 'device-3']

/** Queries of rules and histories on state changes partitioned by month, compared with one table of the same rows. */
export async function events({ quick }: Options): Promise<Figure[]> {
  const rows = quick ? 50_000 : 400_000
  const db = await openSchema(DEVICES)
  const now = Date.now()
  const from = now - (MONTHS - 1) * 30 * DAY
  await createPartitions(db, SILENT, { table: 'device_events', unit: 1 }).prepare(
    Array.from({ length: MONTHS }, (_, month) => now - month * 30 * DAY),
    now,
  )
  await db.query(raw('alter table device_events disable trigger user'))
  await db.query(raw('create table whole_events (like device_events including all excluding identity)'))
  await db.query(sql`insert into device_events (tenant, peripheral_uid, timestamp, field, before, value)
    select ${TENANT}::uuid, 'device-' || (n % ${DEVICES}::int + 1), ${from}::bigint + n::bigint * ${Math.floor((now - from) / rows)}::bigint,
      'Switch', n % 2, (n + 1) % 2 from generate_series(1, ${rows}::int) n`)
  await db.query(raw('insert into whole_events select * from device_events'))
  for (const table of ['device_events', 'whole_events']) await db.pool.query(`vacuum analyze ${table}`)

  const wholeDb: Db = {
    ...db,
    query: ({ text, values, ...rest }) =>
      db.query({
        name: 'name' in rest ? `whole-${rest.name}` : '',
        text: text.replace(/\bdevice_events\b/g, 'whole_events'),
        values: [...values],
      }),
  }
  const positions = Object.fromEntries(WATCHED.map((uid) => [uid, rows - 5 * DEVICES]))
  const timed = (of: Db, work: (of: Db) => Promise<unknown>) => async () => {
    const each = quick ? 100 : 500
    const startedAt = performance.now()
    for (let i = 0; i < each; i++) await work(of)
    return ((performance.now() - startedAt) * 1_000) / each
  }
  const compare = async (what: string, work: (of: Db) => Promise<unknown>): Promise<Figure> => {
    const { a, b } = await alternate(quick ? 3 : 9, timed(db, work), timed(wholeDb, work))
    return {
      what,
      value: a,
      unit: 'µs',
      reference: { what: 'in one table', value: b },
      note: `among ${rows} changes of ${MONTHS} months`,
    }
  }
  return [
    await compare(`what came after the place of a rule in the logs of ${WATCHED.length} devices`, (of) =>
      readLog(of, TENANT, positions, now),
    ),
    await compare('the same of a rule that was not looked at for a year', (of) =>
      readLog(of, TENANT, positions, from),
    ),
    await compare('the last 50 changes of a device since a week', (of) =>
      of.query(sql`select timestamp, field, value from device_events where tenant = ${TENANT} and peripheral_uid = 'device-1'
        and timestamp >= ${now - 7 * DAY}::bigint and before is not null order by timestamp desc, seq desc limit 50`),
    ),
  ]
}
