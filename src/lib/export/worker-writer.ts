import type { FromWorker, ToWorker } from './messages.ts'
import type { ExportPlan, Rows } from './table.ts'
import type { ExportFile, ExportWriter } from './writer.ts'

/**
 * The writer in a worker of its own; `close` ends it at any time. One message is on its way at a time. A worker that has broken
 * takes nothing more and gives no file.
 */
export function createWorkerWriter(plan: ExportPlan): ExportWriter & { close(): void } {
  const worker = new Worker(new URL('./export.worker.ts', import.meta.url), { type: 'module' })
  let settle: { resolve: (answer: FromWorker) => void; reject: (error: Error) => void } | undefined
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if ('failed' in data) settle?.reject(new Error(data.failed))
    else settle?.resolve(data)
  })
  let broken: Error | undefined
  worker.addEventListener('error', ({ message }) => {
    broken = new Error(message)
    settle?.reject(broken)
  })

  const ask = (message: ToWorker, transfer: Transferable[] = []) =>
    new Promise<FromWorker>((resolve, reject) => {
      if (broken) return reject(broken)
      settle = { resolve, reject }
      worker.postMessage(message, transfer)
    })
  const ready = ask({ plan })

  return {
    async add(meter: number, rows: Rows) {
      await ready
      await ask({ meter, rows }, [rows.buffer])
    },
    async end(): Promise<ExportFile> {
      await ready
      const answer = await ask({ end: true })
      if (!('file' in answer)) throw new Error('The worker gave no file')
      return answer.file
    },
    close: () => worker.terminate(),
  }
}
