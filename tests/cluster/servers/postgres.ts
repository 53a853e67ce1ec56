import { execFile } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { launcherFor } from '../../../gateway/store/postgres-account.ts'
import { findBinaries } from '../../../gateway/store/postgres-binaries.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { openDisk, type OwnDisk } from './disk.ts'
import { program, type Program, until } from './program.ts'

export const DATABASE = 'cluster'
export const SUPERUSER = 'gateway'

/** One PostgreSQL server of a pair. */
export interface PostgresServer {
  port: number
  program: Program
}

/** Primary with synchronous replication to its standby. */
export interface PostgresPair {
  primary: PostgresServer
  standby: PostgresServer
  /** Promotes the standby, as a supervisor does when the primary has failed. */
  promote(): Promise<void>
  /** Disk of the primary; none unless requested and permitted. */
  disk: OwnDisk | undefined
  /** Restarts the killed primary. */
  primaryComesBack(): Promise<void>
}

/** Reason why a pair cannot run; undefined if it can. */
export function whyNoPair(): string | undefined {
  try {
    const { bin } = findBinaries(process.env['PG_BIN'])
    return existsSync(join(bin, 'pg_basebackup')) ? undefined : 'pg_basebackup of PostgreSQL'
  } catch {
    return 'PostgreSQL 15 or newer'
  }
}

// Tests kill a program, not the machine: its writes are in the system's memory.
const SETTINGS = {
  fsync: 'off',
  wal_level: 'replica',
  max_connections: '120',
  max_wal_size: '128MB',
  shared_buffers: '64MB',
  hot_standby: 'on',
  wal_receiver_status_interval: '1s',
}

/** Size of the primary's own disk, in megabytes: with WAL it uses a tenth of that. */
const DISK = 1_500

/** Starts both, with an empty database. */
export async function startPostgresPair(
  directory: string,
  { host = '127.0.0.1', hasDisk = false }: { host?: string; hasDisk?: boolean } = {},
): Promise<PostgresPair> {
  const { bin } = findBinaries(process.env['PG_BIN'])
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  const { account, wrap, spawn } = launcherFor(join(directory, 'primary'), [join(bin, 'postgres'), directory])
  const run = (name: string, ...args: string[]) => {
    const [file = '', ...rest] = wrap([join(bin, name), ...args])
    return promisify(execFile)(file, rest, { cwd: '/', ...spawn })
  }
  const place = (name: string) => {
    const path = join(directory, name)
    rmSync(path, { recursive: true, force: true })
    mkdirSync(path, { mode: 0o700 })
    if (account) chownSync(path, account.uid, account.gid)
    return path
  }
  const server = async (name: string, path: string): Promise<PostgresServer> => {
    const port = await freePort()
    const settings = {
      ...SETTINGS,
      listen_addresses: host,
      port: String(port),
      unix_socket_directories: path,
      cluster_name: name,
    }
    const flags = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])
    const words = wrap([join(bin, 'postgres'), '-D', path, ...flags])
    return { port, program: program(words, { logFile: join(directory, `${name}.log`) }) }
  }
  const say = (at: PostgresServer, statement: string) =>
    run('psql', '-h', host, '-p', String(at.port), '-U', SUPERUSER, '-d', 'postgres', '-XAtc', statement)
  const answers = (at: PostgresServer, statement: string) =>
    say(at, statement).then(
      ({ stdout }) => stdout.trim() === 't',
      () => false,
    )

  const primaryPath = place('primary')
  const disk = hasDisk ? openDisk(primaryPath, DISK, account) : undefined
  await run('initdb', '-D', primaryPath, '-U', SUPERUSER, '--auth=trust', '-E', 'UTF8', '--locale=C', '-N')
  const primary = await server('primary', primaryPath)
  primary.program.start()
  await until('the primary answers', () => answers(primary, 'select true'))
  await say(primary, `create database ${DATABASE}`)
  const standbyPath = place('standby')
  const from = `host=${host} port=${primary.port} user=${SUPERUSER}`
  // With a slot, as documented: without one a crash may delete WAL that the standby still needs, and commits block without limit.
  await run(
    'pg_basebackup',
    '-D',
    standbyPath,
    '-d',
    from,
    '-R',
    '-C',
    '-S',
    'standby',
    '-X',
    'stream',
    '-c',
    'fast',
    '-N',
  )
  const standby = await server('standby', standbyPath)
  standby.program.start()
  await until('the standby follows', () =>
    answers(primary, `select count(*) = 1 from pg_stat_replication where state = 'streaming'`),
  )
  await say(primary, `alter system set synchronous_standby_names = 'standby'`)
  await say(primary, 'select pg_reload_conf()')
  await until('the standby is synchronous', () =>
    answers(primary, `select count(*) = 1 from pg_stat_replication where sync_state = 'sync'`),
  )
  return {
    primary,
    standby,
    disk,
    async promote() {
      await say(standby, 'select pg_promote()')
    },
    async primaryComesBack() {
      await until('the primary answers again', async () => {
        if (primary.program.pid() === undefined) primary.program.start()
        return answers(primary, 'select not pg_is_in_recovery()')
      })
    },
  }
}
