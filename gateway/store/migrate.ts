import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { QueryConfig } from 'pg'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import { type Compat, isAtMost, readCompat, worksSince } from './compat.ts'
import { toGatewayError } from './database-errors.ts'
import { type Db, type DbLog, raw, sql } from './db.ts'

/** One file of the migrations directory. */
export interface Migration {
  version: number
  name: string
  sha256: string
  text: string
}

export interface MigrateOptions {
  /** Stop after this version; the newest by default. */
  to?: number
  /**
   * The release of this program. Migrations of a later one, which gateways of that have run meanwhile, are accepted where they are
   * said to work with it; without it none is.
   */
  release?: string
  log?: DbLog
}

const FILE = /^(\d{4})_[a-z0-9_]+\.sql$/
/** setTimeout's longest delay, 24 days. */
const LONGEST_TIMER = 2 ** 31 - 1

/** Where the migrations are: beside the bundle of a program, or where the source keeps them. here  directory of the running file */
export const migrationsDirectory = (here: string): string => {
  const bundled = join(here, 'migrations')
  return existsSync(bundled) ? bundled : join(import.meta.dirname, 'migrations')
}

/**
 * Reads the migrations in their order.
 *
 * errors    when a name does not read NNNN_verb_noun.sql, two share a number, or there is no file at all
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
      // A checkout with other line ends is the same migration.
      const text = (await readFile(join(dir, name), 'utf8')).replaceAll('\r\n', '\n')
      return { version, name, text, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/**
 * Brings the database to the newest schema, forward only. Each file runs in its own transaction under a lock that all
 * gateways share, so any number of them may start at once.
 *
 * returns   the schema version reached and the names applied by this call
 * errors    when an applied file was edited, or the database has migrations this program does not know and does not work with
 */
export const migrate = async (
  db: Db,
  dir: string,
  { to = Infinity, release, log }: MigrateOptions = {},
): Promise<{ version: number; applied: string[] }> => {
  const all = await readMigrations(dir)
  const program = { all, compat: await readCompat(dir), release, log }
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
 * What `migrate` would do; changes nothing.
 *
 * returns   names, and whether the database has no schema at all
 * errors    as of `migrate`
 */
export const pendingMigrations = async (
  db: Db,
  dir: string,
  { release }: Pick<MigrateOptions, 'release'> = {},
): Promise<{ pending: string[]; isNew: boolean }> => {
  const all = await readMigrations(dir)
  const [table] = await db.query<{ exists: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as exists`,
  )
  const done = table?.exists ? await db.query<Applied>(sql`${raw(APPLIED)}`) : []
  verifyAll(done, { all, release })
  return { pending: all.slice(done.length).map(({ name }) => name), isNew: done.length === 0 }
}

/** The table of what was applied; one of before that had no `works_since`. Altered only then: who only reads it is not waited for. */
const LOG = `create table if not exists schema_migrations (version int primary key, name text not null, sha256 text not null,
    applied_at timestamptz not null default now(), works_since text);
  do $$ begin
    if not exists (select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'works_since') then
      alter table schema_migrations add column works_since text;
    end if;
  end $$`

/** Reads what was applied, from a table without `works_since` as well. */
const APPLIED = `select version, name, sha256, to_jsonb(m) ->> 'works_since' as since from schema_migrations m order by version`

/** Applies the first migration that is missing, or answers the version reached when none is. */
const step = async (
  db: Db,
  { all, compat, release, log }: Program,
  to: number,
): Promise<{ applied: string } | { version: number }> =>
  withoutTimeouts(db, async (run) => {
    await run(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.migrations})`)
    await run(LOG)
    const done = await run<Applied>(APPLIED)
    if (verifyAll(done, { all, release }) === 'later')
      log?.warn({ release }, 'database migrated by a later release, still compatible')
    const next = all[done.length]
    if (!next || next.version > to) return { version: done.at(-1)?.version ?? 0 }
    await run(next.text).catch((error: Error) => {
      throw new Error(`Migration ${next.name} failed: ${error.message}`, { cause: error })
    })
    await run('insert into schema_migrations (version, name, sha256, works_since) values ($1, $2, $3, $4)', [
      next.version,
      next.name,
      next.sha256,
      worksSince(compat, next.name),
    ])
    return { applied: next.name }
  })

type Applied = Pick<Migration, 'version' | 'name' | 'sha256'> & {
  /** The first release that works with it, if somebody said so. */
  since: string | null
}
/** What this program knows. */
interface Program extends Pick<MigrateOptions, 'release' | 'log'> {
  all: Migration[]
  compat: Compat | undefined
}
type Run = <R extends object>(text: string, values?: unknown[]) => Promise<R[]>

/**
 * One transaction without the time limits of the service: waiting for another gateway's migration, and the migration
 * itself, may take minutes.
 */
const withoutTimeouts = async <T>(db: Db, work: (run: Run) => Promise<T>): Promise<T> => {
  const client = await db.pool.connect().catch((error: unknown) => {
    throw toGatewayError(error)
  })
  const run: Run = async (text, values) =>
    (await client.query({ text, values, query_timeout: LONGEST_TIMER } as QueryConfig)).rows
  let broken = false
  try {
    await run('begin; set local statement_timeout = 0; set local lock_timeout = 0')
    const result = await work(run)
    await run('commit')
    return result
  } catch (error) {
    await run('rollback').catch(() => (broken = true))
    throw toGatewayError(error)
  } finally {
    client.release(broken)
  }
}

/**
 * The applied migrations must be the first of the known ones, unchanged; those of a later release must work with this one.
 *
 * returns  'later' when there are such
 */
const verifyAll = (
  done: readonly Applied[],
  { all, release }: Pick<Program, 'all' | 'release'>,
): 'known' | 'later' => {
  const later = done.filter((row, index) => verify(row, all, index) === 'later')
  for (const { name, since } of later)
    if (release === undefined || since === null || !isAtMost(since, release))
      throw new Error(`The database has migration ${name}, which this version of the gateway does not know`)
  return later.length > 0 ? 'later' : 'known'
}

/** An applied migration must be the known one of its place, unchanged, or come after all of these. */
const verify = (row: Applied, all: Migration[], index: number): 'known' | 'later' => {
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
