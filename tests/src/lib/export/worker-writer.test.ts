import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { FromWorker, ToWorker } from '../../../../src/lib/export/messages.ts'
import type { ExportPlan } from '../../../../src/lib/export/table.ts'
import { createWorkerWriter } from '../../../../src/lib/export/worker-writer.ts'

/** A worker that takes what it is told until it breaks. */
class FakeWorker extends EventTarget {
  static last: FakeWorker
  constructor() {
    super()
    FakeWorker.last = this
  }
  postMessage(_message: ToWorker): void {
    queueMicrotask(() =>
      this.dispatchEvent(new MessageEvent<FromWorker>('message', { data: { taken: true } })),
    )
  }
  terminate(): void {}
}

beforeEach(() => void vi.stubGlobal('Worker', FakeWorker))
afterEach(() => void vi.unstubAllGlobals())

const plan: ExportPlan = {
  format: 'csv',
  oneWorkbook: false,
  zone: 'Asia/Taipei',
  fields: [],
  columns: [],
  timeHeading: '',
  isoHeading: '',
  name: 'x',
  meters: [{ PeripheralUID: 'a', PeripheralName: 'a' }],
  about: {},
}

it('gives no file and waits for nothing when its worker broke between two messages', async () => {
  const writer = createWorkerWriter(plan)
  await writer.add(0, new Float64Array())
  FakeWorker.last.postMessage = () => {}
  FakeWorker.last.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }))
  await expect(writer.add(0, new Float64Array())).rejects.toThrow('out of memory')
  await expect(writer.end()).rejects.toThrow('out of memory')
})
