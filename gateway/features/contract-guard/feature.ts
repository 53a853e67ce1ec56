import type { Deps } from '../deps.ts'
import type { Feature, Job } from '../../kernel/feature.ts'
import { SHED_DEFAULTS } from '../../../contract/automation/alarm-part.ts'
import { groupBy } from '../../lib/group-by.ts'
import { createThrottle } from '../../lib/throttle.ts'
import { createRetentionJob, deleteOlderThan, BATCH } from '../../store/retention.ts'
import { sql, type Db } from '../../kernel/db.ts'
import { decideGuard } from './decide-guard.ts'
import { createDueGuards } from './due-guards.ts'
import {
  type GuardKey,
  type GuardRule,
  lockOrphanedSheddings,
  type OpenShedding,
  readGuards,
} from './guards.ts'
import { readRestored } from './loads.ts'
import type { GuardPorts } from './ports.ts'
import { restoreLoad, type GuardWork, closeFinishedRuns } from './write-sheddings.ts'
import type { Guard, sheddings, Shedding } from '../../../contract/automation/shedding-calls.ts'
import type { Handler, SignedIn } from '../../kernel/context.ts'
import { findHome } from '../../domain/homes/find-home.ts'
import { may } from '../../../contract/kernel/permissions.ts'
import { avoidedEnergyOf } from './avoided-energy.ts'
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
    descending: true,
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
  return { ...page.answer<Shedding>(found), Total: count?.total ?? 0 }
}

/** PostgreSQL channel that announces, on commit, the company whose tariffs, contracts or off-peak days changed. */
const CHANGED = 'pricing_changed'

type AllowedAt = GuardPorts['allowedAt']

/**
 * Caches the contract's limits until the end of the quarter of an hour: neither the band nor the billed peak can change before, unless a
 * tariff changes on any gateway.
 */
export function createContractCapacityCache(db: Pick<Db, 'listen'>, allowedAt: AllowedAt): AllowedAt {
  const kept = new Map<string, { tenant: string; quarter: number; answer: ReturnType<AllowedAt> }>()
  db.listen(CHANGED, {
    heard(changed) {
      for (const [key, { tenant }] of kept) if (tenant === changed) kept.delete(key)
    },
    missed: () => kept.clear(),
  })
  return (tenant, homeId, at, withBilled) => {
    const key = `${tenant}/${homeId}/${withBilled}`
    const quarter = Math.floor(at / QUARTER_MS)
    const found = kept.get(key)
    if (found?.quarter === quarter) return found.answer
    const answer = allowedAt(tenant, homeId, at, withBilled)
    const asked = { tenant, quarter, answer }
    kept.set(key, asked)
    answer.catch(() => {
      if (kept.get(key) === asked) kept.delete(key)
    })
    return answer
  }
}

/** Time span of the computation of avoided peaks, ms: two billing periods of two months. */
const LOOKBACK_MS = 124 * 86_400_000

/** Peaks that the contract guards of a home have avoided; reads all of its energy of that span. */
const getAvoidedPeaks =
  ({ avoided }: Pick<GuardPorts, 'avoided'>): Handler<typeof sheddings.getAvoidedPeaks> =>
  async ({ HomeID }, { db, actor, clock }) => {
    const { tenant } = actor
    await findHome(db, tenant, HomeID)
    const peaks = await avoided(tenant, HomeID, await sparedIn(db, tenant, HomeID, clock.now()))
    const mayReadCost = may(actor, 'electricity', 'Read')
    return { Avoided: mayReadCost ? peaks : peaks.map((peak) => ({ ...peak, Cost: null })) }
  }

/** Energy that confirmed sheddings saved, kWh by the first ms of each quarter of an hour. */
async function sparedIn(db: Db, tenant: string, homeId: string, now: number): Promise<Map<number, number>> {
  const spans = await db.query<{ kw: number | null; from: number; to: number }>(sql`
    select kw, confirmed_at as "from", coalesce(given_back_at, ${now}::bigint) as "to" from sheddings
    where tenant = ${tenant} and home_id = ${homeId} and confirmed_at is not null and shed_at > ${now - LOOKBACK_MS}::bigint`)
  return avoidedEnergyOf(spans)
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
const AT_ONCE = 4

/** Keeps a home's demand below its limit: sheds loads in order, and restores them. */
export function guard(deps: Deps, given: GuardPorts) {
  const { db, clock, random, events, log } = deps
  const ports = { ...given, allowedAt: createContractCapacityCache(db, given.allowedAt) }
  const due = createDueGuards()
  const underWay = new Set<Promise<void>>()

  async function decideOne(rule: GuardRule): Promise<void> {
    due.begins(rule)
    const decided = await decideGuard({ db, clock, random, ports }, rule)
    due.ended(rule, decided, clock.now())
    if (decided.hasChanged) tellScreens(rule)
  }
  const attempt = (rule: GuardKey, work: () => Promise<void>): Promise<void> => {
    const working = work()
      .catch((err: unknown) => {
        due.forget(rule)
        log.warn({ err, automationId: rule.automationId }, 'contract guard decision failed, will retry')
      })
      .finally(() => underWay.delete(working))
    underWay.add(working)
    return working
  }
  const tellScreens = ({ tenant, homeId }: Pick<GuardRule, 'tenant' | 'homeId'>) =>
    events.emit('dataChange', { tenant, name: 'shedding.update', record: { HomeID: homeId }, by: null })

  /** Decides guards after a report of a main meter, by `tenant/AutomationID`; reads the rule again, as it may have changed. */
  const pacer = createThrottle<string>(
    clock,
    () => POLL_INTERVAL_MS,
    (key) => {
      const [tenant = '', automationId = ''] = key.split('/')
      return attempt({ tenant, automationId }, async () => {
        const [rule] = await readGuards(db, clock.now(), { tenant, automationId })
        if (rule) await decideOne(rule)
      })
    },
  )
  events.on('statusChanged', (reported) => {
    for (const { tenant, automationId } of due.heard(reported)) pacer.ask(`${tenant}/${automationId}`)
  })

  const guarding: Job = {
    name: 'guards',
    every: POLL_INTERVAL_MS,
    async run(stopped) {
      const rules = await readGuards(db, clock.now())
      due.keep(rules)
      const found = rules.filter((rule) => due.isDue(rule, clock.now()))
      for (let i = 0; i < found.length && !stopped(); i += AT_ONCE)
        await Promise.all(found.slice(i, i + AT_ONCE).map((rule) => attempt(rule, () => decideOne(rule))))
      for (const home of await giveBackOrphans({ db, clock, random, ports })) tellScreens(home)
    },
  }
  return {
    handlers: { sheddings: { listShedding, getGuards, getAvoidedPeaks: getAvoidedPeaks(ports) } },
    jobs: [guarding, createRetentionJob('sheddings', deps, expiringSheddings(deps))],
    async close() {
      pacer.close()
      await Promise.all(underWay)
    },
  } satisfies Feature
}

/** Restores loads of rules that are no longer guards, one after another; each shedding on one gateway at a time. */
async function giveBackOrphans({
  db,
  clock,
  random,
  ports,
}: Pick<Deps, 'db' | 'clock' | 'random'> & { ports: GuardPorts }) {
  const begun: GuardWork['begun'] = []
  const homes = await db.transaction(async (tx) => {
    const orphans = await lockOrphanedSheddings(tx)
    const work: GuardWork = { tx, now: clock.now(), random, runs: ports.runs, begun }
    for (const some of groupBy(orphans, ({ tenant, automationId }) => `${tenant}/${automationId}`).values()) {
      const { tenant, automationId } = some[0] as OpenShedding
      const { open } = await closeFinishedRuns(tx, some)
      const given = await readRestored(tx, tenant, automationId)
      // The pace was part of the deleted rule, so defaults apply.
      await restoreLoad(
        work,
        open.filter((one) => one.givenBackRunId === null),
        { ...SHED_DEFAULTS, givenBackAt: Math.max(0, ...given.values()) },
      )
    }
    return orphans
  })
  for (const { tenant, runId } of begun) ports.runs.begin(tenant, runId)
  return homes
}

/** Sheddings expire with the runs that they name. */
const expiringSheddings = ({ db, clock, config }: Deps) =>
  deleteOlderThan({ db, clock }, config.keepDays.runs ?? 0, {
    sheddings: (before) => sql`
      delete from sheddings where shedding_id in (
        select shedding_id from sheddings where given_back_at <= ${before}::bigint order by given_back_at limit ${BATCH}::int)
      returning 1 as one`,
  })
