import { ExportFailed } from './fault.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import type { ExportPlan, Rows } from './table.ts'
import type { ExportFile, ExportWriter } from './writer.ts'

/**
 * Interval in ms at which the worker is pinged while a response is awaited, and number of unanswered pings after which it is considered
 * terminated.
 */
const PING_INTERVAL_MS = 2_500
const MAX_UNANSWERED_PINGS = 4

interface Waiting {
  resolve: (answer: FromWorker) => void
  reject: (error: Error) => void
}

/**
 * Writer in a worker; `close` terminates it at any time. Messages are sent one at a time. After a failure the worker accepts nothing more
 * and creates no file. Browsers terminate workers without an event, so the worker is pinged.
 *
 * errors  ExportFailed
 */
export function createWorkerWriter(plan: ExportPlan): ExportWriter & { close(): void } {
  const worker = new Worker(new URL('./export.worker.ts', import.meta.url), { type: 'module' })
  let awaited: Waiting | undefined
  let broken: ExportFailed | undefined
  let unanswered = 0
  let pinging: ReturnType<typeof setInterval> | undefined

  const stopPinging = () => {
    clearInterval(pinging)
    pinging = undefined
  }
  const send = (message: ToWorker, transfer: Transferable[] = []) => worker.postMessage(message, transfer)
  const fail = (error: ExportFailed) => {
    broken = error
    stopPinging()
    awaited?.reject(error)
  }
  const ping = () => {
    if (unanswered === MAX_UNANSWERED_PINGS)
      return fail(new ExportFailed('worker', 'The worker does not answer any more'))
    unanswered++
    send({ ping: true })
  }

  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    unanswered = 0
    if ('alive' in data) return
    stopPinging()
    if ('failed' in data) fail(new ExportFailed(data.failed, data.detail))
    else awaited?.resolve(data)
  })
  worker.addEventListener('error', ({ message }) => fail(new ExportFailed('worker', message)))
  worker.addEventListener('messageerror', () =>
    fail(new ExportFailed('worker', 'An answer of the worker could not be read')),
  )

  const request = (message: ToWorker, transfer?: Transferable[]) =>
    new Promise<FromWorker>((resolve, reject) => {
      if (broken) return reject(broken)
      awaited = { resolve, reject }
      unanswered = 0
      pinging ??= setInterval(ping, PING_INTERVAL_MS)
      send(message, transfer)
    })
  const ready = request({ plan })
  // The first call of `add` reports the error.
  ready.catch(() => {})

  return {
    async add(meter: number, rows: Rows) {
      await ready
      await request({ meter, rows }, [rows.buffer])
    },
    async end(): Promise<ExportFile> {
      await ready
      const answer = await request({ end: true })
      if (!('file' in answer)) throw new ExportFailed('unknown', 'The worker gave no file')
      return answer.file
    },
    close() {
      stopPinging()
      worker.terminate()
    },
  }
}
