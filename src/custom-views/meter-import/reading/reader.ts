import { FileRefused } from '../../../lib/spreadsheet/file-fault.ts'
import type { BothKinds } from './both-kinds.ts'
import type { FromReader, Preview, ToReader } from './messages.ts'
import type { ReadRows } from './rows.ts'

/** Timeout of the worker. */
const TIMEOUT_MS = 90_000

/** Reader in a worker of its own; `close` terminates it at any time. */
export function createReader() {
  const worker = new Worker(new URL('./read.worker.ts', import.meta.url), { type: 'module' })

  /** Requests are sent one at a time, because answers carry no id. */
  let last: Promise<unknown> = Promise.resolve()
  const sendRequest = (request: ToReader): Promise<FromReader> => {
    const answer = last.then(() => postRequest(request))
    last = answer.catch(() => undefined)
    return answer
  }
  const postRequest = (request: ToReader) =>
    new Promise<FromReader>((resolve, reject) => {
      const timer = setTimeout(() => {
        worker.terminate()
        reject(new FileRefused('notRead'))
      }, TIMEOUT_MS)
      const settle = (finish: () => void) => {
        clearTimeout(timer)
        finish()
      }
      const handleMessage = ({ data }: MessageEvent<FromReader>) =>
        settle(() => ('refused' in data ? reject(new FileRefused(data.refused)) : resolve(data)))
      worker.addEventListener('message', handleMessage, { once: true })
      worker.addEventListener('error', () => settle(() => reject(new FileRefused('notRead'))), { once: true })
      worker.postMessage(request, [])
    })

  return {
    open: async (request: Extract<ToReader, { open: Blob }>): Promise<Preview> =>
      ((await sendRequest(request)) as { preview: Preview }).preview,
    read: async (request: Extract<ToReader, { read: object }>): Promise<ReadRows> =>
      ((await sendRequest(request)) as { rows: ReadRows }).rows,
    sum: async (request: Extract<ToReader, { sum: object }>): Promise<BothKinds> =>
      ((await sendRequest(request)) as { sums: BothKinds }).sums,
    close: () => worker.terminate(),
  }
}
export type Reader = ReturnType<typeof createReader>
