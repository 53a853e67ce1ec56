import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandStatements } from '../../../gateway/features/control/command-statements.ts'
import { createCommandStore } from '../../../gateway/features/control/command-store.ts'
import type { TrackedCommand } from '../../../gateway/features/control/command.ts'
import { type Compat, isAtMost, readCompat } from '../../../gateway/store/migrate.ts'
import { type Db, sql } from '../../../gateway/kernel/db.ts'
import { createBuilding } from '../../support/building.ts'
import { createTestDb, MIGRATIONS } from '../../support/postgres.ts'
import { breaksOf, readSchema, type Schema } from '../../support/read-schema.ts'

const recorded = (file: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'released', file), 'utf8'))
/** Schema that the last release uses, as recorded by tests/support/record-release.ts. */
const released = recorded('schema.json') as Schema
/** Prepared statements by name. */
const statements = recorded('statements.json') as Record<string, string>

let db: Db
let drop: () => Promise<void>
let compat: Compat
beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
  const read = await readCompat(MIGRATIONS)
  if (!read) throw new Error('There is no compat.json')
  compat = read
})
afterAll(() => drop())

describe('migrations since the last release', () => {
  it('remove or require nothing that its code relies on, except what is declared', async () => {
    const declared = Object.values(compat.steps).flatMap(({ breaks }) => breaks)
    expect(breaksOf(released, await readSchema(db)).toSorted()).toEqual(declared.toSorted())
  })

  it('that remove something follow a release that no longer uses it', async () => {
    for (const [name, { step, since, breaks }] of Object.entries(compat.steps)) {
      await readFile(join(MIGRATIONS, name))
      expect([name, name > (compat.through ?? '')]).toEqual([name, true])
      expect([name, step === 'contract']).toEqual([name, breaks.length > 0])
      expect([name, step === 'contract' && !isAtMost(since ?? '9', compat.released)]).toEqual([name, false])
    }
  })

  it('are rejected if they drop, rename, retype or require something', () => {
    const table = (columns: Record<string, string>, keys = ['(a)']): Schema => ({
      tables: { t: { columns, keys } },
      functions: [],
    })
    const then = { ...table({ a: 'integer not null', b: 'text' }), functions: ['f(text)'] }
    expect(breaksOf(then, { tables: {}, functions: ['f(text)'] })).toEqual(['t is gone'])
    expect(breaksOf(then, table({ a: 'bigint not null', c: 'text' }))).toEqual([
      't.a is bigint, was integer',
      't.b is gone',
      'f(text) is gone',
    ])
    expect(
      breaksOf(then, table({ a: 'integer not null', b: 'text not null', c: 'text not null' }, [])),
    ).toEqual(['t.b must be given', 't.c must be given', 't is not told apart by (a)', 'f(text) is gone'])
    const more = table({ a: 'integer not null', b: 'text', c: 'text not null default' }, ['(a)', '(a, c)'])
    more.tables['u'] = { columns: { x: 'text not null' }, keys: [] }
    expect(breaksOf(then, { ...more, functions: ['f(text)', 'g()'] })).toEqual([])
    expect(breaksOf(then, { ...table({ a: 'integer not null', b: 'text' }, ['(a)', '(b)']), functions: ['f(text)'] })).toEqual(['t is told apart by (b)']) // prettier-ignore
  })
})

describe('a gateway of the last release on this schema', () => {
  it.each(Object.entries(statements))('can run what it prepares as %s', async (_, text) => {
    const client = await db.pool.connect()
    try {
      await client.query('begin; set local plan_cache_mode = force_generic_plan')
      await client.query(`prepare old as ${text}`)
      const { rows } = await client.query<{ count: number }>(
        `select cardinality(parameter_types) as count from pg_prepared_statements where name = 'old'`,
      )
      const nothing = Array.from({ length: rows[0]?.count ?? 0 }, () => 'null').join(', ')
      // Planning resolves the keys that a statement names; preparing does not.
      const plan = await client.query(`explain execute old${nothing && `(${nothing})`}`)
      expect(plan.rows.length).toBeGreaterThan(0)
    } finally {
      client.release(true)
    }
  })

  it('and one of this release never both take one request, and continue commands for each other', async () => {
    const { tenant, homeId, thingName } = await createBuilding(db)
    const tracked: TrackedCommand = {
      tenant,
      thingName,
      command: {
        RequestID: 'once',
        HomeID: homeId,
        PeripheralUID: 'light',
        Values: { Switch: 1 },
        State: 'accepted',
        Reason: null,
        Source: 'person',
        By: null,
        RunID: null,
        RequestedAt: Date.UTC(2026, 0, 5),
        SettledAt: null,
      },
    }
    const { RequestID, PeripheralUID, RequestedAt } = tracked.command
    const moment = tracked.command.RequestedAt
    // With the parameters of the recorded statements.
    const before = {
      insert: (at: number) =>
        db.pool.query(statements['control-insert'] ?? '', [tenant, [RequestID], [PeripheralUID], [homeId], [thingName], ['{"Switch": 1}'],
          ['person'], [null], ['accepted'], [null], ['[]'], [at], [null], [null]]), // prettier-ignore
      advance: (from: string, to: string) =>
        db.pool.query(statements['control-advance'] ?? '', [tenant, [RequestID], [PeripheralUID], [from], [to], [null], ['[]'], [null],
          [moment], moment, moment]), // prettier-ignore
    }
    const now = commandStatements(db)
    const step = (State: 'sent' | 'acknowledged') => ({ State, Reason: null, Timestamp: RequestedAt })

    expect((await before.insert(RequestedAt)).rowCount).toBe(1)
    expect(await now.insert([{ tracked: { ...tracked, command: { ...tracked.command, RequestedAt: RequestedAt + 31 * 86_400_000 } }, history: [] }])).toEqual([false]) // prettier-ignore
    expect((await before.insert(RequestedAt + 1)).rowCount).toBe(0)
    const found = await createCommandStore(db).find(tenant, RequestID, PeripheralUID)
    expect(found?.command).toEqual(tracked.command)
    expect(await now.advance([{ tracked, from: 'accepted', steps: [step('sent')] }])).toEqual([true])
    expect((await before.advance('accepted', 'sent')).rowCount).toBe(0)
    expect((await before.advance('sent', 'acknowledged')).rowCount).toBe(1)
    expect(await now.advance([{ tracked, from: 'sent', steps: [step('acknowledged')] }])).toEqual([false])
    expect(await db.query(sql`select state from commands where tenant = ${tenant}`)).toEqual([
      { state: 'acknowledged' },
    ])
  })
})
