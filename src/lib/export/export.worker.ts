/** Worker that writes export files, to keep the page responsive. */
import { faultOf } from './fault.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { createExportWriter, type ExportWriter } from './writer.ts'

const page = globalThis as unknown as {
  postMessage(message: FromWorker, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<ToWorker>) => void): void
  addEventListener(type: 'messageerror', listener: () => void): void
}
let writer: ExportWriter | undefined

async function handleMessage(message: Exclude<ToWorker, { ping: true }>): Promise<FromWorker> {
  if ('plan' in message) {
    writer = createExportWriter(message.plan)
    return { accepted: true }
  }
  if (!writer) throw new Error('There is no plan yet')
  if ('end' in message) return { file: await writer.end() }
  await writer.add(message.meter, message.rows)
  return { accepted: true }
}

const answer = (message: FromWorker) => page.postMessage(message, [])
const fail = (error: unknown) => answer({ failed: faultOf(error), detail: String(error) })

page.addEventListener('message', ({ data }) => {
  if ('ping' in data) answer({ alive: true })
  else handleMessage(data).then(answer, fail)
})
page.addEventListener('messageerror', () => fail(new Error('A message of the page could not be read')))
