import { useSearchParams } from 'react-router'
import { usePersonalConfig } from '../../../data/personal.ts'
import { readTabs } from '../arrangement.ts'

/** In the address, the usual cards: what everybody has. */
export const DEFAULT_BOARD = 'usual'
/** The parameter of the address that names the open dashboard. */
export const BOARD = 'board'

/** The open dashboard: the one in the address, else the one that the person begins with, else the usual cards. */
export function useOpenBoard(): string {
  const [params] = useSearchParams()
  const { CustomDashboard } = usePersonalConfig()
  return params.get(BOARD) ?? readTabs(CustomDashboard).start ?? DEFAULT_BOARD
}
