import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { HubDevice } from '../simulator/building/building.ts'
import type { Incident } from '../simulator/building/past.ts'

/** Work of a child process; `hub` names a simulated past that it keeps until it is stored. */
export type WorkerTask =
  | {
      kind: 'simulate'
      hub: string
      devices: readonly HubDevice[]
      until: number
      seed: number
      incidents: Readonly<Record<string, Incident>>
    }
  | { kind: 'store'; hub: string; database: string; tenant: string; HomeID: string }
  | { kind: 'rollUp'; database: string; meterIds: readonly number[] }

export interface WorkerAnswer {
  id: number
  /** Message of a failure. */
  error?: string
}

/** A child process that does one task after the other. */
export interface PastWorker {
  run(task: WorkerTask): Promise<void>
  stop(): void
}

export function startPastWorker(): PastWorker {
  const child: ChildProcess = fork(join(import.meta.dirname, 'demo-past-worker.ts'))
  const waiting = new Map<number, { resolve(): void; reject(error: Error): void }>()
  let lastId = 0
  let queue: Promise<unknown> = Promise.resolve()
  child.on('message', ({ id, error }: WorkerAnswer) => {
    const task = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) task?.resolve()
    else task?.reject(new Error(error))
  })
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('A process that fills in the past has ended'))
  })
  const send = (task: WorkerTask) =>
    new Promise<void>((resolve, reject) => {
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      child.send({ id, task })
    })
  return {
    run(task) {
      const result = queue.then(() => send(task))
      queue = result.catch(() => {})
      return result
    },
    stop: () => void child.kill(),
  }
}
