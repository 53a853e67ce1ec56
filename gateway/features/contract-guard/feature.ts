import type { Deps, Feature, Job } from '../../kernel/deps.ts'
import { SHED_DEFAULTS } from '../../../contract/automation/alarm-part.ts'
import { groupBy } from '../../lib/group-by.ts'
import { createThrottle } from '../../lib/throttle.ts'
import { createRetentionJob, deleteOlderThan, BATCH } from '../../store/retention.ts'
import { sql } from '../../store/db.ts'
import { createContractCapacityCache } from './contract-capacity.ts'
import { decideGuard } from './decide-guard.ts'
import { createDueGuards } from './due-guards.ts'
import {
  type GuardKey,
  type GuardRule,
  lockOrphanedSheddings,
  type OpenShedding,
  readGuards,
} from './guards.ts'
import { getAvoidedPeaks } from './get-avoided-peaks.ts'
import { getGuards } from './get-guards.ts'
import { readRestored } from './loads.ts'
import { listShedding } from './list-sheddings.ts'
import type { GuardPorts } from './ports.ts'
import { restoreLoad, type GuardWork, closeFinishedRuns } from './write-sheddings.ts'

/** How often it is looked which guards are due, ms, and the least between two decisions of one. */
const POLL_INTERVAL_MS = 5_000
/** Guards that are decided at a time: each takes a connection. */
const AT_ONCE = 4

/** Holds a home's demand below what is agreed: sheds loads in order, and gives them back. */
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
        log.warn({ err, automationId: rule.automationId }, 'A contract guard is decided again in a moment')
      })
      .finally(() => underWay.delete(working))
    underWay.add(working)
    return working
  }
  const tellScreens = ({ tenant, homeId }: Pick<GuardRule, 'tenant' | 'homeId'>) =>
    events.emit('dataChange', { tenant, name: 'shedding.update', record: { HomeID: homeId }, by: null })

  /** Guards of which a main meter has just reported, by `tenant/AutomationID`. The rule is read again: it may be another one now. */
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

/** Gives back what rules shed that are gone, one after another; it is noted by one gateway. */
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
      // Its rule is gone, and what it said of its pace with it.
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

/** Sheddings go with the runs that they name. */
const expiringSheddings = ({ db, clock, config }: Deps) =>
  deleteOlderThan({ db, clock }, config.keepDays.runs ?? 0, {
    sheddings: (before) => sql`
      delete from sheddings where shedding_id in (
        select shedding_id from sheddings where given_back_at <= ${before}::bigint order by given_back_at limit ${BATCH}::int)
      returning 1 as one`,
  })
