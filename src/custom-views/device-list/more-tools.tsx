import { AppstoreOutlined, BarsOutlined } from '@ant-design/icons'
import { Segmented } from 'antd'
import type { FC } from 'react'
import { useNavigate } from 'react-router'
import { useT } from '../../lib/i18n/i18n.ts'
import { ColumnMenu } from '../../record-kit/column-menu.tsx'
import type { ListAddress } from './use-list-address.ts'
import type { PathFilter } from './use-listed-rows.ts'
import type { SavedView } from '../../../contract/people/personal-calls.ts'
import { readListQuery, writeListQuery, type ListQuery } from '../../../contract/lists/list-query.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useHomes, useCurrentHome, useDevices } from '../../data/homes.ts'
import { ViewsMenu } from '../../record-kit/views/views-menu.tsx'
import { usePowerWords } from './device-filters.tsx'

interface Props {
  homeId: string
  query: ListQuery
  /** Conditions that the route fixes, which are not part of a view. */
  fixed: { kind: boolean; room: boolean }
}

const DeviceViews: FC<Props> = ({ homeId, query, fixed }) => {
  const navigate = useNavigate()
  const describeView = useViewWords()
  const currentQuery: ListQuery = {
    ...query,
    ...(fixed.kind && { kind: undefined }),
    ...(fixed.room && { RoomID: undefined }),
  }
  // Rooms and hubs belong to one home.
  const HomeID = currentQuery.RoomID === undefined && currentQuery.hub === undefined ? null : homeId

  /** Opens a view; in the list of all devices if the view sets what this route fixes. */
  const openView = (view: SavedView) => {
    const { kind, RoomID } = readListQuery(view.Query)
    const currentLabel =
      (view.HomeID ?? homeId) === homeId && !(fixed.kind && kind) && !(fixed.room && RoomID !== undefined)
    const pathname = pathTo('DeviceList', { HomeID: view.HomeID ?? homeId })
    void navigate({ ...(!currentLabel && { pathname }), search: view.Query })
  }
  return (
    <ViewsMenu
      now={{ List: 'device', Query: writeListQuery(currentQuery), HomeID }}
      openView={openView}
      describe={describeView}
      homeId={homeId}
    />
  )
}

/** Text for a view, e.g. 「燈」 · 電燈開關 · 總部 · 走廊 · 依房間. */
function useViewWords(): (view: SavedView) => string {
  const t = useT()
  const homes = useHomes()
  const inWatts = usePowerWords()
  const devices = useDevices(useCurrentHome()?.HomeID)
  return ({ Query, HomeID }) => {
    const { search, state, kind, RoomID, hub, watts, sort, descending } = readListQuery(Query)
    const home = homes?.find((candidate) => candidate.HomeID === HomeID)
    const column = t(`devices:columns.${sort}`)
    const hubs = devices.data?.Things
    return [
      search && t('lists:views.search', { search }),
      state && t(`devices:listStates.${state}`),
      kind && t(`devices:categories.${kind}`),
      home?.HomeName,
      home?.RoomList.find((room) => room.RoomID === RoomID)?.RoomName,
      hub && (hubs?.find(({ ThingName }) => ThingName === hub)?.DeviceName ?? hub),
      watts && inWatts(watts),
      descending
        ? t('lists:views.descending', { column })
        : sort !== 'name' && t('lists:views.by', { column }),
    ]
      .filter(Boolean)
      .join(' · ')
  }
}

/** Columns that can be hidden; the name is always shown. */
const COLUMNS = ['state', 'age', 'room', 'kind', 'hub'] as const

export type ListLayout = 'table' | 'cards'

export interface MoreToolsProps {
  HomeID: string
  Category: string | undefined
  fixed: PathFilter
  address: ListAddress
  isWide: boolean
  layout: ListLayout
  arrange: (layout: ListLayout) => void
  columns: { hidden: ReadonlySet<string>; toggle: (key: string) => void }
  /** Keys of the columns that do not fit, joined by spaces. */
  omitted: string
}

const MoreTools: FC<MoreToolsProps> = (props) => {
  const { HomeID, Category, fixed, address, isWide, layout, arrange, columns, omitted } = props
  const t = useT()
  return (
    <>
      <DeviceViews
        homeId={HomeID}
        query={address}
        fixed={{ kind: Category !== undefined, room: fixed.RoomID !== undefined }}
      />
      {isWide && (
        <Segmented
          value={layout}
          aria-label={t('screens:devices.layout')}
          onChange={arrange}
          options={[
            { value: 'table', icon: <BarsOutlined />, title: t('screens:devices.table') },
            { value: 'cards', icon: <AppstoreOutlined />, title: t('screens:devices.cards') },
          ]}
        />
      )}
      {isWide && layout === 'table' && (
        <ColumnMenu
          columns={COLUMNS.map((key) => ({ key, title: t(`devices:columns.${key}`) }))}
          hidden={columns.hidden}
          omitted={omitted.split(' ')}
          toggle={columns.toggle}
        />
      )}
    </>
  )
}
export default MoreTools
