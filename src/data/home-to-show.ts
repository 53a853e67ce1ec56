import type { HomeWithRooms } from '../../contract/resources/home.ts'
import { kept } from '../lib/storage-with-expiry.ts'
import { CURRENT_HOME_KEY } from './current-home-key.ts'

/** The home that is wanted, else the one that was shown last, else the first by name. */
export function homeToShow(
  homes: readonly HomeWithRooms[],
  isWanted: (homeId: string) => boolean,
): HomeWithRooms | undefined {
  const remembered = kept(CURRENT_HOME_KEY)
  return (
    homes.find(({ HomeID }) => isWanted(HomeID)) ??
    homes.find(({ HomeID }) => HomeID === remembered) ??
    homes[0]
  )
}
