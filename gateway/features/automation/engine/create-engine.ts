import type { Deps } from '../../deps.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { rescheduleBookings, type PlacedTime, extendBookingSchedule } from './booking-timers.ts'
import { createDueClock, TICK_MS } from './clock.ts'
import { decideRule, computeMeasures, readHourlyConsumption } from './decide-rule.ts'
import { type Engine, createEngineMetrics } from './engine.ts'
import {
  candidatesOfChanges,
  candidatesOfReports,
  createRuleIndex,
  loadAllRules,
  loadRules,
  rulesOf,
} from './rule-index.ts'
import type { SunOf } from './places.ts'
import type { EnginePorts } from './ports.ts'
import { emitRuleChanges } from './plan-run.ts'
import { CHANGED, rescheduleRules, rescheduleHomes } from './reschedule.ts'
import type { RuleKey } from '../rules/rule-rows.ts'
import { reconcileRules } from './reconcile.ts'
import { createRuleQueue } from './rule-queue.ts'
import { runDueTimers } from './run-due-timers.ts'
import { runSchedules } from './schedules.ts'
import { rulesDue } from './timers.ts'

/**
 * Number of rules with due timers that are evaluated together, and maximum number of such batches; failed ones stay due until the next
 * poll.
 */
const BATCH = 500
const MAX_BATCHES = 20

/**
 * Runs everything that is due: schedules, switch-off timers, bookings, and rules with due timers.
 *
 * decide  evaluates rules and resolves when they are done
 */
export async function runDue(
  engine: Engine,
  now: number,
  decide: (keys: readonly RuleKey[]) => Promise<void>,
): Promise<void> {
  while (await runSchedules(engine, now));
  while (await runDueTimers(engine, now));
  for (let remainingBatches = MAX_BATCHES; remainingBatches > 0; remainingBatches--) {
    const rules = await rulesDue(engine.db, now, BATCH)
    if (rules.length > 0) await decide(rules)
    if (rules.length < BATCH) return
  }
}

/** Each rule is checked by one of the gateways within this time, ms, independently of notifications. */
const RECONCILE_INTERVAL_MS = 60_000
const HOUR = 3_600_000

/**
 * Engine that executes schedules and smart links. Each gateway of a database has one: the database decides which of them runs what, and a
 * gateway may stop at any time.
 */
export function createEngine(deps: Deps, ports: EnginePorts, sunOf: SunOf) {
  const { db, clock, log } = deps
  const engine: Engine = {
    ...deps,
    ports,
    sunOf,
    ruleIndex: createRuleIndex(),
    metrics: createEngineMetrics(deps.metrics),
    dueAt: (at) => due.dueAt(at),
  }
  const work = createRuleQueue(engine, async (key) => {
    await decideRule(
      engine,
      key,
      await computeMeasures(engine, key),
      await readHourlyConsumption(engine, key),
    )
  })
  const due = createDueClock(engine, (now) =>
    runDue(engine, now, async (keys) => {
      work.add(keys)
      await work.idle()
    }),
  )
  const candidates = (keys: Iterable<RuleKey>) => {
    const found = [...keys]
    if (found.length === 0) return
    engine.metrics.candidates.inc(found.length)
    work.add(found)
  }

  const tasks = new Set<Promise<void>>()
  /** Runs work that no caller awaits; `close` waits for it. */
  const inBackground = (task: Promise<void>, text: string) => {
    const done = task.catch((err: unknown) => log.warn({ err }, text)).finally(() => tasks.delete(done))
    tasks.add(done)
  }
  const state: State = {
    engine,
    queue: work,
    dueClock: due,
    enqueue: candidates,
    inBackground,
    hasStartedLoading: false,
  }
  const off = subscribe(state)
  return {
    /** Called in the transaction that created, changed, switched or deleted rules. */
    replan: (tx: Db, keys: readonly RuleKey[]) => rescheduleRules(tx, keys, { now: clock.now(), engine }),
    /** Called in the transaction that added, moved, released or cancelled bookings of a company. */
    async followBookings(
      tx: Db,
      tenant: string,
      bookings: { before: readonly PlacedTime[]; after: readonly PlacedTime[] },
    ): Promise<void> {
      const first = await rescheduleBookings(tx, tenant, bookings, clock.now())
      if (first !== undefined) engine.dueAt(first)
    },
    /** Loads the rules, arms new ones, and catches up on missed work. */
    async recover(): Promise<void> {
      state.hasStartedLoading = true
      const loaded = await loadAllRules(engine.ruleIndex, db)
      await extendBookingSchedule(db, clock.now())
      await due.tick()
      state.enqueue(loaded)
      inBackground(reconcileAll(state, true), 'Automations are looked at later')
    },
    jobs: [
      { name: 'automations that become due', intervalMs: TICK_MS, run: () => due.tick() },
      {
        name: 'automations that nobody was told of',
        intervalMs: RECONCILE_INTERVAL_MS,
        run: () => reconcileAll(state, false),
      },
      {
        name: 'conditions on sums and on demand',
        intervalMs: TICK_MS,
        run: async () => work.add(rulesOnMeasures(engine)),
      },
      {
        name: 'automations as they are stored',
        intervalMs: HOUR,
        async run() {
          await reloadAllRules(state)
          await rescheduleAll(engine)
          await extendBookingSchedule(db, clock.now())
        },
      },
    ],
    /** Whether any rule refers to a device. */
    watches: (uid: string, tenant: string) => [...rulesOf(engine.ruleIndex, tenant, uid)].length > 0,
    /** Resolves when no work is in progress. */
    async idle(): Promise<void> {
      await Promise.all(tasks)
      await due.idle()
      await work.idle()
    },
    async close(): Promise<void> {
      for (const stop of off) stop()
      await due.close()
      await Promise.all(tasks)
      await work.close()
    },
  }
}

interface State {
  engine: Engine
  queue: ReturnType<typeof createRuleQueue>
  dueClock: ReturnType<typeof createDueClock>
  enqueue(keys: Iterable<RuleKey>): void
  inBackground(task: Promise<void>, text: string): void
  /** Whether loading of the rules has started: earlier changes need no reload. */
  hasStartedLoading: boolean
}

/** Subscribes to the events that may affect rules; returns functions to unsubscribe. */
function subscribe(state: State): (() => void)[] {
  const { engine, enqueue, inBackground } = state
  const { events, ruleIndex, db } = engine
  let closed = false
  const unlessClosed = (start: () => Promise<void>) => {
    if (!closed) inBackground(start(), 'Changed automations are read later')
  }
  db.listen(CHANGED, {
    onPayload: (payload) => unlessClosed(() => reloadRule(state, payload)),
    onMissed: () => state.hasStartedLoading && unlessClosed(() => reloadAllRules(state)),
  })
  return [
    () => void (closed = true),
    events.on('statusChanged', (changed) => {
      if (changed.changedUIDs.length > 0) enqueue(candidatesOfChanges(ruleIndex, changed))
    }),
    events.on('statusReported', (reports) => {
      if (ruleIndex.watches.size > 0) enqueue(candidatesOfReports(ruleIndex, reports, engine.clock.now()))
    }),
    events.on('hubOnline', async ({ tenant, thingName }) => {
      if (ruleIndex.rules.size === 0) return
      const devices = await db.query<{ uid: string }>(sql`
        select peripheral_uid as uid from peripherals where tenant = ${tenant} and thing_name = ${thingName}`)
      enqueue(devices.flatMap(({ uid }) => [...rulesOf(ruleIndex, tenant, uid)]))
    }),
    events.on('dataChange', ({ tenant, name, record }) => {
      if (name === 'home.update')
        unlessClosed(() => rescheduleAndEmit(state, { tenant, homeIds: [record.HomeID] }))
      // The calendar of a company belongs to its tariffs.
      if (name === 'pricing.update' && record.HomeID === null)
        unlessClosed(() => rescheduleAndEmit(state, { tenant, homeIds: 'all' }))
    }),
  ]
}

/** Reloads a rule that this or another gateway changed. */
async function reloadRule({ engine, enqueue, dueClock }: State, payload: string): Promise<void> {
  const [tenant = '', automationId = ''] = payload.split('/')
  enqueue(await loadRules(engine.ruleIndex, engine.db, [{ tenant, automationId }]))
  await dueClock.tick()
}

/** Reloads all rules, after notifications may have been lost. */
async function reloadAllRules({ engine, enqueue, dueClock }: State): Promise<void> {
  enqueue(await loadAllRules(engine.ruleIndex, engine.db))
  await dueClock.tick()
}

/** Rules with conditions that have not been evaluated since they were created or changed. */
const readUnarmedRules = (db: Db): Promise<RuleKey[]> =>
  db.query<RuleKey>(sql`
    select a.tenant, a.automation_id as "automationId" from automations a
    left join automation_states s on s.tenant = a.tenant and s.automation_id = a.automation_id
    where a.rule ? 'Conditions' and a.enabled and s.version is distinct from a.version`)

/** Checks all states that are due for it; with `all` also those that were checked recently. */
async function reconcileAll({ engine, enqueue }: State, all: boolean): Promise<void> {
  const { db, ruleIndex, clock } = engine
  if (ruleIndex.rules.size === 0) return
  const before = all ? clock.now() : clock.now() - RECONCILE_INTERVAL_MS * 0.9
  for (;;) {
    const { candidates: found, seen } = await reconcileRules(db, ruleIndex, { before, now: clock.now() })
    enqueue(found)
    if (seen === 0) break
  }
  enqueue(await readUnarmedRules(db))
}

async function rescheduleAndEmit(
  { engine, dueClock }: State,
  { tenant, homeIds }: { tenant: string; homeIds: readonly string[] | 'all' },
): Promise<void> {
  const { db, clock } = engine
  const rescheduled = await db.transaction((tx) =>
    rescheduleHomes(tx, { tenant, homeIds }, { now: clock.now(), engine }),
  )
  emitRuleChanges(engine, rescheduled)
  await dueClock.tick()
}

/** Replans all schedules: zones, zone rules and days without sun may change without an event. */
async function rescheduleAll({ db, clock, ...engine }: Engine): Promise<void> {
  const tenants = await db.query<{ tenant: string }>(sql`select distinct tenant from automations`)
  for (const { tenant } of tenants)
    await db.transaction((tx) =>
      rescheduleHomes(tx, { tenant, homeIds: 'all' }, { now: clock.now(), engine }),
    )
}

/** Rules with conditions on measures that other features compute. */
const rulesOnMeasures = ({ ruleIndex }: Engine): RuleKey[] =>
  [...ruleIndex.rules.values()].filter(({ watched }) => watched.some(({ source }) => source === 'measure'))
