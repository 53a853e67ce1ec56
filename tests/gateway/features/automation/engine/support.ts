import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import type { AutomationRule } from '../../../../../contract/automation/automation.ts'
import type { StoredRule } from '../../../../../gateway/features/automation/rules/rule-rows.ts'
import { type Engine, createEngineMetrics } from '../../../../../gateway/features/automation/engine/engine.ts'
import { createRuleIndex } from '../../../../../gateway/features/automation/engine/rule-index.ts'
import { rescheduleRules } from '../../../../../gateway/features/automation/engine/reschedule.ts'
import type { EnginePorts } from '../../../../../gateway/features/automation/engine/ports.ts'
import type { SunOf } from '../../../../../gateway/features/automation/engine/places.ts'
import type { RunPlan, Runs } from '../../../../../gateway/features/automation/runs/port.ts'
import { createEvents } from '../../../../../gateway/kernel/events.ts'
import type { RuleAlarm, RuleAlarms } from '../../../../../gateway/domain/alarms/rule-alarms.ts'
import { type Clock, systemRandom } from '../../../../../gateway/kernel/ports.ts'
import { syncStateFields } from '../../../../../gateway/features/devices/feature.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { type HeldClock, holdClock } from '../../../../support/clock.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { createTestDb } from '../../../../support/postgres.ts'
import { afterEach, beforeEach } from 'vitest'

export const TENANT = '11111111-1111-4111-8111-111111111111'
export const HOME = 'home-1'
export const OWNER = '22222222-2222-4222-8222-222222222222'
export const HUB = 'hub-1'
const DAY = 86_400_000

/** Sun that rises at 6:00 and sets at 18:00 in Taipei every day. */
export const plainSun: SunOf = () => (day) => ({
  sunrise: day * DAY - 2 * 3_600_000,
  sunset: day * DAY + 10 * 3_600_000,
})

/** Run as stored by the fake runs. */
export interface StoredRun {
  runId: string
  automationId: string
  cause: string
  edgeNo: number | null
  plannedAt: number | null
  state: string
  reason: string | null
  depth: number
  restores: string | null
}

/** Stores runs as the real implementation does, executes nothing, and records those that were begun. */
export function createRecordingRuns(now: () => number): Runs & { begun: string[]; planned: RunPlan[] } {
  const begun: string[] = []
  const planned: RunPlan[] = []
  const runs: ReturnType<typeof createRecordingRuns> = {
    begun,
    planned,
    async plan(tx, run) {
      const rows = await tx.query(sql`
        insert into automation_runs (tenant, run_id, home_id, automation_id, name, cause, owner_id, edge_no, planned_at, depth,
          state, reason, began_at, action_order, conditions)
        values (${run.tenant}, ${run.runId}, ${run.homeId}, ${run.automationId}, ${run.name}, ${run.cause}, ${run.ownerId},
          ${run.edgeNo}, ${run.plannedAt}, ${run.depth}, ${run.notRun?.state ?? 'planned'}, ${run.notRun?.reason ?? null},
          ${now()}, ${run.order}, ${JSON.stringify(run.conditions)}::jsonb)
        on conflict do nothing returning 1`)
      if (rows.length > 0) planned.push(run)
      return rows.length > 0
    },
    async planAll(tx, all) {
      const stored: boolean[] = []
      for (const run of all) stored.push(await runs.plan(tx, run))
      return stored
    },
    prepare: async () => {},
    refuse: async () => {},
    begin: (_, runId) => void begun.push(runId),
  }
  return runs
}

/** Ports without measurements and notifications. */
export const noMeasures: Omit<EnginePorts, 'runs'> = {
  readDemand: async () => ({ Rolling: null, Forecast: null, Share: null }),
  readSums: async () => ({ HourlyKwh: null, DailyKwh: null, MonthlyKwh: null }),
  readPace: async () => null,
  alarms: { raise: async () => {}, change: async () => {}, clear: async () => {} },
  notify: async () => {},
}

/** Engine of one gateway without wiring; its timers are kept as timestamps. */
export function createTestEngine(db: Db, clock: Clock, ports: Partial<EnginePorts> = {}) {
  const runs = createRecordingRuns(clock.now)
  const due: number[] = []
  const engine: Engine = {
    db,
    clock,
    log: createLogBook(),
    random: systemRandom,
    events: createEvents(() => {}),
    ports: { runs, ...noMeasures, ...ports },
    sunOf: plainSun,
    ruleIndex: createRuleIndex(),
    metrics: createEngineMetrics(new Registry()),
    dueAt: (at) => void due.push(at),
  }
  return { engine, runs, due }
}

/** Reschedules a rule, as every caller that changes it does. */
export const replanNow = (
  db: Db,
  clock: Clock,
  automationId: string,
  alarms: Pick<RuleAlarms, 'clear'> = noMeasures.alarms,
): Promise<void> =>
  db.transaction((tx) =>
    rescheduleRules(tx, [{ tenant: TENANT, automationId }], {
      now: clock.now(),
      engine: createTestEngine(db, clock, { alarms: { ...noMeasures.alarms, ...alarms } }).engine,
    }),
  )

/** Database with a company, a home with an online hub, and these devices of type 516 (relay). */
export async function createBuilding(uids: readonly string[] = [], { max = 10 } = {}) {
  const database = await createTestDb({ max })
  const { db } = database
  await syncStateFields(db)
  await db.query(sql`insert into companies (tenant, company_name, created_at) values (${TENANT}, 'c', 0)`)
  await db.query(sql`insert into homes (tenant, home_id, home_name, time_zone, created_at)
    values (${TENANT}, ${HOME}, 'h', 'Asia/Taipei', 0)`)
  await db.query(
    sql`insert into rooms (tenant, home_id, room_id, room_name) values (${TENANT}, ${HOME}, 0, 'r')`,
  )
  await db.query(sql`insert into things (tenant, thing_name, device_name, home_id, secret_hash, online, created_at)
    values (${TENANT}, ${HUB}, 'hub', ${HOME}, '', true, 0)`)
  await db.query(
    sql`insert into users (tenant, cognito_id, email, created_at) values (${TENANT}, ${OWNER}, 'o@x.tw', 0)`,
  )
  await addDevices(db, uids)
  return database
}

/** Fixtures of each test. */
interface Held {
  db: Db
  name: string
  clock: HeldClock
  gateway: ReturnType<typeof createTestEngine>
}

/** Gives each test its own building with these devices, a fixed clock, epoch ms, and an engine. */
export function holdBuilding(start: number, uids: readonly string[], take: (held: Held) => unknown): void {
  let drop: () => Promise<void>
  beforeEach(async () => {
    const database = await createBuilding(uids)
    drop = database.dropDatabase
    const clock = holdClock(start)
    await take({ db: database.db, name: database.name, clock, gateway: createTestEngine(database.db, clock) })
  })
  afterEach(() => drop())
}

export async function addDevices(db: Db, uids: readonly string[], type = '516'): Promise<void> {
  for (const uid of uids)
    await db.query(sql`insert into peripherals
        (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, thing_name, created_at)
      values (${TENANT}, ${uid}, ${type}, ${uid}, ${HOME}, ${HUB}, 0)`)
}

/** Stores a report of a device as the gateway does. */
export const report = (db: Db, uid: string, values: object, timestamp: number): Promise<unknown> =>
  db.query(sql`insert into device_status as s (tenant, peripheral_uid, home_id, peripheral_type, timestamp, values, updated_at)
    select tenant, peripheral_uid, home_id, peripheral_type, ${timestamp}::bigint, ${JSON.stringify(values)}::jsonb, ${timestamp}::bigint
    from peripherals where tenant = ${TENANT} and peripheral_uid = ${uid}
    on conflict (tenant, peripheral_uid) do update set timestamp = excluded.timestamp, values = s.values || excluded.values,
      updated_at = excluded.updated_at where excluded.timestamp >= s.timestamp`)

type Given = Partial<StoredRule> & {
  AutomationType?: number
  Enabled?: boolean
  id?: string
  homeId?: string
}

/** Stores an automation; returns its AutomationID. */
export async function addAutomation(db: Db, given: Given): Promise<string> {
  const {
    AutomationType = given.Conditions ? 3 : 1,
    Enabled = true,
    id = randomUUID(),
    homeId = HOME,
    ...rest
  } = given
  const rule: Partial<AutomationRule> = {
    Actions: [{ PeripheralUID: 'lamp', Values: { Switch1: 1 }, After: 0, IfOffline: 'fail' }],
    Order: 'together',
    EndDuration: 0,
    EndActions: 'restore',
    Catching: 'latest',
    Grace: 900,
    ...rest,
  }
  await db.query(sql`insert into automations
      (tenant, automation_id, home_id, automation_type, automation_name, description, enabled, rule, owner_id, created_at)
    values (${TENANT}, ${id}, ${homeId}, ${AutomationType}, ${id}, '', ${Enabled}, ${JSON.stringify(rule)}::jsonb, ${OWNER}, 0)`)
  return id
}

export const storedRuns = (db: Db): Promise<StoredRun[]> =>
  db.query<StoredRun>(sql`select run_id as "runId", automation_id as "automationId", cause, edge_no as "edgeNo",
      planned_at as "plannedAt", state, reason, depth
    from automation_runs order by coalesce(planned_at, began_at), edge_no, automation_id`)

/** Alarm change as stored by the fake alarms, in the transaction that decided it. */
export interface StoredAlarm {
  automationId: string
  what: 'raise' | 'change' | 'clear'
  kind: RuleAlarm['kind']
  said: Partial<RuleAlarm> & { at: number }
}

/** Stores alarms in a table of its own, at most one open per rule and kind; changes and clears without an open alarm are not stored. */
export async function createRecordingAlarms(db: Db): Promise<RuleAlarms> {
  await db.query(sql`create table if not exists told_alarms (seq bigint generated always as identity, tenant uuid,
    automation_id text, kind text, what text, said jsonb)`)
  type Key = Pick<RuleAlarm, 'tenant' | 'automationId' | 'kind'>
  const keep = (tx: Db, what: StoredAlarm['what'], { tenant, automationId, kind, ...said }: Key) =>
    tx.query(sql`insert into told_alarms (tenant, automation_id, kind, what, said)
      select ${tenant}, ${automationId}, ${kind}, ${what}, ${JSON.stringify(said)}::jsonb
      where ${what} = 'raise' or (select what from told_alarms where automation_id = ${automationId} and kind = ${kind}
        order by seq desc limit 1) in ('raise', 'change')`)
  return {
    raise: async (tx, alarm) => void (await keep(tx, 'raise', alarm)),
    change: async (tx, changed) => void (await keep(tx, 'change', changed)),
    clear: async (tx, cleared) => void (await keep(tx, 'clear', cleared)),
  }
}

export const storedAlarms = (db: Db): Promise<StoredAlarm[]> =>
  db.query<StoredAlarm>(
    sql`select automation_id as "automationId", what, kind, said from told_alarms order by seq`,
  )
