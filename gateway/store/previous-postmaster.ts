import { execFileSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_INTERVAL_MS = 25
/** Greater than any system's process ids, so never in use. */
const NO_PID = 2 ** 31 - 1

/**
 * Cleans up after a server that this process did not stop: an orphan gets `timeoutMs` ms to stop; one that is dead but not yet reaped, or
 * whose process id was reused, loses its lock files. The caller owns the directory, so no other gateway's server can be running there.
 */
export const stopPreviousPostmaster = async (
  cluster: string,
  socketDir: string,
  timeoutMs: number,
): Promise<void> => {
  const file = join(cluster, 'postmaster.pid')
  const end = Date.now() + timeoutMs
  for (let isSignaled = false; ;) {
    const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN
    if (!(pid > 0) || pid === NO_PID || !exists(pid)) break
    if (!isServing(pid, cluster)) {
      clearPid(file)
      break
    }
    if (Date.now() > end) throw new Error(`The previous PostgreSQL, process ${pid}, does not stop`)
    if (!isSignaled) process.kill(pid, 'SIGINT')
    isSignaled = true
    await sleep(POLL_INTERVAL_MS)
  }
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) rmSync(join(socketDir, name), { force: true })
}

/**
 * Replaces the process id in a dead server's lock file. PostgreSQL would take the zombie for a running server; the rest of the file
 * stays, because from it PostgreSQL detects whether children of the dead server still run.
 */
const clearPid = (file: string) => {
  const { uid, gid } = statSync(file)
  const lines = readFileSync(file, 'utf8').split('\n')
  const next = `${file}.next`
  writeFileSync(next, [NO_PID, ...lines.slice(1)].join('\n'), { mode: 0o600 })
  if (process.getuid?.() === 0) chownSync(next, uid, gid)
  renameSync(next, file)
}

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether a process is a live server of this cluster; a zombie has no working directory any longer. */
const isServing = (pid: number, cluster: string): boolean => {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === cluster
    const processLine = execFileSync('ps', ['-o', 'stat=,command=', '-p', `${pid}`], {
      encoding: 'utf8',
    }).trim()
    return !processLine.startsWith('Z') && processLine.includes(cluster)
  } catch {
    return false
  }
}
