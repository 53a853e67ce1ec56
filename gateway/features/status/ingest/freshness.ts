import type { Round } from './fold.ts'
import type { Report } from './report.ts'
import type { StoredRound } from './store-reports.ts'

/** Statuses of rounds by outcome: `taken` were stored, `passedOver` are older than those in the database. */
export interface RoundResult {
  taken: readonly Report[]
  passedOver: readonly Report[]
}

/** Splits the statuses of rounds by whether the database stored them. */
export function splitByFreshness(rounds: readonly Round[], results: readonly StoredRound[]): RoundResult {
  const roundResults = rounds.map((round, i) => splitRound(round, results[i]?.changed ?? []))
  const [first] = roundResults
  if (first && roundResults.length === 1) return first
  return {
    taken: roundResults.flatMap(({ taken }) => taken),
    passedOver: roundResults.flatMap(({ passedOver }) => passedOver),
  }
}

function splitRound({ statuses }: Round, changed: StoredRound['changed']): RoundResult {
  const count = changed.reduce((sum, home) => sum + home.count, 0)
  // Usually all are stored; when a hub sends its backlog, none.
  if (count === statuses.length) return { taken: statuses, passedOver: [] }
  if (count === 0) return { taken: [], passedOver: statuses }
  const keys = new Set(
    changed.flatMap((home) => home.statuses.map(({ PeripheralUID }) => `${home.tenant}/${PeripheralUID}`)),
  )
  const isAccepted = ({ device }: Report) => keys.has(device.key)
  return { taken: statuses.filter(isAccepted), passedOver: statuses.filter((report) => !isAccepted(report)) }
}
