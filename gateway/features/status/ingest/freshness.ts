import type { Round } from './fold.ts'
import type { Report } from './report.ts'
import type { StoredRound } from './store-reports.ts'

/** What became of the statuses of rounds: those that are stored, and those of which the database has a newer one. */
export interface RoundResult {
  taken: readonly Report[]
  passedOver: readonly Report[]
}

/** Which statuses of rounds the database took; each round with what became of it. */
export function splitByFreshness(rounds: readonly Round[], results: readonly StoredRound[]): RoundResult {
  const each = rounds.map((round, i) => judgeRound(round, results[i]?.changed ?? []))
  const [first] = each
  if (first && each.length === 1) return first
  return {
    taken: each.flatMap(({ taken }) => taken),
    passedOver: each.flatMap(({ passedOver }) => passedOver),
  }
}

function judgeRound({ statuses }: Round, changed: StoredRound['changed']): RoundResult {
  const count = changed.reduce((sum, home) => sum + home.count, 0)
  // Nearly always it takes all of them; while a hub sends what it kept, none.
  if (count === statuses.length) return { taken: statuses, passedOver: [] }
  if (count === 0) return { taken: [], passedOver: statuses }
  const keys = new Set(
    changed.flatMap((home) => home.statuses.map(({ PeripheralUID }) => `${home.tenant}/${PeripheralUID}`)),
  )
  const isTaken = ({ device }: Report) => keys.has(device.key)
  return { taken: statuses.filter(isTaken), passedOver: statuses.filter((one) => !isTaken(one)) }
}
