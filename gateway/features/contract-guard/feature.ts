import type { Deps } from '../deps.ts'
import type { Feature, Job } from '../../kernel/feature.ts'
import { SHED_DEFAULTS } from '../../../contract/automation/alarm-part.ts'
import { groupBy } from '../../lib/group-by.ts'
import { createThrottle } from '../../lib/throttle.ts'
import { createRetentionJob, deleteOlderThan, BATCH } from '../../store/retention.ts'
import { sql, type Db } from '../../kernel/db.ts'
import { decideGuard } from './decide-guard.ts'
import {
  createDueGuards,
  type GuardKey,
  type GuardRule,
  lockOrphanedSheddings,
  type OpenShedding,
  readGuards,
} from './guards.ts'
import { readRestored } from './loads.ts'
import type { GuardPorts } from './ports.ts'
import { restoreNext, type GuardWork, closeFinishedRuns, avoidedEnergyOf } from './write-sheddings.ts'
import type { Guard, sheddings, Shedding } from '../../../contract/automation/shedding-calls.ts'
import type { Handler, SignedIn } from '../../kernel/context.ts'
import { findHome } from '../../domain/homes/find-home.ts'
import { may } from '../../../contract/kernel/permissions.ts'
import { QUARTER_MS } from '../../../contract/time/periods.ts'
import { paginate } from '../../store/page.ts'

const COLUMNS = sql`s.shedding_id as "SheddingID", s.home_id as "HomeID", s.automation_id as "AutomationID",
  coalesce(a.automation_name, s.automation_name) as "AutomationName", s.peripheral_uid as "PeripheralUID",
  s.group_id as "GroupID", s.state as "State", s.kw as "Kw", s.shed_at as "ShedAt", s.confirmed_at as "ConfirmedAt",
  s.given_back_at as "GivenBackAt", s.run_id as "RunID", s.given_back_run_id as "GivenBackRunID", s.forecast as "Forecast",
  s.target as "Target"`

/** Loads that the guards of a home have shed. */
const listShedding: Handler<typeof sheddings.listShedding> = async (
  { HomeID, AutomationID, Open, Cursor, Limit },
  { db, actor }: SignedIn,
) => {
  const { tenant } = actor
  await findHome(db, tenant, HomeID)
  const page = paginate({
    by: sql`s.shed_at`,
    cast: 'bigint',
    id: sql`s.shedding_id::text`,
    isDescending: true,
    Cursor,
    Limit,
  })
  const where = sql`s.tenant = ${tenant} and s.home_id = ${HomeID}
      and ${AutomationID === undefined ? sql`true` : sql`s.automation_id = ${AutomationID}`}
      and ${Open ? sql`s.given_back_at is null` : sql`true`}`
  const found = await db.query<Shedding & { placeBy: number; placeId: string }>(sql`
      select ${COLUMNS}, ${page.place} from sheddings s
      left join automations a on a.tenant = s.tenant and a.automation_id = s.automation_id
      where ${where} and ${page.after} ${page.order}`)
  const [count] = await db.query<{ total: number }>(
    sql`select count(*) as total from sheddings s where ${where}`,
  )
  return { ...page.toPage<Shedding>(found), Total: count?.total ?? 0 }
}

/** PostgreSQL channel that announces, on commit, the company whose tariffs, contracts or off-peak days changed. */
const PRICING_CHANGED = 'pricing_changed'

type ReadAllowed = GuardPorts['readAllowed']

/**
 * Caches the contract's limits until the end of the quarter of an hour: neither the band nor the billed peak can change before, unless a
 * tariff changes on any gateway.
 */
export function createContractCapacityCache(db: Pick<Db, 'listen'>, allowedAt: ReadAllowed): ReadAllowed {
  const cache = new Map<string, { tenant: string; quarter: number; limits: ReturnType<ReadAllowed> }>()
  db.listen(PRICING_CHANGED, {
    onPayload(changedTenant) {
      for (const [key, { tenant }] of cache) if (tenant === changedTenant) cache.delete(key)
    },
    onMissed: () => cache.clear(),
  })
  return (tenant, homeId, at, withBilled) => {
    const key = `${tenant}/${homeId}/${withBilled}`
    const quarter = Math.floor(at / QUARTER_MS)
    const found = cache.get(key)
    if (found?.quarter === quarter) return found.limits
    const limits = allowedAt(tenant, homeId, at, withBilled)
    const entry = { tenant, quarter, limits }
    cache.set(key, entry)
    limits.catch(() => {
      if (cache.get(key) === entry) cache.delete(key)
    })
    return limits
  }
}

/** Time span of the computation of avoided peaks, ms: two billing periods of two months. */
const LOOKBACK_MS = 124 * 86_400_000

/** Peaks that the contract guards of a home have avoided; reads all of its energy of that span. */
const getAvoidedPeaks =
  ({ readAvoided }: Pick<GuardPorts, 'readAvoided'>): Handler<typeof sheddings.getAvoidedPeaks> =>
  async ({ HomeID }, { db, actor, clock }) => {
    const { tenant } = actor
    await findHome(db, tenant, HomeID)
    const peaks = await readAvoided(tenant, HomeID, await readSavedEnergy(db, tenant, HomeID, clock.now()))
    const mayReadCost = may(actor, 'electricity', 'Read', HomeID)
    return { Avoided: mayReadCost ? peaks : peaks.map((peak) => ({ ...peak, Cost: null })) }
  }

/** Energy that confirmed sheddings saved, kWh by the first ms of each quarter of an hour. */
async function readSavedEnergy(
  db: Db,
  tenant: string,
  homeId: string,
  now: number,
): Promise<Map<number, number>> {
  const periods = await db.query<{ kw: number | null; from: number; to: number }>(sql`
    select kw, confirmed_at as "from", coalesce(given_back_at, ${now}::bigint) as "to" from sheddings
    where tenant = ${tenant} and home_id = ${homeId} and confirmed_at is not null and shed_at > ${now - LOOKBACK_MS}::bigint`)
  return avoidedEnergyOf(periods)
}

const getGuards: Handler<typeof sheddings.getGuards> = async ({ HomeID }, { db, actor }) => {
  const { tenant } = actor
  await findHome(db, tenant, HomeID)
  const Guards = await db.query<Guard>(sql`
    select g.automation_id as "AutomationID", a.automation_name as "AutomationName", g.state as "State",
      g.forecast as "Forecast", g.target as "Target", g.at as "At"
    from guard_states g join automations a on a.tenant = g.tenant and a.automation_id = g.automation_id
    where g.tenant = ${tenant} and g.home_id = ${HomeID} order by lower(a.automation_name)`)
  return { Guards }
}

/** Interval of checks for due guards, and minimum interval between two decisions of one, ms. */
const POLL_INTERVAL_MS = 5_000
/** Number of guards that are decided concurrently; each uses a connection. */
const MAX_CONCURRENT = 4

/** Keeps a home's demand below its limit: sheds loads in order, and restores them. */
export function guard(deps: Deps, dependencies: GuardPorts) {
  const { db, clock, random, events, log } = deps
  const ports = { ...dependencies, allowedAt: createContractCapacityCache(db, dependencies.readAllowed) }
  const schedule = createDueGuards()
  const running = new Set<Promise<void>>()

  async function decideAndPublish(rule: GuardRule): Promise<void> {
    schedule.onDecisionStarted(rule)
    const decided = await decideGuard({ db, clock, random, ports }, rule)
    schedule.onDecided(rule, decided, clock.now())
    if (decided.hasChanged) emitChange(rule)
  }
  const runLogged = (rule: GuardKey, task: () => Promise<void>): Promise<void> => {
    const execution = task()
      .catch((err: unknown) => {
        schedule.forget(rule)
        log.warn({ err, automationId: rule.automationId }, 'contract guard decision failed, will retry')
      })
      .finally(() => running.delete(execution))
    running.add(execution)
    return execution
  }
  const emitChange = ({ tenant, homeId }: Pick<GuardRule, 'tenant' | 'homeId'>) =>
    events.emit('dataChange', { tenant, name: 'shedding.update', record: { HomeID: homeId }, by: null })

  /** Decides guards after a report of a main meter, by `tenant/AutomationID`; reads the rule again, as it may have changed. */
  const throttle = createThrottle<string>(
    clock,
    () => POLL_INTERVAL_MS,
    (key) => {
      const [tenant = '', automationId = ''] = key.split('/')
      return runLogged({ tenant, automationId }, async () => {
        const [rule] = await readGuards(db, clock.now(), { tenant, automationId })
        if (rule) await decideAndPublish(rule)
      })
    },
  )
  events.on('statusChanged', (reported) => {
    for (const { tenant, automationId } of schedule.onReport(reported))
      throttle.request(`${tenant}/${automationId}`)
  })

  const job: Job = {
    name: 'guards',
    intervalMs: POLL_INTERVAL_MS,
    async run(stopped) {
      const rules = await readGuards(db, clock.now())
      schedule.retainOnly(rules)
      const found = rules.filter((rule) => schedule.isDue(rule, clock.now()))
      for (let i = 0; i < found.length && !stopped(); i += MAX_CONCURRENT)
        await Promise.all(
          found.slice(i, i + MAX_CONCURRENT).map((rule) => runLogged(rule, () => decideAndPublish(rule))),
        )
      for (const home of await restoreOrphans({ db, clock, random, ports })) emitChange(home)
    },
  }
  return {
    handlers: { sheddings: { listShedding, getGuards, getAvoidedPeaks: getAvoidedPeaks(ports) } },
    jobs: [job, createRetentionJob('sheddings', deps, expiringSheddings(deps))],
    async close() {
      throttle.close()
      await Promise.all(running)
    },
  } satisfies Feature
}

/** Restores loads of rules that are no longer guards, one after another; each shedding on one gateway at a time. */
async function restoreOrphans({
  db,
  clock,
  random,
  ports,
}: Pick<Deps, 'db' | 'clock' | 'random'> & { ports: GuardPorts }) {
  const startedRuns: GuardWork['begun'] = []
  const homes = await db.transaction(async (tx) => {
    const orphans = await lockOrphanedSheddings(tx)
    const work: GuardWork = { tx, now: clock.now(), random, runs: ports.runs, begun: startedRuns }
    for (const some of groupBy(orphans, ({ tenant, automationId }) => `${tenant}/${automationId}`).values()) {
      const { tenant, automationId } = some[0] as OpenShedding
      const { open } = await closeFinishedRuns(tx, some)
      const restoredAtBySubject = await readRestored(tx, tenant, automationId)
      // The pace was part of the deleted rule, so defaults apply.
      await restoreNext(
        work,
        open.filter((one) => one.givenBackRunId === null),
        { ...SHED_DEFAULTS, givenBackAt: Math.max(0, ...restoredAtBySubject.values()) },
      )
    }
    return orphans
  })
  for (const { tenant, runId } of startedRuns) ports.runs.begin(tenant, runId)
  return homes
}

/** Sheddings expire with the runs that they name. */
const expiringSheddings = ({ db, clock, config }: Deps) =>
  deleteOlderThan({ db, clock }, config.retentionDays.runs ?? 0, {
    sheddings: (before) => sql`
      delete from sheddings where shedding_id in (
        select shedding_id from sheddings where given_back_at <= ${before}::bigint order by given_back_at limit ${BATCH}::int)
      returning 1 as one`,
  })
