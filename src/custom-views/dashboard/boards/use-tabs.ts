import type { DashboardLine } from '../../../../contract/dashboards/dashboard.ts'
import { savePersonalConfig, usePersonalConfig } from '../../../data/personal.ts'
import { useAction } from '../../../data/use-action.ts'
import { MAX_TABS, readTabs, writeTabs, type Tabs } from '../common/arrangement.ts'

export interface OwnTabs extends Tabs {
  /** Existing tabs: the chosen ones in order; if the person has chosen none, the first dashboards. */
  shown: (boards: readonly DashboardLine[]) => DashboardLine[]
  busy: boolean
  save: (tabs: Tabs, done?: () => string) => Promise<boolean>
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
    shown: (boards) =>
      tabs === null
        ? boards.slice(0, MAX_TABS)
        : tabs.flatMap((id) => boards.find(({ DashboardID }) => DashboardID === id) ?? []),
    busy: saving.busy,
    save: async (next, done) =>
      (await saving.run(
        { CustomDashboard: writeTabs(next, CustomDashboard), Seen: { CustomDashboard } },
        done,
      )) !== undefined,
  }
}
