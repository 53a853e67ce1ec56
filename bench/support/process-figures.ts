import { readdirSync, readFileSync } from 'node:fs'

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It exited between listing and reading.
    return ''
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** CPU time of a process with all its threads, in µs (Linux: /proc); 0 if it has exited. */
export function cpuOf(pid: number): number {
  const threads = list(`/proc/${pid}/task`)
  const nanoseconds = threads.map((id) => Number(read(`/proc/${pid}/task/${id}/schedstat`).split(' ')[0]))
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1000
}

/** Private memory in use of a process, in MB: resident pages without files and shared memory. */
export const memoryOf = (pid: number): number =>
  Number(/RssAnon:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1]) / 1024

/** The child processes of a process, and theirs. */
export function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const entry of readdirSync('/proc')) {
    const parent = /^\d+ \(.*\) \S (\d+)/s.exec(/^\d+$/.test(entry) ? read(`/proc/${entry}/stat`) : '')?.[1]
    if (parent) parents.set(Number(entry), Number(parent))
  }
  const found = [pid]
  for (const ancestor of found) for (const [child, of] of parents) if (of === ancestor) found.push(child)
  return found.slice(1)
}

/** Share (0..1) of all cores that was busy between two calls. */
export function hostBusy(): () => number {
  const times = () => {
    const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, ...others] = read('/proc/stat')
      .split('\n', 1)[0]!
      .trim()
      .split(/\s+/)
      .slice(1, 9)
      .map(Number)
    const busy = user + nice + system + others.reduce((sum, one) => sum + one, 0)
    return { busy, all: busy + idle + ioWait }
  }
  const before = times()
  return () => {
    const now = times()
    return (now.busy - before.busy) / Math.max(1, now.all - before.all)
  }
}
