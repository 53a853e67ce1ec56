import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { QueryConfig } from 'pg'
import { z } from 'zod'
import { type Db, raw, sql } from '../kernel/db.ts'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import { toGatewayError } from './database-errors.ts'
import type { DbLog } from './db.ts'

const Version = z.string().regex(/^\d+\.\d+\.\d+$/)

/** Effects of migrations since the last release on gateways of that release, which are still running when they are applied. */
export const Compat = z.object({
  /** Last release. Additive migrations need no entry and are compatible with it. */
  released: Version,
  /** Last migration of that release; steps are later ones. */
  through: z.string().optional(),
  /** Steps by file name of the migration. */
  steps: z.record(
    z.string(),
    z.object({
      /** Adds; removes; rewrites rows. */
      step: z.enum(['expand', 'contract', 'data']),
      /** For a contract step: first release whose code does not use what is removed. */
      since: Version.optional(),
      /** Removed objects, in the wording of the test that detects them. */
      breaks: z.array(z.string()).default([]),
      why: z.string().min(20),
    }),
  ),
})
export type Compat = z.infer<typeof Compat>

/** Reads compat.json of a migrations directory; undefined if missing. */
export async function readCompat(dir: string): Promise<Compat | undefined> {
  const text = await readFile(join(dir, 'compat.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : Compat.parse(JSON.parse(text))
}

/** First release whose gateways work on a database with this migration; null if unknown. */
const compatibleSince = (compat: Compat | undefined, name: string): string | null =>
  compat ? (compat.steps[name]?.since ?? compat.released) : null

/** Whether a version equals another one or precedes it. */
export const isAtMost = (version: string, other: string): boolean =>
  version.localeCompare(other, 'en', { numeric: true }) <= 0

interface Migration {
  version: number
  name: string
  sha256: string
  text: string
}

interface MigrateOptions {
  /** Last version to apply; defaults to the newest. */
  to?: number
  /**
   * Release of this program. Migrations of a later release, already applied by its gateways, are accepted if declared compatible; if
   * omitted, none is.
   */
  release?: string
  log?: DbLog
}

const FILE = /^(\d{4})_[a-z0-9_]+\.sql$/
/** Maximum delay of setTimeout, 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Directory of the migrations: next to a program's bundle, or in the source. here  directory of the running file */
export const migrationsDirectory = (directory: string): string => {
  const bundled = join(directory, 'migrations')
  return existsSync(bundled) ? bundled : join(import.meta.dirname, 'migrations')
}

/**
 * Reads the migrations in order.
 *
 * errors    if a name does not match NNNN_verb_noun.sql, two share a number, or there is no file at all
 */
export const readMigrations = async (dir: string): Promise<Migration[]> => {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort()
  if (!names.length) throw new Error(`No migrations in ${dir}`)
  return Promise.all(
    names.map(async (name, index) => {
      const version = Number(FILE.exec(name)?.[1])
      if (!version) throw new Error(`Migration ${name} must be called NNNN_verb_noun.sql`)
      const before = names[index - 1]
      if (before?.startsWith(name.slice(0, 4)))
        throw new Error(`Migrations ${before} and ${name} share a number`)
      // Line endings of a checkout do not matter.
      const text = (await readFile(join(dir, name), 'utf8')).replaceAll('\r\n', '\n')
      return { version, name, text, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/**
 * Migrates the database to the newest schema, forward only. Each file runs in its own transaction under a lock that all gateways share,
 * so any number of them may start concurrently.
 *
 * returns   schema version reached, and names applied by this call
 * errors    if an applied file was edited, or the database has migrations that this program does not know and is not compatible with
 */
export const migrate = async (
  db: Db,
  dir: string,
  { to = Infinity, release, log }: MigrateOptions = {},
): Promise<{ version: number; applied: string[] }> => {
  const migrations = await readMigrations(dir)
  const program = { migrations, compat: await readCompat(dir), release, log }
  const applied: string[] = []
  for (;;) {
    const next = await step(db, program, to)
    if ('version' in next) {
      if (applied.length) log?.info({ count: applied.length, last: applied.at(-1) }, 'migrated the database')
      return { version: next.version, applied }
    }
    applied.push(next.applied)
  }
}

/**
 * Migrations that `migrate` would apply; changes nothing.
 *
 * returns   names, and whether the database has no schema at all
 * errors    as of `migrate`
 */
export const pendingMigrations = async (
  db: Db,
  dir: string,
  { release }: Pick<MigrateOptions, 'release'> = {},
): Promise<{ pending: string[]; isNew: boolean }> => {
  const migrations = await readMigrations(dir)
  const [table] = await db.query<{ exists: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as exists`,
  )
  const applied = table?.exists ? await db.query<AppliedMigration>(sql`${raw(APPLIED)}`) : []
  verifyAll(applied, { migrations, release })
  return { pending: migrations.slice(applied.length).map(({ name }) => name), isNew: applied.length === 0 }
}

/**
 * Creates the table of applied migrations, or adds `works_since` to an older one. Altered only if needed, so as not to wait for readers.
 */
const LOG = `create table if not exists schema_migrations (version int primary key, name text not null, sha256 text not null,
    applied_at timestamptz not null default now(), works_since text);
  do $$ begin
    if not exists (select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'works_since') then
      alter table schema_migrations add column works_since text;
    end if;
  end $$`

/** Reads the applied migrations, also from a table without `works_since`. */
const APPLIED = `select version, name, sha256, to_jsonb(m) ->> 'works_since' as since from schema_migrations m order by version`

/** Applies the first missing migration, or returns the version reached if there is none. */
const step = async (
  db: Db,
  { migrations, compat, release, log }: Program,
  to: number,
): Promise<{ applied: string } | { version: number }> =>
  withoutTimeouts(db, async (run) => {
    await run(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.migrations})`)
    await run(LOG)
    const applied = await run<AppliedMigration>(APPLIED)
    if (verifyAll(applied, { migrations, release }) === 'later')
      log?.warn({ release }, 'database migrated by a later release, still compatible')
    const next = migrations[applied.length]
    if (!next || next.version > to) return { version: applied.at(-1)?.version ?? 0 }
    await run(next.text).catch((error: Error) => {
      throw new Error(`Migration ${next.name} failed: ${error.message}`, { cause: error })
    })
    await run('insert into schema_migrations (version, name, sha256, works_since) values ($1, $2, $3, $4)', [
      next.version,
      next.name,
      next.sha256,
      compatibleSince(compat, next.name),
    ])
    return { applied: next.name }
  })

type AppliedMigration = Pick<Migration, 'version' | 'name' | 'sha256'> & {
  /** First compatible release, if declared. */
  since: string | null
}
interface Program extends Pick<MigrateOptions, 'release' | 'log'> {
  migrations: Migration[]
  compat: Compat | undefined
}
type RunStatement = <R extends object>(text: string, values?: unknown[]) => Promise<R[]>

/** Runs one transaction without the usual timeouts: waiting for another gateway's migration, and the migration itself, may take minutes. */
const withoutTimeouts = async <T>(db: Db, task: (run: RunStatement) => Promise<T>): Promise<T> => {
  const client = await db.pool.connect().catch((error: unknown) => {
    throw toGatewayError(error)
  })
  const run: RunStatement = async (text, values) =>
    (await client.query({ text, values, query_timeout: MAX_TIMER_MS } as QueryConfig)).rows
  let isBroken = false
  try {
    await run('begin; set local statement_timeout = 0; set local lock_timeout = 0')
    const result = await task(run)
    await run('commit')
    return result
  } catch (error) {
    await run('rollback').catch(() => (isBroken = true))
    throw toGatewayError(error)
  } finally {
    client.release(isBroken)
  }
}

/**
 * Verifies that the applied migrations are the first known ones, unchanged, and that those of a later release are compatible.
 *
 * returns  'later' if there are such
 */
const verifyAll = (
  applied: readonly AppliedMigration[],
  { migrations, release }: Pick<Program, 'migrations' | 'release'>,
): 'known' | 'later' => {
  const later = applied.filter((row, index) => verify(row, migrations, index) === 'later')
  for (const { name, since } of later)
    if (release === undefined || since === null || !isAtMost(since, release))
      throw new Error(`The database has migration ${name}, which this version of the gateway does not know`)
  return later.length > 0 ? 'later' : 'known'
}

/** Verifies one applied migration: it is the known one at its position, unchanged, or comes after all known ones. */
const verify = (row: AppliedMigration, all: Migration[], index: number): 'known' | 'later' => {
  const file = all[index]
  if (file?.name === row.name) {
    if (file.sha256 === row.sha256) return 'known'
    throw new Error(`Migration ${row.name} was edited after it was applied; restore it and add a new one`)
  }
  if (file && all.some(({ name }) => name === row.name))
    throw new Error(
      `Migration ${file.name} comes before ${row.name}, which is applied already; give it a later number`,
    )
  if (!file) return 'later'
  throw new Error(`The database has migration ${row.name}, which this version of the gateway does not know`)
}
