import type { FindingKind } from '../../../../contract/findings/finding-life.ts'
import type { Log } from '../../../kernel/ports.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import type { HomeClock } from '../../../domain/homes/find-home.ts'
import type { InsightPorts } from '../logic/ports.ts'
import { headlineOf } from './headline.ts'
import { saveFindings } from './keep-findings.ts'
import { ALL_KINDS } from './kinds/all-kinds.ts'
import { type HomeSnapshot, createHomeSnapshot } from './kinds/home-snapshot.ts'
import { claimedBillOf, type PricedFinding, priceFinding } from './price.ts'

/** Maximum CPU time per home and day, ms; the remaining kinds are examined later. */
const MAX_CPU_MS = 20_000

interface FindOptions {
  db: Db
  log: Pick<Log, 'warn'>
  ports: InsightPorts
  now: number
  /** Kinds to look for; all by default. */
  kinds?: typeof ALL_KINDS
}

/**
 * Detects all kinds of findings in a home up to a day, and stores them with the headline. Idempotent for the same
 * days. Does nothing while another gateway examines the home.
 *
 * tx       transaction that stores the results
 * day      the last finished day, as `dayOf` numbers days
 * returns  `busy` if another gateway examines the home; `partly` if some kinds could not be examined: the home stays due
 */
export async function detectFindings(
  tx: Db,
  { db, log, ports, now, kinds = ALL_KINDS }: FindOptions,
  tenant: string,
  home: HomeClock,
  day: number,
): Promise<'done' | 'partly' | 'busy'> {
  const [lock] = await tx.query<{ taken: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtext('findings'), hashtext(${`${tenant}/${home.HomeID}`})) as taken`)
  if (!lock?.taken) return 'busy'
  // The connection is idle during the computation.
  await tx.query(sql`set local idle_in_transaction_session_timeout = '15min'`)
  // Later changes make the home due again.
  await tx.query(sql`delete from insight_due where tenant = ${tenant} and home_id = ${home.HomeID}`)
  const look = await createHomeSnapshot({ db, ports, tenant, home, end: day + 1, now })
  const { found, missed } = await findAll(look, log, kinds)
  const partly = missed.length > 0
  const open = await saveFindings(tx, look, found, missed)
  const headline = await headlineOf(look, open)
  await tx.query(sql`
    insert into home_savings (tenant, home_id, day, computed_at, saving, partly)
    values (${tenant}, ${home.HomeID}, ${day}, ${now}, ${JSON.stringify(headline)}::jsonb, ${partly})
    on conflict (tenant, home_id) do update set day = excluded.day, computed_at = excluded.computed_at,
      saving = excluded.saving, partly = excluded.partly`)
  if (partly)
    await tx.query(sql`
      insert into insight_due (tenant, home_id, reason) values (${tenant}, ${home.HomeID}, 'partly')`)
  return partly ? 'partly' : 'done'
}

async function findAll(
  look: HomeSnapshot,
  log: Pick<Log, 'warn'>,
  kinds: typeof ALL_KINDS,
): Promise<{ found: PricedFinding[]; missed: FindingKind[] }> {
  const bill = claimedBillOf(look)
  const found: PricedFinding[] = []
  const missed: FindingKind[] = []
  const began = process.cpuUsage()
  for (const [kind, find] of kinds) {
    const { user, system } = process.cpuUsage(began)
    if ((user + system) / 1000 > MAX_CPU_MS) {
      missed.push(kind)
      continue
    }
    try {
      for (const one of await find(look)) {
        const worth = await priceFinding(look, bill, one)
        if (worth) found.push(worth)
      }
    } catch (err) {
      // An error in one kind does not affect the others.
      log.warn({ err, kind, home: look.home.HomeID }, 'finding check failed')
      missed.push(kind)
    }
  }
  return { found, missed }
}
