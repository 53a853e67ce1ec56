import type { Deps } from '../../deps.ts'
import type { Job } from '../../../kernel/feature.ts'
import { sql, type Db } from '../../../kernel/db.ts'
import type { HomeClock } from '../../../domain/homes/find-home.ts'
import type { InsightPorts } from '../logic/ports.ts'
import { detectFindings } from './find-in-home.ts'
import { measureDone } from './measure-done.ts'
import { dayOf } from '../../../../contract/time/periods.ts'
import { idArray, numberArray } from '../../../store/sql.ts'

/** Time of the daily examination: minutes after the end of the day, local time. The day's last readings have arrived by then. */
const MIN_ANALYSIS_HOUR = 250
const MINUTE = 60_000

/** A home to be examined, and the last day to include. */
interface DueHome extends HomeClock {
  tenant: string
  day: number
  /** Whether no result is stored yet: the user waits for the first one. */
  isFirst: boolean
}

/** The last day of a time zone that is due for examination. */
export const dayToAnalyze = (now: number, zone: string): number =>
  dayOf(now - MIN_ANALYSIS_HOUR * MINUTE, zone) - 1

/** Homes that were not examined for their last day, or whose energy has changed since; the longest waiting first. */
export async function dueHomes(db: Db, now: number, limit: number): Promise<DueHome[]> {
  const zones = (await db.query<{ zone: string }>(sql`select distinct time_zone as zone from homes`)).map(
    ({ zone }) => zone,
  )
  await db.query(sql`delete from insight_due d where not exists (
    select from homes h where h.tenant = d.tenant and h.home_id = d.home_id)`)
  return db.query<DueHome>(sql`
    select h.tenant, h.home_id as "HomeID", h.time_zone as zone, w.day,
      s.home_id is null as "isFirst"
    from homes h join unnest(${idArray(zones)}::text[], ${numberArray(zones.map((zone) => dayToAnalyze(now, zone)))}::int[])
      as w (zone, day) on w.zone = h.time_zone
    left join home_savings s on s.tenant = h.tenant and s.home_id = h.home_id
    where s.day is distinct from w.day
      or exists (select from insight_due d where d.tenant = h.tenant and d.home_id = h.home_id)
    order by s.computed_at nulls first, h.home_id limit ${limit}::int`)
}

/** Polling interval, ms. */
const POLL_INTERVAL_MS = 20_000
/** Pause after each home as a multiple of the time it took, so that calls and ingestion have priority; less after the first time. */
const REST = 9
const FIRST_REST = 1
/** Maximum number of energy spans waiting for computation; with more of them the job waits. */
const MAX_WAITING = 1_000
/** Number of days before the examined one whose energy must be computed. */
const MAX_ANALYZED_DAYS = 400
/** Maximum number of homes per run: another gateway may be examining the first of them. */
const AT_ONCE = 20
/** Delay before a failed or partly examined home is retried, ms. */
const RETRY_MS = 3_600_000

/**
 * Detects possible savings of homes, each once a day at ten past four local time, and again after its energy
 * changed. Several gateways may do so concurrently; each home is one transaction.
 */
export function findingsJob(
  { db, clock, log, events }: Pick<Deps, 'db' | 'clock' | 'log' | 'events'>,
  ports: InsightPorts,
): Job {
  const failed = new Map<string, number>()
  const keyOf = ({ tenant, HomeID }: DueHome) => `${tenant}/${HomeID}`
  const isPostponed = (home: DueHome, now: number) => {
    const at = failed.get(keyOf(home))
    // A clock that was set back must not prolong the pause.
    return at !== undefined && now >= at && now < at + RETRY_MS
  }
  async function analyzeHome(home: DueHome): Promise<boolean> {
    const { tenant, HomeID, day } = home
    try {
      // With a backlog of readings the figures would be incomplete.
      if ((await ports.energy.computedPercent(tenant, home, day - MAX_ANALYZED_DAYS, day + 1)) !== undefined)
        return false
      const outcome = await db.transaction((tx) =>
        detectFindings(tx, { db, log, ports, now: clock.now() }, tenant, home, day),
      )
      if (outcome === 'partly') failed.set(keyOf(home), clock.now())
      else failed.delete(keyOf(home))
      const emitUpdate = () =>
        events.emit('dataChange', { tenant, name: 'finding.update', record: { HomeID }, by: null })
      if (outcome !== 'busy') emitUpdate()
      // The findings are committed even if the measurement of savings fails.
      if (outcome === 'done' && (await measureDone({ db, ports }, tenant, home, day + 1)) > 0) emitUpdate()
      return outcome !== 'busy'
    } catch (err) {
      failed.set(keyOf(home), clock.now())
      log.warn({ err, home: HomeID }, 'findings of a home failed, will retry')
      return false
    }
  }
  return {
    name: 'findings',
    intervalMs: POLL_INTERVAL_MS,
    async run(stopped) {
      const [backlog] = await db.query<{ spans: number }>(
        sql`select count(*) as spans from (select from meter_dirty limit ${MAX_WAITING + 1}::int) as d`,
      )
      if ((backlog?.spans ?? 0) > MAX_WAITING) return undefined
      for (const home of await dueHomes(db, clock.now(), AT_ONCE)) {
        if (stopped()) return undefined
        if (isPostponed(home, clock.now())) continue
        const startedAt = performance.now()
        if (await analyzeHome(home))
          return Math.max(1, Math.ceil((home.isFirst ? FIRST_REST : REST) * (performance.now() - startedAt)))
      }
      return undefined
    },
  }
}
