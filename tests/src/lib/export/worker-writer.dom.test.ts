import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FromWorker, ToWorker } from '../../../../src/lib/export/messages.ts'
import type { ExportPlan } from '../../../../src/lib/export/table.ts'
import { createWorkerWriter } from '../../../../src/lib/export/worker-writer.ts'

/** Worker that accepts messages until it fails. */
class FakeWorker extends EventTarget {
  static last: FakeWorker
  constructor() {
    super()
    FakeWorker.last = this
  }
  postMessage(_message: ToWorker): void {
    queueMicrotask(() =>
      this.dispatchEvent(new MessageEvent<FromWorker>('message', { data: { accepted: true } })),
    )
  }
  terminate(): void {}
}

beforeEach(() => void vi.stubGlobal('Worker', FakeWorker))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

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

it('returns no file and does not wait if its worker broke between two messages', async () => {
  const writer = createWorkerWriter(plan)
  await writer.add(0, new Float64Array())
  FakeWorker.last.postMessage = () => {}
  FakeWorker.last.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }))
  await expect(writer.add(0, new Float64Array())).rejects.toThrow('out of memory')
  await expect(writer.end()).rejects.toThrow('out of memory')
})

describe('a worker that the browser ends silently', () => {
  const MINUTE = 60_000
  /** Sets the worker's reaction to messages. */
  const does = (what: (message: ToWorker, worker: FakeWorker) => void) => {
    const worker = FakeWorker.last
    worker.postMessage = (message) => what(message, worker)
  }
  const says = (worker: FakeWorker, data: FromWorker) =>
    worker.dispatchEvent(new MessageEvent('message', { data }))
  beforeEach(() => void vi.useFakeTimers())

  it('is given up if it never signals that it is ready', async () => {
    const writer = createWorkerWriter(plan)
    await writer.add(0, new Float64Array())
    does(() => {})
    const ended = writer.end().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(await ended).toMatchObject({ name: 'ExportFailed', fault: 'worker' })
    await expect(writer.add(0, new Float64Array())).rejects.toMatchObject({ fault: 'worker' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is not given up if it is only slow', async () => {
    const writer = createWorkerWriter(plan)
    await writer.add(0, new Float64Array())
    does((message, worker) => 'ping' in message && says(worker, { alive: true }))
    const adding = writer.add(0, new Float64Array())
    await vi.advanceTimersByTimeAsync(30 * MINUTE)
    says(FakeWorker.last, { accepted: true })
    await adding
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is no longer pinged after it is closed', async () => {
    const writer = createWorkerWriter(plan)
    await writer.add(0, new Float64Array())
    does(() => {})
    writer.add(0, new Float64Array()).catch(() => {})
    await vi.advanceTimersByTimeAsync(0)
    expect(vi.getTimerCount()).toBe(1)
    writer.close()
    expect(vi.getTimerCount()).toBe(0)
  })
})

it('says why its worker could not continue', async () => {
  const writer = createWorkerWriter(plan)
  await writer.add(0, new Float64Array())
  const worker = FakeWorker.last
  worker.postMessage = () =>
    worker.dispatchEvent(
      new MessageEvent<FromWorker>('message', { data: { failed: 'space', detail: 'no room' } }),
    )
  await expect(writer.end()).rejects.toMatchObject({ fault: 'space', message: 'no room' })
})

it('fails on an unreadable answer', async () => {
  const writer = createWorkerWriter(plan)
  await writer.add(0, new Float64Array())
  FakeWorker.last.postMessage = () => {}
  const added = writer.add(0, new Float64Array()).catch((error: unknown) => error)
  await Promise.resolve()
  FakeWorker.last.dispatchEvent(new MessageEvent('messageerror'))
  expect(await added).toMatchObject({ fault: 'worker' })
})
