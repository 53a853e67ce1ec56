import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a program is started with. */
export interface ProgramOptions {
  /** Where what it prints goes. */
  logFile: string
  env?: NodeJS.ProcessEnv
  /** Words before the command, e.g. those that enter a network of its own. */
  within?: readonly string[]
}

/** A server program that a test starts, stops and breaks. */
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

/** Ends every program that was started and still runs, without a word. */
export async function endAllPrograms(): Promise<void> {
  const ended = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)))
  killAll()
  await Promise.all(ended)
}

/**
 * A program that can be started again and again.
 *
 * command  asked at each start: a program that was replaced has other words
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
      // One that stands still hears nothing but SIGKILL.
      if (signal !== 'SIGKILL') ending.kill('SIGCONT')
      await ended
    },
  }
}

/** Whether a program can be run here. */
export const isInstalled = (name: string, ...args: string[]): boolean =>
  spawnSync(name, args, { stdio: 'ignore' }).error === undefined

/** Resolves when something is true; rejects with `what` when it has not become so in time. */
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

/** Whether somebody takes connections at a port of this machine, or of a network of its own. */
export const listens = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
