/**
 * `npm test`: format, lint, types, unit, wire, web and browser tests, one after the other, all of them even when one
 * fails. Prints what was skipped and why, and counts on its last line.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureWebBuild } from './build-if-needed.ts'
import { findBrowser } from './browser.ts'

interface Count {
  passed: number
  failed: number
  skipped: number
  /** What failed has passed on a second try, and nothing else was at fault. */
  settled?: boolean
}

const scratch = mkdtempSync(join(tmpdir(), 'test-report-'))
const total: Count = { passed: 0, failed: 0, skipped: 0 }
const notes: string[] = []

function run(title: string, command: string[], env: NodeJS.ProcessEnv = {}): boolean {
  console.log(`\n▶ ${title}`)
  const [file, ...args] = command as [string, ...string[]]
  return spawnSync(file, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status === 0
}

/** A step without a count of its own counts as one. */
function check(title: string, command: string[]): void {
  const green = run(title, command)
  total[green ? 'passed' : 'failed'] += 1
  if (!green) notes.push(`${title}: failed; see above`)
}

function counted(title: string, command: string[], env: NodeJS.ProcessEnv, read: () => Count): void {
  const green = run(title, command, env)
  let count: Count
  try {
    count = read()
  } catch {
    count = { passed: 0, failed: 1, skipped: 0 }
    notes.push(`${title}: ended without a report`)
  }
  // A runner may fail outside any test (a file that does not load, nothing collected): that is a failure too.
  if (!green && !count.settled && count.failed === 0) count.failed = 1
  if (green && count.passed === 0) {
    count.failed += 1
    notes.push(`${title}: ran no test`)
  }
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += count[key]
  if (count.skipped) notes.push(`${title}: ${count.skipped} skipped for want of an outside server; see above`)
}

const report = (name: string) => JSON.parse(readFileSync(join(scratch, name), 'utf8'))

check('Format', ['npm', 'run', '--silent', 'format:check'])
check('Lint', ['npm', 'run', '--silent', 'lint'])
check('Types', ['npm', 'run', '--silent', 'types'])

/** Files that are tried again: of more than these something is broken. */
const SECOND_TRIES = 3

interface TestFile {
  name: string
  status: string
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
}

function runVitest(name: string, files: readonly string[] = []): { command: string[]; read(): TestFile[] } {
  const path = `--outputFile.json=${join(scratch, name)}`
  return {
    command: ['npx', 'vitest', 'run', ...files, '--reporter=default', '--reporter=json', path],
    read: () => report(name).testResults,
  }
}

const countOf = ({ assertionResults }: TestFile, wanted: string) =>
  assertionResults.filter(({ status }) => status === wanted).length

/** The end of a long output is what one sees of it. */
const beginning = (message: string) => `  ${message.split('\n').slice(0, 4).join('\n  ')}`

/** What fails on a busy machine is tried once more, a whole file with a world of its own, and named when it passes then. */
function countFiles(first: TestFile[]): Count {
  const count = { passed: 0, failed: 0, skipped: 0, settled: false }
  const fallen = first.filter(({ status }) => status === 'failed')
  const again: TestFile[] = []
  if (fallen.length > 0 && fallen.length <= SECOND_TRIES) {
    const secondTry = runVitest(
      'second.json',
      fallen.map(({ name }) => name),
    )
    count.settled = run('Second try', secondTry.command)
    again.push(...secondTry.read())
  }
  for (const file of first) {
    const last = again.find(({ name }) => name === file.name) ?? file
    const [passed, failed] = [countOf(last, 'passed'), countOf(last, 'failed')]
    count.passed += passed
    count.failed += last.status === 'failed' ? Math.max(1, failed) : 0
    count.skipped += last.assertionResults.length - passed - failed
    if (file.status !== 'failed') continue
    const outcome = last.status === 'failed' ? 'Failed' : 'Passed on the second try'
    const fell = file.assertionResults.filter(({ status }) => status === 'failed')
    if (!fell.length) notes.push(`${outcome}: ${file.name}`)
    for (const { fullName, failureMessages } of fell)
      notes.push(`${outcome}: ${file.name} › ${fullName}`, ...failureMessages.map(beginning))
  }
  return count
}

const firstTry = runVitest('vitest.json')
counted('Unit, wire and web tests', firstTry.command, {}, () => countFiles(firstTry.read()))

const browser = findBrowser()
if (!browser) {
  total.failed += 1
  notes.push('Browser tests: no browser')
} else if (!ensureWebBuild()) {
  total.failed += 1
  notes.push('Browser tests: the web build failed')
} else {
  counted(
    'Browser tests',
    ['npx', 'playwright', 'test', '--reporter=list,json'],
    { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: join(scratch, 'playwright.json') },
    () => {
      const { expected, unexpected, flaky, skipped } = report('playwright.json').stats
      if (flaky) notes.push(`Browser tests: ${flaky} passed on the second try; see above`)
      return { passed: expected + flaky, failed: unexpected, skipped }
    },
  )
}

rmSync(scratch, { recursive: true, force: true })
console.log('')
for (const note of notes) console.log(note)
console.log(
  `${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`,
)
process.exit(total.failed === 0 ? 0 : 1)
