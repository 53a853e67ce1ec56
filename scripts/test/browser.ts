import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBrowser } from '../browser.ts'
import { emptyStage, run, type Stage } from './stage.ts'

/** Fields used of a suite in Playwright's report, durations in ms. */
interface Suite {
  file: string
  suites?: Suite[]
  specs: { title: string; tests: { status: string; results: { duration: number }[] }[] }[]
}

/**
 * Runs Playwright in an installed browser.
 *
 * build  builds what the tests run, or checks that it is built; false if that failed
 *
 * returns  whether all tests passed, or why they could not start
 */
export async function runPlaywright(
  build: () => boolean,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<boolean | string> {
  const browser = findBrowser({ shell: true })
  if (!browser) return 'no browser'
  if (!build()) return 'the build failed'
  return run('Browser tests', ['npx', 'playwright', 'test', ...args], {
    env: { CHROMIUM_PATH: browser, ...env },
  })
}

/** Runs the browser tests; they need the builds. */
export async function runBrowser(scratch: string, built: boolean): Promise<Stage> {
  const path = join(scratch, 'playwright.json')
  const green = await runPlaywright(() => built, ['--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: path,
  })
  if (typeof green === 'string') return failedStage(green)
  let report: {
    stats: Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>
    suites: Suite[]
  }
  try {
    report = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return failedStage('ended without a report')
  }
  const { expected, unexpected, flaky, skipped } = report.stats
  if (green && expected + flaky === 0) return failedStage('ran no test')
  const notes = report.suites.flatMap(failedIn)
  if (flaky) notes.push(`Browser tests: ${flaky} passed on the second try; see above`)
  if (skipped) notes.push(`Browser tests: ${skipped} skipped; see above`)
  return {
    passed: expected + flaky,
    failed: green ? 0 : Math.max(1, unexpected),
    skipped,
    notes,
    files: report.suites.map((suite) => ({ name: join('tests/e2e', suite.file), ms: durationOf(suite) })),
  }
}

const failedStage = (reason: string): Stage => ({
  ...emptyStage(),
  failed: 1,
  notes: [`Browser tests: ${reason}`],
})

const durationOf = ({ suites = [], specs }: Suite): number =>
  specs
    .flatMap(({ tests }) => tests.flatMap(({ results }) => results))
    .reduce((sum, { duration }) => sum + duration, 0) +
  suites.reduce((sum, suite) => sum + durationOf(suite), 0)

/** Tests that failed both times, for the summary at the end of the output. */
const failedIn = ({ file, suites = [], specs }: Suite): string[] => [
  ...specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected'))
    .map(({ title }) => `Failed: tests/e2e/${file} › ${title}`),
  ...suites.flatMap(failedIn),
]
