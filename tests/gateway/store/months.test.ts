import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SignedIn } from '../../../gateway/kernel/context.ts'
import { auditHandlers } from '../../../gateway/features/audit/feature.ts'
import { readRunDepth } from '../../../gateway/features/automation/engine/loops.ts'
import { readCommandsOfRuns, commandsSince } from '../../../gateway/features/automation/runs/store.ts'
import { commandStatements } from '../../../gateway/features/control/command-statements.ts'
import { createCommandStore } from '../../../gateway/features/control/command-store.ts'
import type { TrackedCommand } from '../../../gateway/features/control/command.ts'
import { type Db, sql } from '../../../gateway/kernel/db.ts'
import { createPartitions } from '../../../gateway/store/partitions.ts'
import { type Building, createBuilding } from '../../support/building.ts'
import { createLogBook } from '../../support/log-book.ts'
import { monthsRead, recordStatements } from '../../support/months-read.ts'
import { createTestDb } from '../../support/postgres.ts'

const DAY = 86_400_000
/** Each month of half a year has rows; the statements concern the last. */
const MONTHS = Array.from({ length: 6 }, (_, month) => Date.UTC(2026, month, 10))
const LAST = MONTHS.at(-1)!

let db: Db
let drop: () => Promise<void>
let building: Building
beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
  for (const table of ['commands', 'audit_log'] as const)
    await createPartitions(db, createLogBook(), { table, unit: 1 }).prepare(MONTHS, LAST)
})
afterAll(() => drop())

/** Partitions of a table that each statement of some work accessed. */
async function looksInto(table: string, work: (db: Db) => Promise<unknown>): Promise<string[][]> {
  const noting = recordStatements(db)
  await work(noting)
  const about = noting.statements.filter(({ text }) => new RegExp(`\\b${table}\\b`).test(text))
  expect(about).not.toEqual([])
  const read: string[][] = []
  for (const each of about) read.push(await monthsRead(db, table, each))
  return read
}

describe('commands by month', () => {
  const trackedOf = (
    RequestID: string,
    RequestedAt: number,
    RunID: string | null = null,
  ): TrackedCommand => ({
    tenant: building.tenant,
    thingName: building.thingName,
    command: {
      RequestID,
      HomeID: building.homeId,
      PeripheralUID: 'light',
      Values: { Switch: 1 },
      State: 'accepted',
      Reason: null,
      Source: 'person',
      By: null,
      RunID,
      RequestedAt,
      SettledAt: null,
    },
  })
  const insert = (tracked: TrackedCommand) => commandStatements(db).insert([{ tracked, history: [] }])

  beforeEach(async () => {
    building = await createBuilding(db)
    for (const [month, at] of MONTHS.entries()) await insert(trackedOf(`r-${month}`, at))
  })

  it('are unique by request across months, whoever inserts them', async () => {
    expect(await insert(trackedOf('r-5', LAST + 1))).toEqual([false])
    expect(await insert(trackedOf('r-0', LAST))).toEqual([false])
    const { tenant, homeId } = building
    const again =
      await db.query(sql`insert into commands (tenant, request_id, peripheral_uid, home_id, thing_name, values,
        source, state, history, requested_at)
      values (${tenant}, 'r-3', 'light', ${homeId}, 't', '{}', 'person', 'accepted', '[]', ${LAST}) returning 1 as one`)
    expect(again).toEqual([])
    expect(await insert({ ...trackedOf('r-5', LAST), tenant, command: { ...trackedOf('r-5', LAST).command, PeripheralUID: 'other' } })).toEqual([true]) // prettier-ignore
  })

  it('are looked up by request only in its month', async () => {
    const read = await looksInto('commands', async (noting) => {
      const store = createCommandStore(noting)
      expect(await store.find(building.tenant, 'r-5', 'light')).toMatchObject({
        command: { RequestedAt: LAST },
      })
      const tracked = trackedOf('r-5', LAST)
      const step = { State: 'sent', Reason: null, Timestamp: LAST } as const
      const { tenant, thingName, command } = tracked
      const claim = { ...command, tenant, thingName, withinMs: 600_000, step }
      expect(await store.claim(claim)).toMatchObject({ command: { RequestID: 'r-5', State: 'sent' } })
      const next = { State: 'acknowledged', Reason: null, Timestamp: LAST } as const
      expect(await store.advance({ tracked, from: 'sent', steps: [next] })).toBe(true)
    })
    expect(read).toEqual([['commands_2026_06'], ['commands_2026_06'], ['commands_2026_06']])
    const [moved] = await db.query(
      sql`select state from commands where tenant = ${building.tenant} and request_id = 'r-5'`,
    )
    expect(moved).toEqual({ state: 'acknowledged' })
  })

  it('of a run are looked up from its start on', async () => {
    const { tenant, homeId } = building
    await db.query(sql`insert into automation_runs (tenant, run_id, home_id, cause, state, began_at, action_order)
      values (${tenant}, 'run', ${homeId}, 'scene', 'running', ${LAST}, 'parallel')`)
    await insert(trackedOf('of the run', LAST, 'run'))
    const read = await looksInto('commands', async (noting) => {
      expect((await readCommandsOfRuns(noting, tenant, ['run'])).get('run')?.size).toBe(1)
      expect(await commandsSince(noting, { tenant, uid: 'light', since: LAST - DAY, runId: 'run' })).toEqual([
        { values: { Switch: 1 } },
      ])
      expect(await readRunDepth(noting, { tenant, uid: 'light', field: 'Switch', value: 1, at: LAST })).toBe(
        1,
      )
    })
    expect(read).toHaveLength(3)
    for (const months of read) {
      expect(months).toContain('commands_2026_06')
      expect(months.filter((name) => name < 'commands_2026_06')).toEqual([])
    }
  })
})

describe('the audit by month', () => {
  /** One page of the log for its company. */
  const page = (of: Db, asked: { From?: number; Cursor?: string }) =>
    auditHandlers.listAuditLog({ Search: '', Limit: 4, ...asked }, {
      db: of,
      actor: { tenant: building.tenant },
    } as SignedIn)

  beforeAll(async () => {
    building = await createBuilding(db)
    // Two rows in each last millisecond of a month and in the first of the next.
    for (const at of [
      Date.UTC(2026, 3, 1) - 1,
      Date.UTC(2026, 3, 1),
      Date.UTC(2026, 5, 1) - 1,
      Date.UTC(2026, 5, 1),
    ])
      await db.query(sql`insert into audit_log (tenant, at, by_name, ip, request_id, path, input)
        select ${building.tenant}::uuid, ${at}::bigint, 'n', 'i', 'r', '/p' || n, '{}' from generate_series(1, 2) n`)
  })

  it('is listed in order across months, page by page', async () => {
    const first = await page(db, {})
    const second = await page(db, { Cursor: first.NextCursor ?? '' })
    expect([first.Total, second.NextCursor]).toEqual([8, null])
    const listed = [...first.Rows, ...second.Rows]
    expect(listed.map(({ Path }) => Path)).toEqual(['/p2', '/p1', '/p2', '/p1', '/p2', '/p1', '/p2', '/p1'])
    expect(listed.map(({ At }) => At)).toEqual(listed.map(({ At }) => At).toSorted((a, b) => b - a))
  })

  it('is queried only in the requested months', async () => {
    const read = await looksInto('audit_log', async (noting) => {
      expect((await page(noting, { From: Date.UTC(2026, 5, 1) })).Rows).toHaveLength(2)
    })
    for (const months of read) {
      expect(months).toContain('audit_log_2026_06')
      expect(months.filter((name) => name < 'audit_log_2026_06')).toEqual([])
    }
  })
})
