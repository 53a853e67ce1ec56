import { StarOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useState, type FC } from 'react'
import { MAX_QUERY_LENGTH, MAX_SAVED_VIEWS, type SavedView } from '../../../contract/people/personal-calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useHomes } from '../../data/homes.ts'
import { usePersonalConfig } from '../../data/personal.ts'
import { lazyPart } from '../../ui/page/lazy.tsx'

const SaveView = lazyPart(() => import('./save-view.tsx'), { isOverlay: true })
const ManageViews = lazyPart(() => import('./manage-views.tsx'), { isOverlay: true })

interface Props {
  /** Filters and order of the current address. */
  now: Omit<SavedView, 'Name'>
  openView: (view: SavedView) => void
  /** Text of a view's filters and order. */
  describe: (view: SavedView) => string
  /** Home of the page; views of another home name it. */
  homeId?: string
}

/** Menu of the user's saved views of a list: open one, save the current address as one, manage them. */
export const ViewsMenu: FC<Props> = ({ now, openView, describe, homeId }) => {
  const t = useT()
  const homes = useHomes()
  /** Name of a view in the menu; undefined if its home was deleted or is no longer visible to the user. */
  const nameOf = ({ Name, HomeID }: SavedView) => {
    if (HomeID === null || HomeID === homeId) return Name
    const home = homes?.find((candidate) => candidate.HomeID === HomeID)
    return home && t('lists:views.elsewhere', { name: Name, home: home.HomeName })
  }
  const [dialog, setDialog] = useState<'save' | 'manage'>()
  const savedViews = usePersonalConfig().SavedViews.filter(({ List }) => List === now.List)
  const fault = !now.Query
    ? 'nothing'
    : now.Query.length > MAX_QUERY_LENGTH
      ? 'tooLong'
      : savedViews.length >= MAX_SAVED_VIEWS
        ? 'tooMany'
        : undefined
  const views = savedViews.flatMap((view, i) => {
    const label = nameOf(view)
    if (label === undefined) return []
    const isCurrent = view.Query === now.Query && view.HomeID === now.HomeID
    return [
      {
        key: String(i),
        label,
        role: 'menuitemradio',
        'aria-checked': isCurrent,
        onClick: () => openView(view),
        chosen: isCurrent,
      },
    ]
  })

  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{
          style: { maxHeight: '60vh', maxWidth: 'calc(100vw - 32px)', overflowY: 'auto' },
          selectable: true,
          selectedKeys: views.filter(({ chosen: isCurrent }) => isCurrent).map(({ key }) => key),
          items: [
            ...views.map(({ chosen: _chosen, ...item }) => item),
            ...(views.length > 0 ? [{ type: 'divider' as const }] : []),
            {
              key: 'save',
              label: fault ? t(`lists:views.${fault}`) : t('lists:views.save'),
              disabled: fault !== undefined,
              onClick: () => setDialog('save'),
            },
            ...(savedViews.length > 0
              ? [{ key: 'manage', label: t('lists:views.manage'), onClick: () => setDialog('manage') }]
              : []),
          ],
        }}
      >
        <Button icon={<StarOutlined />} aria-label={t('lists:views.title')} title={t('lists:views.title')} />
      </Dropdown>
      {dialog === 'save' && <SaveView view={now} close={() => setDialog(undefined)} />}
      {dialog === 'manage' && (
        <ManageViews list={now.List} describe={describe} close={() => setDialog(undefined)} />
      )}
    </>
  )
}
