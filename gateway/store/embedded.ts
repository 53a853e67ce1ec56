import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chownSync, existsSync, lstatSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { EMBEDDED_USER, type DbLog } from './db.ts'
import { acquireOwnership } from './owner-lock.ts'
import { type Launcher, launcherFor } from './postgres-account.ts'
import { findBinaries } from './postgres-binaries.ts'
import { stopPreviousPostmaster } from './previous-postmaster.ts'

export interface EmbeddedOptions {
  /** Parent of the cluster directory `pg`; created if missing. */
  dataDir: string
  /** Directory of the programs (PG_BIN); located automatically otherwise. */
  pgBin?: string
  /** Server settings that override the defaults. */
  settings?: Record<string, string>
  /** False trades durability for speed: only for disposable data. */
  isDurable?: boolean
  log: DbLog
}

/** Private PostgreSQL server that is kept running until stopped. */
export interface Embedded {
  /** For `openDb({ socketDir })`. */
  readonly socketDir: string
  /** Process id of the server; undefined during a restart. */
  pid(): number | undefined
  /** Stops the server cleanly: statements are cancelled, committed data is on disk. */
  stop(): Promise<void>
}

const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '128MB',
  wal_compression: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Failed statements are reported to their caller; their text may contain secrets.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_line_prefix: '',
  logging_collector: 'off',
}
const THROWAWAY = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** Maximum path length of a unix socket on all systems, minus the longest file name in that directory. */
const SOCKET_DIR_LENGTH = 103 - '/.s.PGSQL.5432.lock'.length
const START_TIMEOUT_MS = 30_000
const RETRY_MS = 100
const OWNER_TIMEOUT_MS = 1_000
const BACK_OFF = { first: 100, longest: 5_000 }
/** Uptime in ms after which a restart uses the shortest back-off. */
const HEALTHY_UPTIME_MS = 60_000
const SHUTDOWN_TIMEOUT_MS = 20_000
/** Errors of a starting server while the previous one is still shutting down. */
const CONFLICT_MESSAGE = /still in use|already exists|is another postmaster/

/**
 * Starts the private PostgreSQL of a data directory, creating the cluster if missing, and keeps it running: a crashed server is restarted
 * with a back-off, while the pool of `openDb` reconnects by itself.
 *
 * errors    if another gateway owns the directory, no PostgreSQL is found, or the server does not start
 */
export const startEmbedded = async (options: EmbeddedOptions): Promise<Embedded> => {
  const { log, isDurable = true } = options
  mkdirSync(options.dataDir, { recursive: true })
  const dataDir = realpathSync(options.dataDir)
  const cluster = join(dataDir, 'pg')
  const { bin } = findBinaries(options.pgBin, clusterMajor(cluster))
  const launcher = launcherFor(cluster, [join(bin, 'postgres'), cluster])
  const socketDir = socketDirOf(dataDir)
  makePrivate(socketDir, launcher)
  const owner = await waitForOwnership(socketDir)
  if (!owner) throw new Error(`Another gateway is running on the data directory ${dataDir}`)
  try {
    if (!existsSync(cluster)) await initializeCluster(bin, cluster, launcher, isDurable)
    const settings = { ...SETTINGS, ...(isDurable ? {} : THROWAWAY), ...options.settings }
    const command = launcher.wrap([
      join(bin, 'postgres'),
      `-D${cluster}`,
      `-k${socketDir}`,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ])
    const server = await supervise(() => startWithRetries(command, cluster, socketDir, launcher, log), log)
    return {
      socketDir,
      pid: server.pid,
      stop: async () => {
        await server.stop()
        await owner.release()
      },
    }
  } catch (error) {
    await owner.release()
    throw error
  }
}

/**
 * Socket directory of a data directory: within it, or if that path is too long for a socket, in the temporary directory, named after it.
 */
export const socketDirOf = (dataDir: string): string => {
  const inside = join(dataDir, 'pg.sock')
  if (inside.length <= SOCKET_DIR_LENGTH) return inside
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  return join(realpathSync(tmpdir()), `gateway-${name}`)
}

const clusterMajor = (cluster: string): number | undefined => {
  if (!existsSync(cluster)) return undefined
  const file = join(cluster, 'PG_VERSION')
  if (!existsSync(file)) throw new Error(`${cluster} exists but is not a PostgreSQL data directory`)
  return Number.parseInt(readFileSync(file, 'utf8'), 10)
}

/** Waits briefly, because a killed gateway may still be ending; undefined if the owner keeps running. */
const waitForOwnership = async (socketDir: string) => {
  const end = Date.now() + OWNER_TIMEOUT_MS
  for (;;) {
    const owner = await acquireOwnership(socketDir)
    if (owner || Date.now() > end) return owner
    await sleep(RETRY_MS)
  }
}

/** Creates a directory that only the server's account may enter. */
const makePrivate = (dir: string, { account }: Launcher) => {
  mkdirSync(dir, { mode: 0o700, recursive: true })
  const { uid, mode } = lstatSync(dir)
  const isOwn = uid === process.getuid?.() || uid === account?.uid
  // In a shared temporary directory, another account may have created it first.
  if (!isOwn || mode & 0o077) throw new Error(`${dir} is not a private directory of this gateway`)
  if (account) chownSync(dir, account.uid, account.gid)
}

/** Runs initdb in a temporary directory, which is renamed when complete, so that a kill leaves no partial cluster. */
const initializeCluster = async (bin: string, cluster: string, launcher: Launcher, isDurable: boolean) => {
  const draft = `${cluster}.init`
  await rm(draft, { recursive: true, force: true })
  makePrivate(draft, launcher)
  const [program = '', ...args] = launcher.wrap([
    join(bin, 'initdb'),
    `--pgdata=${draft}`,
    `--username=${EMBEDDED_USER}`,
    '--encoding=UTF8',
    '--locale=C',
    '--data-checksums',
    '--no-instructions',
    '--auth-local=trust',
    '--auth-host=reject',
    ...(isDurable ? [] : ['--no-sync']),
  ])
  await promisify(execFile)(program, args, { env: environment(), cwd: '/', ...launcher.spawn }).catch(
    (error: { stderr?: string; message: string }) => {
      throw new Error(`PostgreSQL could not make ${cluster}: ${(error.stderr || error.message).trim()}`)
    },
  )
  await rename(draft, cluster)
  const parent = await open(dirname(cluster))
  await parent.sync()
  await parent.close()
}

/** The gateway's environment contains secrets and is not passed to the server. */
const environment = () => ({ PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' })

/** Starts the server, retrying while the previous one is in its way. */
const startWithRetries = async (
  command: string[],
  cluster: string,
  socketDir: string,
  launcher: Launcher,
  log: DbLog,
): Promise<ChildProcess> => {
  const end = Date.now() + START_TIMEOUT_MS
  for (;;) {
    await stopPreviousPostmaster(cluster, socketDir, START_TIMEOUT_MS)
    try {
      return await launch(command, launcher, log)
    } catch (error) {
      if (!CONFLICT_MESSAGE.test((error as Error).message) || Date.now() > end) throw error
      await sleep(RETRY_MS)
    }
  }
}

/** Resolves when the server accepts connections; rejects with its last output if it exits before. */
const launch = (command: string[], launcher: Launcher, log: DbLog): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    const [program = '', ...args] = command
    const child = spawn(program, args, {
      cwd: '/',
      env: environment(),
      stdio: ['ignore', 'ignore', 'pipe'],
      // Separate process group: Ctrl-C in a terminal must reach the gateway first, which then stops the server.
      detached: true,
      ...launcher.spawn,
    })
    const lastLines: string[] = []
    child.once('error', reject)
    child.once('close', (code, signal) =>
      reject(new Error(`PostgreSQL did not start (${signal ?? code}): ${lastLines.join('; ')}`)),
    )
    createInterface({ input: child.stderr }).on('line', (line) => {
      lastLines.push(line)
      if (lastLines.length > 10) lastLines.shift()
      if (line.includes('ready to accept connections')) resolve(child)
      if (line.includes('No space left on device')) log.error({ line }, 'database disk full')
      else if (line.startsWith('PANIC')) log.error({ line }, 'PostgreSQL failed')
    })
  })

/** Keeps one server running. */
const supervise = async (start: () => Promise<ChildProcess>, log: DbLog) => {
  let child: ChildProcess | undefined
  let isStopping = false
  const stopped = new AbortController()
  const stopChild = () => child?.kill('SIGINT')
  process.on('exit', stopChild)

  const onStarted = (running: ChildProcess) => {
    child = running
    const since = Date.now()
    running.once('exit', (code, signal) => {
      child = undefined
      if (isStopping) return
      log.error({ code, signal }, 'PostgreSQL exited, restarting')
      restarting = restart(Date.now() - since > HEALTHY_UPTIME_MS ? BACK_OFF.first : backOff)
    })
  }
  let backOff = BACK_OFF.first
  let restarting: Promise<void> = Promise.resolve()
  const restart = async (delay: number): Promise<void> => {
    backOff = Math.min(delay * 2, BACK_OFF.longest)
    await sleep(delay, undefined, { signal: stopped.signal }).catch(() => {})
    if (isStopping) return
    try {
      onStarted(await start())
      log.info({ pid: child?.pid }, 'PostgreSQL restarted')
    } catch (error) {
      log.error({ err: error }, 'PostgreSQL did not start')
      return restart(backOff)
    }
  }

  try {
    onStarted(await start())
  } catch (error) {
    process.off('exit', stopChild)
    throw error
  }
  return {
    pid: () => child?.pid,
    stop: async () => {
      isStopping = true
      stopped.abort()
      await restarting
      if (child) await stopChildProcess(child)
      process.off('exit', stopChild)
    },
  }
}

const stopChildProcess = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    const forceTimer = setTimeout(() => child.kill('SIGQUIT'), SHUTDOWN_TIMEOUT_MS)
    child.once('exit', () => {
      clearTimeout(forceTimer)
      resolve()
    })
    child.kill('SIGINT')
  })
