/**
 * `npm test`: format, lint, types and builds, then unit, wire, web and process tests, then browser tests; all of them even
 * if one fails. Prints durations, skipped tests with their reasons, and counts on its last line.
 *
 * STRICT_TIME=1  fails if the run took longer than tests/budget.json allows: for a machine without other work
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { runBrowser } from './browser.ts'
import { type Budget, compareCounts, compareTime, runChecks, type Stage, mergeStages } from './stage.ts'
import { runVitest } from './vitest.ts'

const SLOWEST = 20

const minutes: Record<string, number> = {}
async function timed<S extends Stage>(name: string, stage: () => Promise<S>): Promise<S> {
  const start = performance.now()
  const done = await stage()
  minutes[name] = (performance.now() - start) / 60_000
  return done
}

const scratch = mkdtempSync(join(tmpdir(), 'test-report-'))
const checks = await timed('Checks and builds', runChecks)
const vitest = await timed('Vitest', () => runVitest(scratch))
const browser = await timed('Browser', () => runBrowser(scratch, checks.built))
rmSync(scratch, { recursive: true, force: true })

const budget: Budget = JSON.parse(readFileSync('tests/budget.json', 'utf8'))
const totalMinutes = Object.values(minutes).reduce((sum, each) => sum + each, 0)
const all = mergeStages([
  checks,
  vitest,
  browser,
  compareCounts(budget, { Vitest: vitest, Browser: browser }),
  compareTime(budget, totalMinutes, process.env['STRICT_TIME'] === '1'),
])

console.log('\nMinutes')
for (const [name, each] of Object.entries(minutes)) console.log(`${each.toFixed(1).padStart(6)}  ${name}`)
console.log('\nSlowest files, in seconds')
for (const { name, ms } of all.files.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST))
  console.log(`${(ms / 1000).toFixed(1).padStart(6)}  ${relative('.', name)}`)
console.log('')
for (const note of all.notes) console.log(note)
console.log(`${all.passed} passed, ${all.failed} failed${all.skipped ? `, ${all.skipped} skipped` : ''}`)
process.exit(all.failed === 0 ? 0 : 1)
