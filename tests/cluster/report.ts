import { percentile } from '../../bench/support/statistics.ts'
import type { Cluster } from './cluster.ts'

/** Prints the totals of a run and its results. */
export function report({ hubs, screens }: Cluster): void {
  const { acknowledged, heard, returns } = hubs.ledger
  const clicks = screens.flatMap((screen) => screen.clicks)
  const ends = new Map<string, number>()
  for (const { heard: states } of clicks) {
    const end = states.findLast(({ state }) => /^(confirmed|failed|timedOut)/.test(state))?.state ?? 'unheard'
    ends.set(end, (ends.get(end) ?? 0) + 1)
  }
  const outcomes = [...ends].map(([end, count]) => `${end} ${count}`).join(', ')
  console.log(
    `Readings acknowledged: ${acknowledged.length}. Commands: ${clicks.length} (${outcomes}), carried out ${
      heard.filter(({ done }) => done).length
    }, too late for a hub ${heard.filter(({ done }) => !done).length}. Hubs came back ${returns.length} times, ` +
      `after ${Math.round(percentile(returns, 0.5))} ms (median), ${Math.max(0, ...returns)} ms at most. ` +
      `Gaps: ${screens.reduce((sum, { gaps }) => sum + gaps.length, 0)}`,
  )
}
