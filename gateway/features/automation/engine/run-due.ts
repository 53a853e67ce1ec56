import type { Engine } from './engine.ts'
import { runWaits } from './run-due-timers.ts'
import { runSchedules } from './schedules.ts'
import type { RuleKey } from './rule-rows.ts'
import { rulesDue } from './timers.ts'

/** Rules whose waits are due that are decided together, and how often; what fails stays due until the next look. */
const BATCH = 500
const MOST_BATCHES = 20

/**
 * Runs all that is due: schedules, what is switched off after hours, bookings, and the rules that waited for this moment.
 *
 * decide  takes rules to decide and resolves when they are
 */
export async function runDue(
  engine: Engine,
  now: number,
  decide: (keys: readonly RuleKey[]) => Promise<void>,
): Promise<void> {
  while (await runSchedules(engine, now));
  while (await runWaits(engine, now));
  for (let left = MOST_BATCHES; left > 0; left--) {
    const rules = await rulesDue(engine.db, now, BATCH)
    if (rules.length > 0) await decide(rules)
    if (rules.length < BATCH) return
  }
}
