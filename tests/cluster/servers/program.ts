import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ProgramOptions {
  logFile: string
  env?: NodeJS.ProcessEnv
  /** Command prefix, e.g. one that enters a network. */
  within?: readonly string[]
}

/** Server program that a test starts, stops and breaks. */
export interface Program {
  start(): void
  /** Undefined while it does not run. */
  pid(): number | undefined
  signal(signal: NodeJS.Signals): void
  /** Sends a signal and resolves when it has ended. */
  end(signal: NodeJS.Signals): Promise<void>
}

const running = new Set<ChildProcess>()
const killAll = () => {
  for (const child of running) child.kill('SIGKILL')
}
process.on('exit', killAll)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Kills every program that was started and still runs. */
export async function endAllPrograms(): Promise<void> {
  const ended = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)))
  killAll()
  await Promise.all(ended)
}

/**
 * Program that can be restarted.
 *
 * command  evaluated at each start: a replaced program has another command line
 */
export function program(
  command: readonly string[] | (() => readonly string[]),
  options: ProgramOptions,
): Program {
  let child: ChildProcess | undefined
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null
  return {
    start() {
      const words = typeof command === 'function' ? command() : command
      const [file = '', ...args] = [...(options.within ?? []), ...words]
      const log = openSync(options.logFile, 'a')
      const started = spawn(file, args, {
        stdio: ['ignore', log, log],
        env: options.env ?? process.env,
        cwd: '/',
      })
      closeSync(log)
      running.add(started)
      started.once('exit', () => running.delete(started))
      child = started
    },
    pid: () => (isRunning() ? child?.pid : undefined),
    signal: (signal) => void child?.kill(signal),
    async end(signal) {
      const ending = child
      if (!ending || !isRunning()) return
      const ended = new Promise<void>((resolve) => ending.once('exit', () => resolve()))
      ending.kill(signal)
      // A suspended program handles no signal but SIGKILL.
      if (signal !== 'SIGKILL') ending.kill('SIGCONT')
      await ended
    },
  }
}

export const isInstalled = (name: string, ...args: string[]): boolean =>
  spawnSync(name, args, { stdio: 'ignore' }).error === undefined

/** Resolves when a condition is true; rejects with `what` after a timeout. */
export async function until(
  what: string,
  isTrue: () => Promise<boolean> | boolean,
  within = 60_000,
): Promise<void> {
  const end = performance.now() + within
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`Not within ${within / 1000} s: ${what}`)
    await sleep(20)
  }
}

/** Whether a server accepts connections at a port of this machine, or of a network of its own. */
export const listens = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
