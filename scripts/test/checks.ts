import { run, type Stage } from './stage.ts'

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
