import { openBrowser, openPage, type Session } from './browser.ts'

/** Work of the main thread during a page load. CPU time instead of wall time, because other processes share the machine. */
export interface MainThread {
  /** CPU time of all tasks, ms. */
  cpuMs: number
  /** Time by which tasks of a phone four times slower exceed 50 ms, from the navigation, ms. */
  blockMs: number
  /** The part of `blockMs` after the first paint: total blocking time. */
  tbtMs: number
}

/** Factor by which a phone is slower than this machine. */
const SLOWDOWN = 4
/** Duration from which a task blocks, ms. */
const LONG_TASK_MS = 50
/** Traced time from the navigation, ms. */
const TRACED_MS = 9_000
const CATEGORIES = ['toplevel', 'blink.user_timing', 'loading', '__metadata']

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number
  tdur?: number
  args?: { name?: string; data?: { documentLoaderURL?: string; isOutermostMainFrame?: boolean } }
}

/** Loads an address in a new browser without throttling, and traces its main thread for nine seconds. */
export async function traceMainThread(url: string, session?: Session): Promise<MainThread> {
  const browser = await openBrowser()
  const { page } = await openPage(browser, { session })
  await browser.startTracing(page, { categories: CATEGORIES })
  await page.goto(url, { waitUntil: 'commit' })
  // oxlint-disable-next-line playwright/no-wait-for-timeout -- the traced time is part of the measure
  await page.waitForTimeout(TRACED_MS)
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  await browser.close()
  return mainThreadOf(trace.traceEvents, url)
}

/** Evaluates a trace; its times are in µs. Throws a RangeError if the trace does not contain the navigation. */
export function mainThreadOf(events: readonly TraceEvent[], url: string): MainThread {
  const navigation = events.find(
    ({ name, args }) => name === 'navigationStart' && args?.data?.documentLoaderURL?.startsWith(url),
  )
  if (!navigation) throw new RangeError(`The trace contains no navigation to ${url}`)
  const { pid, ts: start } = navigation
  const main = events.find(
    (event) => event.pid === pid && event.name === 'thread_name' && event.args?.name === 'CrRendererMain',
  )
  const paint = events.find(
    (event) => event.pid === pid && event.name === 'firstContentfulPaint' && event.ts >= start,
  )
  const tasks = events.filter(
    ({ name, ph, pid: process, tid, ts, tdur }) =>
      name.endsWith('RunTask') &&
      ph === 'X' &&
      process === pid &&
      tid === main?.tid &&
      ts >= start &&
      ts < start + TRACED_MS * 1_000 &&
      tdur !== undefined,
  )
  const cpuOf = ({ tdur = 0 }: TraceEvent) => tdur / 1_000
  const blockOf = (task: TraceEvent) => Math.max(0, SLOWDOWN * cpuOf(task) - LONG_TASK_MS)
  const sum = (all: readonly TraceEvent[], of: (task: TraceEvent) => number) =>
    all.reduce((total, task) => total + of(task), 0)
  return {
    cpuMs: sum(tasks, cpuOf),
    blockMs: sum(tasks, blockOf),
    tbtMs: sum(
      tasks.filter(({ ts }) => ts >= (paint?.ts ?? Number.POSITIVE_INFINITY)),
      blockOf,
    ),
  }
}
