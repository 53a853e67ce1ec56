/**
 * `npx tsx tests/support/record-release.ts`: records what the code of a release uses of its database, after its last change and before it
 * is tagged. `npm run release` rejects a release that was not recorded. Later migrations are checked against it
 * (tests/gateway/store/compat.test.ts): they run while gateways of that release still work.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastMigration } from '../../scripts/release/faults.ts'
import { createTestDb, MIGRATIONS, startTestPostgres } from './postgres.ts'
import { readSchema } from './read-schema.ts'

const ROOT = join(import.meta.dirname, '../..')
const RELEASED = join(ROOT, 'tests/gateway/store/released')
const TESTS = ['features/control', 'features/status', 'features/automation', 'features/alarms', 'features/energy', 'broker', 'gateways'] // prettier-ignore

const write = (file: string, value: unknown): void =>
  writeFileSync(join(RELEASED, file), `${JSON.stringify(value, undefined, 2)}\n`)

async function recordSchema(): Promise<void> {
  const server = await startTestPostgres()
  try {
    const { db, dropDatabase } = await createTestDb()
    write('schema.json', await readSchema(db))
    await dropDatabase()
  } finally {
    await server.stop()
  }
}

/** Records the statements that gateways prepare during the tests that use the database most. */
function recordStatements(): void {
  const directory = mkdtempSync(join(tmpdir(), 'statements-'))
  const file = join(directory, 'prepared')
  writeFileSync(file, '')
  const hook = join(ROOT, 'tests/support/note-statements.mjs')
  const { status } = spawnSync(
    'npx',
    ['vitest', 'run', '--project', 'wire', ...TESTS.map((path) => `tests/gateway/${path}`)],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, PREPARED_STATEMENTS: file, NODE_OPTIONS: `--import ${hook}` },
    },
  )
  if (status !== 0) throw new Error('What tests fail is not recorded')
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const statements = new Map(lines.map((line) => JSON.parse(line) as [string, string]))
  write('statements.json', Object.fromEntries([...statements].toSorted(([a], [b]) => (a < b ? -1 : 1))))
  rmSync(directory, { recursive: true })
}

/** Sets this release as the one that migrations are checked against; removals by earlier releases no longer count. */
function recordVersion(): void {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const migration = lastMigration(MIGRATIONS)
  const compat = { released: version, through: migration, steps: {} }
  writeFileSync(join(MIGRATIONS, 'compat.json'), `${JSON.stringify(compat, undefined, 2)}\n`)
}

await recordSchema()
recordStatements()
recordVersion()
spawnSync('npx', ['prettier', '--write', '--log-level', 'warn', RELEASED, MIGRATIONS], {
  cwd: ROOT,
  stdio: 'inherit',
})
