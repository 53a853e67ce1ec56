import { FileRefused } from '../../../lib/spreadsheet/file-fault.ts'
import type { FromReader, ReaderCall, ReaderCalls, ToReader } from './messages.ts'

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
      const handleMessage = ({ data }: MessageEvent<FromReader>) => settle(() => resolve(data))
      worker.addEventListener('message', handleMessage, { once: true })
      worker.addEventListener('error', () => settle(() => reject(new FileRefused('notRead'))), { once: true })
      worker.postMessage(request, [])
    })

  return {
    async call<Name extends ReaderCall>(
      name: Name,
      request: ReaderCalls[Name]['request'],
    ): Promise<ReaderCalls[Name]['result']> {
      const answer = await sendRequest({ call: name, request } as ToReader)
      if ('refused' in answer) throw new FileRefused(answer.refused)
      return answer.result as ReaderCalls[Name]['result']
    },
    close: () => worker.terminate(),
  }
}
export type Reader = ReturnType<typeof createReader>
