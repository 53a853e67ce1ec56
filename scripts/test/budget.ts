import { emptyStage, type Stage } from './stage.ts'

export interface Budget {
  /** Minimum number of tests of each stage, skipped ones included. */
  tests: Readonly<Record<string, number>>
  /** Maximum duration of all tests on two otherwise idle cores. */
  minutes: number
}

/**
 * Fails if a stage has fewer tests than the budget, or no entry in it; reports a stage with more. Skips a stage with failures:
 * a file that does not load has no tests to count.
 */
export function compareCounts({ tests }: Budget, stages: Readonly<Record<string, Stage>>): Stage {
  const outcome = emptyStage()
  for (const [name, { passed, failed, skipped }] of Object.entries(stages)) {
    const [ran, least] = [passed + skipped, tests[name]]
    if (failed || ran === least) continue
    if (least === undefined) {
      outcome.failed += 1
      outcome.notes.push(`${name}: ${ran} tests, and tests/budget.json has no count of that name`)
      continue
    }
    const advice = ran < least ? 'tests were lost' : 'write the new count there'
    outcome.notes.push(`${name}: ${ran} tests, and tests/budget.json says ${least}: ${advice}`)
    if (ran < least) outcome.failed += 1
  }
  return outcome
}

/**
 * Reports a run that took too long, and fails only in strict mode: the machine may have had other work.
 *
 * took  minutes of the whole run
 */
export function compareTime({ minutes }: Budget, took: number, strict: boolean): Stage {
  const outcome = emptyStage()
  if (took <= minutes) return outcome
  outcome.notes.push(`Took ${took.toFixed(1)} minutes, and tests/budget.json allows ${minutes}`)
  if (strict) outcome.failed = 1
  return outcome
}
