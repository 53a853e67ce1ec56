/** Writes export files away from the page, so that the page stays quick whatever is written. */
import type { FromWorker, ToWorker } from './messages.ts'
import { createExportWriter, type ExportWriter } from './writer.ts'

const page = globalThis as unknown as {
  postMessage(message: FromWorker, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<ToWorker>) => void): void
}
let writer: ExportWriter | undefined

async function take(message: ToWorker): Promise<FromWorker> {
  if ('plan' in message) {
    writer = createExportWriter(message.plan)
    return { taken: true }
  }
  if (!writer) throw new Error('There is no plan yet')
  if ('end' in message) return { file: await writer.end() }
  await writer.add(message.meter, message.rows)
  return { taken: true }
}

page.addEventListener('message', ({ data }) => {
  take(data).then(
    (answer) => page.postMessage(answer, []),
    (error: unknown) => page.postMessage({ failed: String(error) }, []),
  )
})
