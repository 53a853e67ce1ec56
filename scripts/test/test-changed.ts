/**
 * `npm run test:changed`: checks, and the tests that import a file that differs from origin/main; `npm run test:changed -- HEAD` from
 * another commit. Browser tests run only if they changed themselves; cluster and process tests never.
 */
import { execFileSync } from 'node:child_process'
import { findBrowser } from '../browser.ts'
import { ensureGatewayBuild, ensureWebBuild } from '../build-if-needed.ts'
import { run } from './stage.ts'

const since = process.argv[2] ?? defaultBase()
const projects = ['unit', 'wire', 'web'].map((project) => `--project=${project}`)

const passed = [
  await run('Checks', ['npm', 'run', '--silent', 'check']),
  await run('Vitest', ['npx', 'vitest', 'run', '--changed', since, '--passWithNoTests', ...projects]),
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

/** Builds only if a browser test will run. */
async function runChangedJourneys(): Promise<boolean> {
  const command = ['npx', 'playwright', 'test', `--only-changed=${since}`, '--pass-with-no-tests']
  const changed = execFileSync('git', ['diff', '--name-only', since], { encoding: 'utf8' })
  if (!/^tests\/e2e\//m.test(changed)) return true
  const browser = findBrowser({ shell: true })
  if (!browser) {
    console.error('no browser for the tests in tests/e2e')
    return false
  }
  if (!ensureWebBuild() || !ensureGatewayBuild()) return false
  return run('Browser tests', command, { env: { CHROMIUM_PATH: browser } })
}
