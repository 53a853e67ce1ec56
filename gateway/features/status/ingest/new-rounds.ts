import { type Db, isUniqueViolation } from '../../../store/db.ts'
import type { Round } from './fold.ts'
import { insertNewRound, storeRound, type StoredRound } from './store-reports.ts'

/** So many rounds are looked through for readings that are there already after one had some. */
const CAREFUL_ROUNDS = 50

/**
 * Stores rounds, each in a transaction of its own. Readings are mostly new, so that is tried first, which takes the database half
 * the work; hubs that send again what they sent before do so for a while, and then each round is looked through.
 */
export function createRoundStore(db: Db): (round: Round, now: number) => Promise<StoredRound> {
  let careful = 0

  return async (round, now) => {
    if (careful === 0)
      try {
        return await insertNewRound(db, round, now)
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        careful = CAREFUL_ROUNDS
      }
    const result = await storeRound(db, round, now)
    careful = result.stored < round.readings.length ? CAREFUL_ROUNDS : careful - 1
    return result
  }
}
