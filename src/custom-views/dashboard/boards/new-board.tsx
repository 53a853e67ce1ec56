import { dashboard, type DashboardLine } from '../../../../contract/dashboards/dashboard.ts'
import { useAction } from '../../../data/use-action.ts'
import { t as translate, useT } from '../../../lib/i18n/i18n.ts'
import { MAX_TABS } from '../common/arrangement.ts'
import { NameDialog } from './name-dialog.tsx'
import { useBoardAddress, type OwnTabs } from './use-boards.ts'

/** Names a new dashboard, then opens it in the editor; it becomes a tab unless the tabs are full. */
export default function NewBoard(props: {
  boards: readonly DashboardLine[]
  tabs: OwnTabs
  close: () => void
}) {
  const { boards, tabs, close } = props
  const t = useT()
  const create = useAction(dashboard.operations.create, { feedback: 'both' })
  const { open } = useBoardAddress()
  return (
    <NameDialog
      title={t('boards:new')}
      name=""
      ok={t('boards:create')}
      action={create}
      close={close}
      save={async (Name) => {
        const created = await create.run({ Name }, () => translate('boards:made', { name: Name }))
        if (!created) return
        if (tabs.tabs && tabs.tabs.length < MAX_TABS)
          void tabs.save({
            start: tabs.start,
            tabs: [
              ...tabs.tabs.filter((id) => boards.some(({ DashboardID }) => DashboardID === id)),
              created.DashboardID,
            ],
          })
        close()
        open(created.DashboardID, { arranging: true })
      }}
    />
  )
}
