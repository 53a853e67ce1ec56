import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { launcherFor } from '../../gateway/store/postgres-account.ts'
import { findBinaries } from '../../gateway/store/postgres-binaries.ts'
import { freePort } from '../../scripts/free-port.ts'

const USER = 'gateway'
const SETTINGS = ['fsync=off', 'shared_buffers=16MB', 'listen_addresses=127.0.0.1', 'log_min_messages=panic']

/** PostgreSQL server of one test, reachable by TCP on this machine. */
export interface PostgresServer {
  port: number
  /** Sends a signal: SIGKILL is a crash, SIGSTOP a suspended machine. */
  signal(signal: NodeJS.Signals): void
  /** Promotes a standby to primary. */
  promote(): Promise<void>
  stop(): Promise<void>
}

/** Whether a standby can be created here: the npm package of PostgreSQL has no pg_basebackup. */
export function hasBaseBackup(): boolean {
  try {
    return existsSync(join(findBinaries(process.env.PG_BIN).bin, 'pg_basebackup'))
  } catch {
    return false
  }
}

/** URL of a database of several servers. */
export const urlOf = (...servers: readonly { port: number }[]): string =>
  `postgres://${USER}@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres?target_session_attrs=read-write`

/** Starts a server and its standby; when this resolves, the standby has every commit. */
export async function startPair(): Promise<{
  primary: PostgresServer
  standby: PostgresServer
  stop(): Promise<void>
}> {
  const dir = await mkdtemp(join(tmpdir(), 'pg-pair-'))
  const { bin } = findBinaries(process.env.PG_BIN)
  const launcher = launcherFor(join(dir, 'none'), [join(bin, 'postgres'), join(dir, 'none')])
  if (launcher.account) chownSync(dir, launcher.account.uid, launcher.account.gid)

  const run = async (program: string, ...programArgs: string[]) => {
    const [file = '', ...args] = launcher.wrap([join(bin, program), ...programArgs])
    await promisify(execFile)(file, args, { cwd: '/', ...launcher.spawn })
  }
  async function start(name: string): Promise<PostgresServer> {
    const port = await freePort()
    const sockets = join(dir, `${name}.sock`)
    mkdirSync(sockets)
    if (launcher.account) chownSync(sockets, launcher.account.uid, launcher.account.gid)
    const settings = SETTINGS.flatMap((setting) => ['-c', setting])
    const [file = '', ...args] = launcher.wrap([
      join(bin, 'postgres'),
      `-D${join(dir, name)}`,
      `-k${sockets}`,
      `-p${port}`,
      ...settings,
    ])
    const child = spawn(file, args, { cwd: '/', stdio: 'ignore', ...launcher.spawn })
    await answers(child, port)
    return {
      port,
      signal: (signal) => void child.kill(signal),
      promote: () => runQuery(port, 'select pg_promote()'),
      async stop() {
        if (child.exitCode !== null || child.signalCode !== null) return
        const exited = once(child, 'exit')
        child.kill('SIGCONT')
        child.kill('SIGKILL')
        await exited
      },
    }
  }

  await run(
    'initdb',
    `--pgdata=${join(dir, 'one')}`,
    `--username=${USER}`,
    '--auth=trust',
    '--locale=C',
    '--encoding=UTF8',
    '--no-sync',
  )
  const primary = await start('one')
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', USER]
  await run(
    'pg_basebackup',
    ...from,
    '-D',
    join(dir, 'two'),
    '--write-recovery-conf',
    '--checkpoint=fast',
    '--no-sync',
  )
  const standby = await start('two')
  return {
    primary,
    standby,
    async stop() {
      await Promise.all([primary.stop(), standby.stop()])
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function runQuery(port: number, text: string): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: USER, database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(text)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Waits until a started server accepts connections. */
async function answers(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    const error = await runQuery(port, 'select 1').catch((thrown: unknown) => thrown)
    if (!error) return
    if (child.exitCode !== null) throw new Error('PostgreSQL did not start', { cause: error })
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
