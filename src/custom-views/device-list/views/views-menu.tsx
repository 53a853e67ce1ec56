import { StarOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useState, type FC } from 'react'
import { useNavigate } from 'react-router'
import { LONGEST_QUERY, MOST_SAVED_VIEWS, type SavedView } from '../../../../contract/procedures/personal.ts'
import { readListQuery, writeListQuery, type ListQuery } from '../../../../contract/rules/list-query.ts'
import { pathTo } from '../../../paths.ts'
import { useHomes } from '../../../providers/homes.ts'
import { useT } from '../../../providers/i18n.ts'
import { usePersonalConfig } from '../../../providers/personal.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'

const SaveView = lazyPart(() => import('./save-view.tsx'), { over: true })
const ManageViews = lazyPart(() => import('./manage-views.tsx'), { over: true })

interface Props {
  homeId: string
  query: ListQuery
  /** What the route itself says: it is no part of a view. */
  fixed: { kind: boolean; room: boolean }
}

/** The views of the list that the person named: go to one, keep what stands in the address as one, manage them. */
export const ViewsMenu: FC<Props> = ({ homeId, query, fixed }) => {
  const t = useT()
  const navigate = useNavigate()
  const homes = useHomes()
  const { SavedViews } = usePersonalConfig()
  const [asking, setAsking] = useState<'save' | 'manage'>()

  const own: ListQuery = {
    ...query,
    ...(fixed.kind && { kind: undefined }),
    ...(fixed.room && { RoomID: undefined }),
  }
  const Query = writeListQuery(own)
  const HomeID = own.RoomID === undefined ? null : homeId
  const fault = !Query
    ? 'nothing'
    : Query.length > LONGEST_QUERY
      ? 'tooLong'
      : SavedViews.length >= MOST_SAVED_VIEWS
        ? 'tooMany'
        : undefined

  /** A view that sets what this route fixes is one of the list of all devices. */
  const go = (view: SavedView) => {
    const { kind, RoomID } = readListQuery(view.Query)
    const here =
      (view.HomeID ?? homeId) === homeId && !(fixed.kind && kind) && !(fixed.room && RoomID !== undefined)
    const pathname = pathTo('DeviceList', { HomeID: view.HomeID ?? homeId })
    void navigate({ ...(!here && { pathname }), search: view.Query })
  }
  const nameOf = (view: SavedView) => {
    const home = view.HomeID === homeId ? undefined : homes?.find((one) => one.HomeID === view.HomeID)
    return home ? t('lists:views.elsewhere', { name: view.Name, home: home.HomeName }) : view.Name
  }
  const views = SavedViews.flatMap((view, i) => {
    // A home that is gone, or that the person may not see any more, has no list.
    if (view.HomeID !== null && !homes?.some((home) => home.HomeID === view.HomeID)) return []
    const chosen = view.Query === Query && view.HomeID === HomeID
    return [
      {
        key: String(i),
        label: nameOf(view),
        role: 'menuitemradio',
        'aria-checked': chosen,
        onClick: () => go(view),
        chosen,
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
          selectedKeys: views.filter(({ chosen }) => chosen).map(({ key }) => key),
          items: [
            ...views.map(({ chosen: _chosen, ...item }) => item),
            ...(views.length > 0 ? [{ type: 'divider' as const }] : []),
            {
              key: 'save',
              label: fault ? t(`lists:views.${fault}`) : t('lists:views.save'),
              disabled: fault !== undefined,
              onClick: () => setAsking('save'),
            },
            ...(SavedViews.length > 0
              ? [{ key: 'manage', label: t('lists:views.manage'), onClick: () => setAsking('manage') }]
              : []),
          ],
        }}
      >
        <Button icon={<StarOutlined />} aria-label={t('lists:views.title')} title={t('lists:views.title')} />
      </Dropdown>
      {asking === 'save' && <SaveView view={{ Query, HomeID }} close={() => setAsking(undefined)} />}
      {asking === 'manage' && <ManageViews close={() => setAsking(undefined)} />}
    </>
  )
}
