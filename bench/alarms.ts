import { contractGuard } from './alarms/guard.ts'
import { guardWindows } from './alarms/guard-windows.ts'
import { flood } from './alarms/flood.ts'
import { listOfThousands } from './alarms/list.ts'
import { reportToPush } from './alarms/push.ts'
import { ensureBuilt } from './support/gateway.ts'
import type { Measure } from './support/measurement.ts'

export const name = 'alarms'
export const bar =
  'report that crosses a limit to its push accepted at rated load: p95 under 1 s; 5,000 alarms in 60 s: p95 of ingest at most 1.2 x, ' +
  'at most ten messages a person; 500 fires in 60 s, each to its push: p95 under 1 s; list of 10,000: first rows under 300 ms, a filter under 150 ms; ' +
  'guard: forecast crosses to load confirmed off, p95 under 20 s; no window of 1,000 exceeded without a word, none shed on partial data'

/** Benchmarks of the cost of alarms and of the delay of notifications. */
export const parts: Readonly<Record<string, Measure>> = {
  push: built(reportToPush),
  flood: built(flood),
  list: built(listOfThousands, { web: true }),
  guard: built(contractGuard),
  windows: guardWindows,
}

function built(measure: Measure, parts: { web?: boolean } = {}): Measure {
  return (options) => {
    ensureBuilt(parts)
    return measure(options)
  }
}
