import { FileRefused } from '../../../lib/spreadsheet/file-fault.ts'
import type { BothKinds } from './both-kinds.ts'
import type { FromReader, Preview, ToReader } from './messages.ts'
import type { ReadRows } from './rows.ts'

/** Timeout of the worker. */
const PATIENCE = 90_000

/** Reader in a worker of its own; `close` terminates it at any time. */
export function createReader() {
  const worker = new Worker(new URL('./read.worker.ts', import.meta.url), { type: 'module' })

  /** Requests are sent one at a time, because answers carry no id. */
  let last: Promise<unknown> = Promise.resolve()
  const ask = (asked: ToReader): Promise<FromReader> => {
    const answer = last.then(() => askNow(asked))
    last = answer.catch(() => undefined)
    return answer
  }
  const askNow = (asked: ToReader) =>
    new Promise<FromReader>((resolve, reject) => {
      const late = setTimeout(() => {
        worker.terminate()
        reject(new FileRefused('notRead'))
      }, PATIENCE)
      const settle = (done: () => void) => {
        clearTimeout(late)
        done()
      }
      const take = ({ data }: MessageEvent<FromReader>) =>
        settle(() => ('refused' in data ? reject(new FileRefused(data.refused)) : resolve(data)))
      worker.addEventListener('message', take, { once: true })
      worker.addEventListener('error', () => settle(() => reject(new FileRefused('notRead'))), { once: true })
      worker.postMessage(asked, [])
    })

  return {
    open: async (asked: Extract<ToReader, { open: Blob }>): Promise<Preview> =>
      ((await ask(asked)) as { preview: Preview }).preview,
    read: async (asked: Extract<ToReader, { read: object }>): Promise<ReadRows> =>
      ((await ask(asked)) as { rows: ReadRows }).rows,
    sum: async (asked: Extract<ToReader, { sum: object }>): Promise<BothKinds> =>
      ((await ask(asked)) as { sums: BothKinds }).sums,
    close: () => worker.terminate(),
  }
}
export type Reader = ReturnType<typeof createReader>
