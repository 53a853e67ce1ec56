/**
 * `npm run test:changed`: checks of the files that differ from origin/main, and the tests that they concern; `npm run test:changed -- HEAD`
 * from another commit. Browser tests run only if they changed themselves; cluster and process tests never.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { ensureGatewayBuild, ensureWebBuild } from '../build-if-needed.ts'
import { runPlaywright } from './browser.ts'
import { testsOfChange, imports } from './import-graph.ts'
import { run } from './stage.ts'

const since = process.argv[2] ?? defaultBase()
const changed = changedFiles()
const present = changed.filter((file) => existsSync(file))
const checks = [
  run('Types', ['npm', 'run', '--silent', 'types'], { beside: true }),
  ...(present.length
    ? [
        run('Format', ['npx', 'prettier', '--check', '--ignore-unknown', ...present], { beside: true }),
        run('Lint', ['npx', 'oxlint', '--deny-warnings', ...present], { beside: true }),
      ]
    : []),
]
const passed = [
  await run('Vitest', ['npx', 'vitest', 'run', ...testsOfChange(changed, imports)]),
  ...(await Promise.all(checks)),
  await runChangedJourneys(),
]
process.exit(passed.every(Boolean) ? 0 : 1)

/** origin/main, or the last commit in a checkout without it. */
function defaultBase(): string {
  try {
    execFileSync('git', ['rev-parse', '--verify', '--quiet', 'origin/main'])
    return 'origin/main'
  } catch {
    return 'HEAD'
  }
}

/** Files that were changed, deleted or created, committed or not. */
function changedFiles(): string[] {
  const list = (...command: string[]) =>
    execFileSync('git', command, { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line !== '')
  return [
    ...new Set([
      ...list('diff', '--name-only', '--no-renames', since),
      ...list('ls-files', '--others', '--exclude-standard'),
    ]),
  ]
}

/** Builds only if a browser test will run. */
async function runChangedJourneys(): Promise<boolean> {
  if (!changed.some((file) => file.startsWith('tests/e2e/'))) return true
  const outcome = await runPlaywright(
    () => ensureWebBuild() && ensureGatewayBuild(),
    [`--only-changed=${since}`, '--pass-with-no-tests'],
  )
  if (typeof outcome === 'string') console.error(`Browser tests: ${outcome}`)
  return outcome === true
}
