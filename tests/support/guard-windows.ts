import { guard } from '../../gateway/features/contract-guard/feature.ts'
import type { GuardPorts } from '../../gateway/features/contract-guard/ports.ts'
import type { GuardRun } from '../../gateway/domain/automation/guard-run.ts'
import type { NotificationEvent } from '../../gateway/domain/notifications/notification-transport.ts'
import { type Db, sql } from '../../gateway/kernel/db.ts'
import { holdClock } from './clock.ts'
import { createIdleDeps } from './idle-deps.ts'

const MINUTE = 60_000
const QUARTER = 15 * MINUTE
const CHECK_INTERVAL_MS = 5_000
/** Contract capacity of each home, kW. */
const TARGET = 100
/** Start of a quarter of an hour, epoch ms. */
const START = Date.UTC(2026, 6, 6, 6)
const END = START + QUARTER
const CROSSES = END - MINUTE

/** Home in a quarter of an hour: its power until a minute before the end, the additional power after that, and the sheddable loads; kW. */
interface Window {
  homeId: string
  before: number
  addedKw: number
  loads: { uid: string; kw: number; offAt: number | null }[]
  /** Whether a main meter does not report. */
  isPartial: boolean
}

/** Results of simulated windows. */
export interface SimulatedWindows {
  heldCount: number
  /** Number of homes that were warned before the end that the target cannot be held. */
  warnedCount: number
  /** Homes whose target was exceeded without a warning. */
  broken: string[]
  /** Number of load sheds, those on partial data, and those not confirmed before the end. */
  sheds: number
  shedsOnPartialData: number
  lateCount: number
}

/** Windows that are equal for the same seed. */
function makeWindows(count: number, seed: number): Window[] {
  let state = seed
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
  return Array.from({ length: count }, (_, i): Window => {
    const before = 80 + random() * 16
    const maxKw = before / (1 + Math.floor(random() * 3))
    const loads = Array.from({ length: Math.round(before / maxKw) }, (_load, n) => ({
      uid: `window-${i}-${n}`,
      kw: maxKw * (0.05 + 0.95 * random()),
      offAt: null,
    }))
    return { homeId: `window-${i}`, before, addedKw: random() * 250, loads, isPartial: random() < 0.2 }
  })
}

/** Demand of the quarter, kW. */
const demandOf = ({ before, addedKw, loads }: Window): number =>
  before +
  (addedKw * MINUTE - loads.reduce((sum, { kw, offAt }) => sum + kw * (END - (offAt ?? END)), 0)) / QUARTER

/** Stores the homes, with a rule and relays for each. */
async function store(db: Db, tenant: string, windows: readonly Window[]): Promise<void> {
  const rows = (of: object[]) => JSON.stringify(of)
  const homes = windows.map(({ homeId, loads }) => ({
    homeId,
    rule: {
      Alarm: {
        Severity: 'warning',
        Shed: {
          Loads: loads.map(({ uid, kw }) => ({ PeripheralUID: uid, Values: { Switch1: 0 }, Kw: kw })),
        },
      },
    },
  }))
  const devices = windows.flatMap(({ homeId, loads }) => loads.map(({ uid }) => ({ homeId, uid })))
  await db.query(sql`insert into homes (tenant, home_id, home_name, time_zone, created_at)
    select ${tenant}::uuid, h."homeId", h."homeId", 'Asia/Taipei', 0 from jsonb_to_recordset(${rows(homes)}::jsonb) as h ("homeId" text)`)
  await db.query(sql`insert into automations
      (tenant, automation_id, home_id, automation_type, automation_name, description, enabled, rule, created_at)
    select ${tenant}::uuid, h."homeId", h."homeId", 4, h."homeId", '', true, h.rule, 0
    from jsonb_to_recordset(${rows(homes)}::jsonb) as h ("homeId" text, rule jsonb)`)
  await db.query(sql`insert into rooms (tenant, home_id, room_id, room_name)
    select ${tenant}::uuid, h."homeId", 0, 'r' from jsonb_to_recordset(${rows(homes)}::jsonb) as h ("homeId" text)`)
  await db.query(sql`insert into things (tenant, thing_name, device_name, home_id, secret_hash, online, created_at)
    select ${tenant}::uuid, 'hub-' || h."homeId", 'hub', h."homeId", '', true, 0
    from jsonb_to_recordset(${rows(homes)}::jsonb) as h ("homeId" text)`)
  await db.query(sql`insert into peripherals
      (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, thing_name, created_at)
    select ${tenant}::uuid, d.uid, '516', d.uid, d."homeId", 'hub-' || d."homeId", 0
    from jsonb_to_recordset(${rows(devices)}::jsonb) as d ("homeId" text, uid text)`)
  await db.query(sql`insert into device_status (tenant, peripheral_uid, home_id, peripheral_type, timestamp, values, updated_at)
    select ${tenant}::uuid, d.uid, d."homeId", '516', ${START}::bigint, '{"Switch1": 1}', ${START}::bigint
    from jsonb_to_recordset(${rows(devices)}::jsonb) as d ("homeId" text, uid text)`)
}

/** Database that lets a test wait until no statement is running. */
function trackStatements(db: Db) {
  let runningCount = 0
  const count = async <T>(work: Promise<T>): Promise<T> => {
    runningCount += 1
    try {
      return await work
    } finally {
      runningCount -= 1
    }
  }
  const all: Db = {
    ...db,
    query: (query) => count(db.query(query)),
    transaction: (work) => count(db.transaction(work)),
    listen: () => {},
  }
  /** Resolves when no statement has run for some turns of the event loop: work that follows a response has begun by then. */
  const idle = async () => {
    for (let idleTurns = 0; idleTurns < 5; idleTurns = runningCount === 0 ? idleTurns + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve))
  }
  return { db: all, idle }
}

/**
 * Runs a gateway's guards of homes over the last two minutes of a quarter of an hour, with a fake clock and at the gateway's own pace: it
 * evaluates every five seconds and when a meter reports, and each guard at most once in four seconds. Meters report each minute, the last
 * time 60 s before the end, which is when the limit is exceeded. Loads switch off immediately.
 *
 * db  with a company `tenant`; homes are added
 */
export async function liveWindows(
  testDb: Db,
  { tenant, count, seed = 1 }: { tenant: string; count: number; seed?: number },
): Promise<SimulatedWindows> {
  const { db, idle } = trackStatements(testDb)
  const windows = makeWindows(count, seed)
  await store(db, tenant, windows)
  const byHome = new Map(windows.map((window) => [window.homeId, window]))
  const clock = holdClock(CROSSES - MINUTE)
  const runs = new Map<string, GuardRun>()
  const notifications: NotificationEvent[] = []
  const windowOf = (homeId: string) => byHome.get(homeId) as Window

  async function executeRun(runId: string): Promise<void> {
    const { homeId, action } = runs.get(runId) as GuardRun
    const load = windowOf(homeId).loads.find(({ uid }) => uid === action?.PeripheralUID)
    const at = clock.now()
    if (load) load.offAt = at
    await db.query(sql`update device_status set values = '{"Switch1": 0}', timestamp = ${at}::bigint
      where tenant = ${tenant} and peripheral_uid = ${load?.uid ?? ''}`)
    await db.query(
      sql`update automation_runs set state = 'done', ended_at = ${at}::bigint where run_id = ${runId}`,
    )
  }
  const ports: GuardPorts = {
    notify: async (_, notices) => void notifications.push(...notices),
    runs: {
      async plan(tx, run) {
        await tx.query(sql`insert into automation_runs
            (tenant, run_id, home_id, automation_id, cause, state, began_at, action_order)
          values (${tenant}, ${run.runId}, ${run.homeId}, ${run.automationId}, ${run.cause}, 'planned', ${clock.now()}::bigint, 'together')`)
        runs.set(run.runId, run)
        return true
      },
      begin: (_, runId) => void executeRun(runId),
    },
    async readDemand(_, homeId) {
      const { before, addedKw, isPartial } = windowOf(homeId)
      const asOf = clock.now() < CROSSES ? CROSSES - MINUTE : CROSSES
      // Power up to the last report, extrapolated to the rest.
      const forecast = asOf < CROSSES ? before : before + (addedKw * MINUTE) / QUARTER
      return { forecast: isPartial ? null : forecast, asOf, slowest: 60, meters: [`main-${homeId}`] }
    },
    readAllowed: async () => ({ Limit: TARGET, billed: null }),
    readAvoided: async () => [],
  }
  const deps = { ...createIdleDeps(), db, clock }
  const { jobs, close } = guard(deps, ports)
  for (; clock.now() < END; clock.advance(CHECK_INTERVAL_MS)) {
    if (clock.now() % MINUTE === 0)
      for (const { homeId } of windows)
        deps.events.emit('statusChanged', {
          tenant,
          homeId,
          uids: [`main-${homeId}`],
          statuses: [],
          changedUIDs: [],
        })
    await (jobs[0] as { run(stopped: () => boolean): Promise<unknown> }).run(() => false)
    await idle()
  }
  await close()
  const sheddings = await db.query<{ homeId: string; confirmedAt: number | null }>(sql`
    select home_id as "homeId", confirmed_at as "confirmedAt" from sheddings where tenant = ${tenant} and home_id like 'window-%'`)
  const warnedHomes = new Set(
    notifications.flatMap(({ kind, homeId, at }) => (kind === 'guardCannotHold' && at < END ? [homeId] : [])),
  )
  const guarded = windows.filter(({ isPartial }) => !isPartial)
  const isHeld = (window: Window) => demandOf(window) <= TARGET + 1e-6
  return {
    heldCount: guarded.filter(isHeld).length,
    warnedCount: guarded.filter(({ homeId }) => warnedHomes.has(homeId)).length,
    broken: guarded
      .filter((entry) => !isHeld(entry) && !warnedHomes.has(entry.homeId))
      .map(({ homeId }) => homeId),
    sheds: sheddings.length,
    shedsOnPartialData: sheddings.filter(({ homeId }) => windowOf(homeId).isPartial).length,
    lateCount: sheddings.filter(({ confirmedAt }) => confirmedAt === null || confirmedAt >= END).length,
  }
}
