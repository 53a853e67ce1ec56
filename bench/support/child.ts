import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { atEnd } from './clean-up.ts'

/** A part of a measurement in a child process. */
export interface Child<Ready> {
  pid: number
  /** Its first message. */
  ready: Ready
  /** Sends a request and resolves with the answer. One request at a time. */
  request<Answer>(question: unknown): Promise<Answer>
  stop(): Promise<void>
}

/**
 * Runs a file of this directory as a child process. It sends a message when it is ready and ends when its parent does
 * (see `serveParent`).
 *
 * errors  if it exits before it is ready
 */
export async function startChild<Ready>(file: string, ...args: string[]): Promise<Child<Ready>> {
  const child = fork(join(import.meta.dirname, file), args, { execArgv: ['--import', 'tsx'] })
  const stop = () => end(child)
  atEnd(stop)
  const ready = (await nextMessage(child, file)) as Ready
  return {
    pid: child.pid as number,
    ready,
    async request<Answer>(question: unknown) {
      const answer = nextMessage(child, file)
      child.send(question as object)
      return (await answer) as Answer
    },
    stop,
  }
}

function nextMessage(child: ChildProcess, file: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`${file} ended`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message)
    })
  })
}

/** Ends a process with SIGTERM, and after five seconds with SIGKILL. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await exited
  clearTimeout(force)
}

/** In a child process: reports ready, answers requests, exits when the parent exits. */
export function serveParent(ready: object, answer: (question: never) => unknown = () => ({})): void {
  process.on('disconnect', () => process.exit())
  process.on('message', (question) => {
    void Promise.resolve(answer(question as never)).then((said) => process.send?.(said ?? {}))
  })
  process.send?.(ready)
}
