import { ruleKey } from './compile.ts'
import type { Engine } from './engine.ts'
import { pausedHomes } from './skipped-runs.ts'
import { homeKeyOf } from './places.ts'
import { createRunPlanner, planRuns, type RunOfRule, waitsUntil } from './plan-run.ts'
import { resumeRule } from './loops.ts'
import { readRules } from '../rules/rule-rows.ts'
import { type DueWait, runBooking } from './run-booking.ts'
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
export async function runWaits(engine: Engine, now: number): Promise<boolean> {
  const taken = await createRunPlanner(engine, async (part) => {
    const waits = await claimDueTimers(part.tx, KINDS, now, BATCH)
    if (waits.length === 0) return 0
    const rules = new Map((await readRules(part.tx, waits)).map((row) => [ruleKey(row), row]))
    const paused = await pausedHomes(part.tx, [...rules.values()], now)
    const offs: RunOfRule[] = []
    for (const wait of waits.toSorted((a, b) => a.dueAt - b.dueAt)) {
      const row = rules.get(ruleKey(wait))
      if (!row) continue
      engine.metrics.lag.observe(Math.max(0, now - wait.dueAt) / 1000)
      if (wait.kind === 'resume') {
        if (await resumeRule(engine, part.tx, wait, now)) part.changed.push(row)
        continue
      }
      const due = { wait, row, now, isPaused: paused.has(homeKeyOf(row)) }
      if (wait.kind === 'off') offs.push(switchOff(due))
      else await runBooking(engine, part, due)
    }
    await planRuns(engine, part, offs, now)
    return waits.length
  })
  return taken >= BATCH
}

/** Switches off what a run switched on, whatever has happened to its rule since. */
const switchOff = ({ wait, row, now, isPaused }: DueWait): RunOfRule => ({
  row,
  run: {
    cause: 'off',
    plannedAt: wait.dueAt,
    actions: [],
    restores: wait.key,
    catchUpUntil: waitsUntil(row.rule, now, now),
    ...(isPaused && { notRun: { state: 'skipped', reason: 'paused' } }),
  },
})
