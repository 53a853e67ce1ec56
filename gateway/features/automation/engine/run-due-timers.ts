import { ruleKey } from './compile.ts'
import type { Engine } from './engine.ts'
import { pausedHomes, whyEndNotRun } from './why-not-run.ts'
import { homeKeyOf } from './places.ts'
import { createRunPlanner, planRuns, type RunOfRule, waitsUntil } from './plan-run.ts'
import { resumeRule } from './loops.ts'
import { readRules } from '../rules/rule-rows.ts'
import { type DueTimer, runBooking } from './run-booking.ts'
import { claimDueTimers, type TimerKind } from './timers.ts'

/** Maximum number of rules whose timers are processed in one transaction. */
const BATCH = 100
/** Kinds of timers that are independent of conditions. */
const KINDS: readonly TimerKind[] = ['off', 'booking', 'resume']

/**
 * Runs due timers that are independent of conditions: switch-offs, bookings, and the resumption of suspended rules.
 *
 * returns  whether more timers may be due
 */
export async function runDueTimers(engine: Engine, now: number): Promise<boolean> {
  const count = await createRunPlanner(engine, async (planner) => {
    const timers = await claimDueTimers(planner.tx, KINDS, now, BATCH)
    if (timers.length === 0) return 0
    const rules = new Map((await readRules(planner.tx, timers)).map((row) => [ruleKey(row), row]))
    const paused = await pausedHomes(planner.tx, [...rules.values()], now)
    const offs: RunOfRule[] = []
    for (const timer of timers.toSorted((a, b) => a.dueAt - b.dueAt)) {
      const row = rules.get(ruleKey(timer))
      if (!row) continue
      engine.metrics.lag.observe(Math.max(0, now - timer.dueAt) / 1000)
      if (timer.kind === 'resume') {
        if (await resumeRule(engine, planner.tx, timer, now)) planner.changed.push(row)
        continue
      }
      const due = { timer, row, now, isPaused: paused.has(homeKeyOf(row)) }
      if (timer.kind === 'off') offs.push(switchOff(due))
      else await runBooking(engine, planner, due)
    }
    await planRuns(engine, planner, offs, now)
    return timers.length
  })
  return count >= BATCH
}

/** Switches off what a run switched on, whatever has happened to its rule since. */
function switchOff({ timer, row, now, isPaused }: DueTimer): RunOfRule {
  const notRun = whyEndNotRun(isPaused)
  return {
    row,
    run: {
      cause: 'off',
      plannedAt: timer.dueAt,
      actions: [],
      restores: timer.key,
      catchUpUntil: waitsUntil(row.rule, now, now),
      ...(notRun && { notRun }),
    },
  }
}
