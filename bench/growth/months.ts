import { commandStatements } from '../../gateway/features/control/command-statements.ts'
import { createCommandStore } from '../../gateway/features/control/command-store.ts'
import type { TrackedCommand } from '../../gateway/features/control/command.ts'
import { type Db, type NamedQuery, raw, sql, type Sql } from '../../gateway/kernel/db.ts'
import { createPartitions } from '../../gateway/store/partitions.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { alternate } from '../support/statistics.ts'
import { DAY, HOME, openSchema, SILENT, TENANT } from './database.ts'

const DEVICES = 300
/** Months of commands (the default of KEEP_COMMANDS), with the next one and the default partition. */
const MONTHS = Array.from({ length: 5 }, (_, month) => Date.UTC(2026, month, 1))
const NOW = Date.UTC(2026, 4, 20)
/** Maximum number of devices that a user switches with one click. */
const MANY = 100

/** Queries of control on commands partitioned by month, compared with one table of the same rows. */
export async function months({ quick }: Options): Promise<Figure[]> {
  const rows = quick ? 30_000 : 300_000
  const db = await openSchema(DEVICES)
  await createPartitions(db, SILENT, { table: 'commands', unit: 1 }).prepare(MONTHS, NOW)
  await makeWhole(db)
  for (const of of [db, wholeOf(db)]) await fill(of, rows)
  for (const table of ['commands', 'whole_commands', 'command_keys'])
    await db.pool.query(`vacuum analyze ${table}`)

  const rounds = quick ? 3 : 9
  const compare = async (
    what: string,
    perRound: number,
    work: (of: Db, round: number) => Promise<unknown>,
    max?: number,
  ): Promise<Figure> => {
    let round = 0
    const timed = (of: Db) => async () => {
      const startedAt = performance.now()
      for (let i = 0; i < perRound; i++) await work(of, round++)
      return ((performance.now() - startedAt) * 1_000) / perRound
    }
    const { a, b } = await alternate(rounds, timed(db), timed(wholeOf(db)))
    return {
      what,
      value: a,
      unit: 'µs',
      reference: { what: 'in one table', value: b },
      ...(max !== undefined && { bar: { of: 'ratio' as const, max } }),
      note: `among ${rows} commands of five months`,
    }
  }
  const each = quick ? 50 : 300
  return [
    await compare(
      'a command stored, moved three times, and found',
      each,
      (of, round) => live(of, [trackedOf(round)]),
      1.5,
    ),
    await compare(`${MANY} commands at once, each stored, moved three times`, each / 10, (of, round) =>
      live(
        of,
        Array.from({ length: MANY }, (_, i) => trackedOf(round, i)),
        false,
      ),
    ),
    await compare('the last 50 commands of a device', each, (of, round) =>
      createCommandStore(of).list(
        TENANT,
        { HomeID: HOME, PeripheralUID: `device-${(round % DEVICES) + 1}` },
        50,
      ),
    ),
    await compare('the commands that are overdue', each, (of) => createCommandStore(of).overdue()),
    await dropping(db, rows),
  ]
}

/** Time to drop a month, compared with deleting its rows. */
async function dropping(db: Db, rows: number): Promise<Figure> {
  const timed = async (query: Sql) => {
    const startedAt = performance.now()
    await db.query(query)
    return performance.now() - startedAt
  }
  const value = await timed(sql`drop table commands_2026_01`)
  const deleted = await timed(sql`delete from whole_commands where requested_at < ${MONTHS[1]}::bigint`)
  return {
    what: 'a month of commands dropped',
    value,
    unit: 'ms',
    reference: { what: 'its rows deleted', value: deleted },
    note: `${Math.round(rows / MONTHS.length)} of ${rows} rows; deleting leaves their room in the files`,
  }
}

/** The life cycle of some commands of one click. */
async function live(of: Db, all: TrackedCommand[], finds = true): Promise<void> {
  const statements = commandStatements(of)
  await statements.insert(all.map((tracked) => ({ tracked, history: [] })))
  for (const [from, State] of [
    ['accepted', 'sent'],
    ['sent', 'acknowledged'],
    ['acknowledged', 'confirmed'],
  ] as const)
    // prettier-ignore
    await statements.advance(all.map((tracked) => ({ tracked, from, steps: [{ State, Reason: null, Timestamp: NOW }] })))
  const [one] = all
  if (finds && one)
    await createCommandStore(of).find(TENANT, one.command.RequestID, one.command.PeripheralUID)
}

const trackedOf = (round: number, i = 0): TrackedCommand => ({
  tenant: TENANT,
  thingName: 'hub-00000001',
  command: {
    RequestID: `measured-${round}`,
    HomeID: HOME,
    PeripheralUID: `device-${(i % DEVICES) + 1}-${i}`,
    Values: { Switch: 1 },
    State: 'accepted',
    Reason: null,
    Source: 'person',
    By: '王小明',
    RunID: null,
    RequestedAt: NOW + round,
    SettledAt: null,
  },
})

const fill = (of: Db, rows: number) =>
  of.query(sql`insert into commands (tenant, request_id, peripheral_uid, home_id, thing_name, values, source, by_name, state,
      history, requested_at, settled_at)
    select ${TENANT}::uuid, gen_random_uuid()::text, 'device-' || (n % ${DEVICES}::int + 1), ${HOME}, 'hub-00000001', '{"Switch": 1}',
      'person', '王小明', 'confirmed', '[{"State": "confirmed", "Reason": null, "Timestamp": 1767225600400}]', t.at, t.at + 400
    from (select n, ${MONTHS[0]}::bigint + n * ${Math.floor((NOW - DAY - MONTHS[0]!) / rows)}::bigint as at
      from generate_series(1, ${rows}::int) n) t`)

/** The table without partitions: its key alone identifies a request. */
const makeWhole = (db: Db) =>
  db.query(
    raw(`create table whole_commands (like commands including defaults);
    alter table whole_commands add primary key (tenant, request_id, peripheral_uid),
      add foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade;
    create index on whole_commands (tenant, peripheral_uid, requested_at desc);
    create index on whole_commands (requested_at) where settled_at is null;
    create index on whole_commands (settled_at) where settled_at is not null;
    create index on whole_commands (tenant, run_id) where run_id is not null`),
  )

/** The database with that table in place of commands. */
function wholeOf(db: Db): Db {
  const unpartitioned = (text: string) =>
    text
      .replace(/\bcommands\b/g, 'whole_commands')
      .replace(/\s+and requested_at = \(\s*select k\.requested_at[^)]*\)/, '')
      .replace(
        /(order by r\.request_id, r\.peripheral_uid)\s+returning/,
        '$1 on conflict do nothing returning',
      )
  return {
    ...db,
    query: (query) => db.query(wholeQuery(query, unpartitioned)),
  }
}

function wholeQuery(query: Sql | NamedQuery, unpartitioned: (text: string) => string): NamedQuery {
  // A query for a request by its key alone has no parameters for the month.
  const text = unpartitioned(query.text)
  const places = new Set([...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place)))
  const values = query.values.filter((_, i) => places.has(i + 1))
  return { name: 'name' in query ? `whole-${query.name}` : '', text, values }
}
