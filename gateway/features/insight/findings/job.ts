import type { Deps, Job } from '../../../kernel/deps.ts'
import { sql } from '../../../store/db.ts'
import type { InsightPorts } from '../ports.ts'
import { type DueHome, dueHomes } from './due-homes.ts'
import { detectFindings } from './find-in-home.ts'
import { measureDone } from './measure-done.ts'

/** Between two looks, ms. */
const POLL_INTERVAL_MS = 20_000
/** It rests so many times as long as it worked: whoever asks and whoever stores goes first. */
const REST = 9
/** It waits while more spans of energy than this are still to be computed. */
const MOST_WAITING = 1_000
/** Days before a look whose energy must be computed. */
const LOOKED_AT_DAYS = 400
/** Homes that are looked for at a time: another gateway may be at the first of them. */
const AT_ONCE = 20
/** A home that failed, as a whole or in part, is tried again after so long, ms. */
const RETRY_MS = 3_600_000

/**
 * Looks for what homes could save, each once a day at ten past four of its clock, and again after its energy changed. Several gateways
 * may do so at a time; one that ends in the middle leaves nothing half done.
 */
export function findingsJob(
  { db, clock, log, events }: Pick<Deps, 'db' | 'clock' | 'log' | 'events'>,
  ports: InsightPorts,
): Job {
  const failed = new Map<string, number>()
  const keyOf = ({ tenant, HomeID }: DueHome) => `${tenant}/${HomeID}`
  const isResting = (home: DueHome, now: number) => {
    const at = failed.get(keyOf(home))
    // A clock that was set back lets nobody rest for long.
    return at !== undefined && now >= at && now < at + RETRY_MS
  }
  async function lookAtOne(home: DueHome): Promise<boolean> {
    const { tenant, HomeID, day } = home
    try {
      // What is found while years of readings wait would be of other figures.
      if ((await ports.energy.computedPercent(tenant, home, day - LOOKED_AT_DAYS, day + 1)) !== undefined)
        return false
      const did = await db.transaction((tx) =>
        detectFindings(tx, { db, log, ports, now: clock.now() }, tenant, home, day),
      )
      if (did === 'partly') failed.set(keyOf(home), clock.now())
      else failed.delete(keyOf(home))
      const tell = () =>
        events.emit('dataChange', { tenant, name: 'finding.update', record: { HomeID }, by: null })
      if (did !== 'busy') tell()
      // What was found stands already, whatever becomes of what is measured.
      if (did === 'done' && (await measureDone({ db, ports }, tenant, home, day + 1)) > 0) tell()
      return did !== 'busy'
    } catch (err) {
      failed.set(keyOf(home), clock.now())
      log.warn({ err, home: HomeID }, 'Findings of a home are looked for later')
      return false
    }
  }
  return {
    name: 'findings',
    every: POLL_INTERVAL_MS,
    async run(stopped) {
      const [waiting] = await db.query<{ spans: number }>(
        sql`select count(*) as spans from (select from meter_dirty limit ${MOST_WAITING + 1}::int) as d`,
      )
      if ((waiting?.spans ?? 0) > MOST_WAITING) return undefined
      for (const home of await dueHomes(db, clock.now(), AT_ONCE)) {
        if (stopped()) return undefined
        if (isResting(home, clock.now())) continue
        const began = performance.now()
        if (await lookAtOne(home)) return Math.max(1, Math.ceil(REST * (performance.now() - began)))
      }
      return undefined
    },
  }
}
