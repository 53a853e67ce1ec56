import type { HomeWithRooms } from '../../contract/homes/home.ts'
import { getUnexpired } from '../lib/storage-with-expiry.ts'

/** Storage key of the last chosen home (§2, §9). */
export const CURRENT_HOME_KEY = 'currentHomeId'

/** The wanted home, else the one that was shown last, else the first by name. */
export function selectHome(
  homes: readonly HomeWithRooms[],
  isWanted: (homeId: string) => boolean,
): HomeWithRooms | undefined {
  const remembered = getUnexpired(CURRENT_HOME_KEY)
  return (
    homes.find(({ HomeID }) => isWanted(HomeID)) ??
    homes.find(({ HomeID }) => HomeID === remembered) ??
    homes[0]
  )
}
