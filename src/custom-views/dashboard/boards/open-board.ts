import { useSearchParams } from 'react-router'
import { usePersonalConfig } from '../../../data/personal.ts'
import { readTabs } from '../common/arrangement.ts'

/** Value in the address for the default cards, which every user has. */
export const DEFAULT_BOARD = 'usual'
/** Query parameter with the id of the open dashboard. */
export const BOARD = 'board'

/** Id of the open dashboard: from the address, else the person's start dashboard, else the default cards. */
export function useOpenBoard(): string {
  const [params] = useSearchParams()
  const { CustomDashboard } = usePersonalConfig()
  return params.get(BOARD) ?? readTabs(CustomDashboard).start ?? DEFAULT_BOARD
}
