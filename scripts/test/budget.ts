import { emptyStage, type Stage } from './stage.ts'

/** What `tests/budget.json` holds. */
export interface Budget {
  /** How many tests each stage has at least, the skipped ones among them. */
  tests: Readonly<Record<string, number>>
  /** How long all of them may take on two cores that do nothing else. */
  minutes: number
}

/**
 * Fails where a stage has fewer tests than are written down, or where nothing is written down of it, and says where it has more. Of a
 * stage in which something failed nothing is said: a file that does not load has no tests to count.
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
 * Says when all took too long, and fails only when that is asked for: the machine may have had other work.
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
