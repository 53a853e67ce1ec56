import { spawn } from 'node:child_process'

/** Results of a stage of `npm test`. */
export interface Stage {
  passed: number
  failed: number
  /** Skipped because an external server is missing. */
  skipped: number
  /** Lines for the summary at the end of the output. */
  notes: string[]
  /** Duration of each test file, in ms. */
  files: { name: string; ms: number }[]
}

export const emptyStage = (): Stage => ({ passed: 0, failed: 0, skipped: 0, notes: [], files: [] })

export const mergeStages = (stages: readonly Stage[]): Stage => ({
  passed: stages.reduce((sum, { passed }) => sum + passed, 0),
  failed: stages.reduce((sum, { failed }) => sum + failed, 0),
  skipped: stages.reduce((sum, { skipped }) => sum + skipped, 0),
  notes: stages.flatMap(({ notes }) => notes),
  files: stages.flatMap(({ files }) => files),
})

/**
 * Runs a command to its end; true if it succeeded.
 *
 * isConcurrent  it runs in parallel with others: its output is printed at its end, so that lines do not mix
 */
export async function run(
  title: string,
  command: readonly string[],
  { env = {}, beside: isConcurrent = false }: { env?: NodeJS.ProcessEnv; beside?: boolean } = {},
): Promise<boolean> {
  const [file, ...args] = command as [string, ...string[]]
  if (!isConcurrent) console.log(`\n▶ ${title}`)
  const child = spawn(file, args, {
    stdio: ['inherit', isConcurrent ? 'pipe' : 'inherit', isConcurrent ? 'pipe' : 'inherit'],
    env: { ...process.env, ...env },
  })
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => void printed.push(chunk))
  const status = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      printed.push(Buffer.from(`${error.message}\n`))
      resolve(null)
    })
    child.on('close', resolve)
  })
  if (isConcurrent) process.stdout.write(`\n▶ ${title}\n${Buffer.concat(printed).toString()}`)
  return status === 0
}

const CHECKS = {
  Format: ['npm', 'run', '--silent', 'format:check'],
  Lint: ['npm', 'run', '--silent', 'lint'],
  Types: ['npm', 'run', '--silent', 'types'],
}

/** Runs format, lint and type checks, each counted as one, in parallel with the builds that the browser tests need. */
export async function runChecks(): Promise<Stage & { built: boolean }> {
  const building = run('Build', ['npx', 'tsx', 'scripts/test/build.ts'], { beside: true })
  const green = await Promise.all(
    Object.entries(CHECKS).map(([title, command]) => run(title, command, { beside: true })),
  )
  const built = await building
  const failed = Object.keys(CHECKS).filter((_, i) => !green[i])
  return {
    passed: green.length - failed.length,
    failed: failed.length,
    skipped: 0,
    notes: failed.map((title) => `${title}: failed; see above`),
    files: [],
    built,
  }
}

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
    const [actualCount, minCount] = [passed + skipped, tests[name]]
    if (failed || actualCount === minCount) continue
    if (minCount === undefined) {
      outcome.failed += 1
      outcome.notes.push(`${name}: ${actualCount} tests, and tests/budget.json has no count of that name`)
      continue
    }
    const advice = actualCount < minCount ? 'tests were lost' : 'write the new count there'
    outcome.notes.push(`${name}: ${actualCount} tests, and tests/budget.json says ${minCount}: ${advice}`)
    if (actualCount < minCount) outcome.failed += 1
  }
  return outcome
}

/**
 * Reports a run that took too long, and fails only in strict mode: the machine may have had other work.
 *
 * minutesTaken  minutes of the whole run
 */
export function compareTime({ minutes }: Budget, minutesTaken: number, strict: boolean): Stage {
  const outcome = emptyStage()
  if (minutesTaken <= minutes) return outcome
  outcome.notes.push(`Took ${minutesTaken.toFixed(1)} minutes, and tests/budget.json allows ${minutes}`)
  if (strict) outcome.failed = 1
  return outcome
}
