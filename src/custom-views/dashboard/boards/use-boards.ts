import { useCallback } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useIsCurrentPage } from '../../../ui/page/page-history.tsx'
import { usePersonalConfig, savePersonalConfig } from '../../../data/personal.ts'
import { readTabs, MAX_TABS, writeTabs, type Tabs } from '../common/arrangement.ts'
import type { DashboardLine } from '../../../../contract/dashboards/dashboard.ts'
import { useAction } from '../../../data/use-action.ts'

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

/** Address and navigation to a dashboard of this page; each choice is a history entry. */
export function useBoardAddress(): {
  addressOf: (id: string) => string
  open: (id: string, options?: { arranging?: boolean; replace?: boolean }) => void
} {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const isStillHere = useIsCurrentPage()
  const addressOf = useCallback(
    (id: string) => {
      const next = new URLSearchParams(params)
      next.set(BOARD, id)
      return `?${next}`
    },
    [params],
  )
  return {
    addressOf,
    open: (id, { arranging = false, replace = false } = {}) => {
      if (isStillHere()) void navigate(addressOf(id), { replace, state: { arranging } })
    },
  }
}

export interface OwnTabs extends Tabs {
  /** Existing tabs: the chosen ones in order; if the person has chosen none, the first dashboards. */
  visibleBoards: (boards: readonly DashboardLine[]) => DashboardLine[]
  busy: boolean
  save: (tabs: Tabs, successText?: () => string) => Promise<boolean>
}

export function useTabs(): OwnTabs {
  const { CustomDashboard } = usePersonalConfig()
  const { start, tabs } = readTabs(CustomDashboard)
  const saving = useAction((change: Parameters<typeof savePersonalConfig>[0], send) =>
    savePersonalConfig(change, send),
  )
  return {
    start,
    tabs,
    visibleBoards: (boards) =>
      tabs === null
        ? boards.slice(0, MAX_TABS)
        : tabs.flatMap((id) => boards.find(({ DashboardID }) => DashboardID === id) ?? []),
    busy: saving.busy,
    save: async (next, successText) =>
      (await saving.run(
        { CustomDashboard: writeTabs(next, CustomDashboard), Seen: { CustomDashboard } },
        successText,
      )) !== undefined,
  }
}
