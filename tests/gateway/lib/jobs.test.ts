import { afterEach, expect, it, vi } from 'vitest'
import type { Job } from '../../../gateway/kernel/feature.ts'
import { startJobs } from '../../../gateway/lib/jobs.ts'
import { holdClock } from '../../support/clock.ts'
import { createLogBook } from '../../support/log-book.ts'

const clock = holdClock()
let log = createLogBook()
let jobs: { close(): Promise<void> } | undefined
afterEach(() => jobs?.close())

function start(run: Job['run'], every = 1_000) {
  log = createLogBook()
  jobs = startJobs([{ name: 'a job', intervalMs: every, run }], { clock, log })
  return jobs
}
/** Lets pending work run as far as it can without the clock. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

it('runs first after its interval, and again after the interval from each end', async () => {
  const run = vi.fn<Job['run']>(async () => {})
  start(run)
  clock.advance(999)
  expect(run).toHaveBeenCalledTimes(0)
  clock.advance(1)
  await settle()
  clock.advance(1_000)
  expect(run).toHaveBeenCalledTimes(2)
})

it.each([
  ['hourly', 3_600_000],
  ['daily', 86_400_000],
])('runs %s jobs within minutes of the start, one after another', async (_, every) => {
  const [first, second] = [vi.fn<Job['run']>(async () => {}), vi.fn<Job['run']>(async () => {})]
  const all = [first, second].map((run, i) => ({ name: `job ${i}`, intervalMs: every, run }))
  jobs = startJobs(all, { clock, log: createLogBook() })
  clock.advance(300_000)
  expect([first, second].map((run) => run.mock.calls.length)).toEqual([1, 0])
  await settle()
  clock.advance(1_000)
  expect([first, second].map((run) => run.mock.calls.length)).toEqual([1, 1])
  clock.advance(every - 1_001)
  expect(first).toHaveBeenCalledTimes(1)
  clock.advance(1)
  expect(first).toHaveBeenCalledTimes(2)
})

it('runs again when the job itself requests it', async () => {
  const run = vi.fn<Job['run']>(async () => 10)
  start(run)
  clock.advance(1_000)
  await settle()
  clock.advance(10)
  expect(run).toHaveBeenCalledTimes(2)
})

it('never runs concurrently', async () => {
  let end = () => {}
  const run = vi.fn<Job['run']>(() => new Promise((resolve) => (end = resolve)))
  start(run)
  clock.advance(5_000)
  expect(run).toHaveBeenCalledTimes(1)
  end()
  await settle()
  clock.advance(1_000)
  expect(run).toHaveBeenCalledTimes(2)
  end()
})

it('runs again after a failure, and logs which job it was', async () => {
  const run = vi.fn<Job['run']>(() => Promise.reject(new Error('away')))
  start(run)
  clock.advance(1_000)
  await settle()
  expect(log.lines.at(-1)).toMatchObject({ fields: { job: 'a job' } })
  clock.advance(1_000)
  expect(run).toHaveBeenCalledTimes(2)
})

it('is stopped, and its current run is awaited', async () => {
  let end = () => {}
  let stopped = () => false
  const job = start((asked) => {
    stopped = asked
    return new Promise((resolve) => (end = resolve))
  })
  clock.advance(1_000)
  let closed = false
  const closing = job.close().then(() => (closed = true))
  await settle()
  expect([stopped(), closed]).toEqual([true, false])
  end()
  await closing
  expect(closed).toBe(true)
})
