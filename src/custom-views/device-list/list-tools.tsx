import { AppstoreOutlined, BarsOutlined } from '@ant-design/icons'
import { Segmented } from 'antd'
import { useCallback, type FC, type ReactNode } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { ColumnMenu } from '../../record-kit/column-menu.tsx'
import listStyles from '../../record-kit/list/list.module.css'
import { SearchBox } from '../../ui/inputs/search-box.tsx'
import page from '../../ui/page/page.module.css'
import { DeviceExport } from './device-export.tsx'
import type { ListAddress } from './use-list-address.ts'
import type { Fixed, ListedRows } from './use-listed-rows.ts'
import { DeviceViews } from './views/device-views.tsx'

/** What is typed is searched for in rows that are all here, in ms. */
const SEARCH_PAUSE = 60
/** Columns that can be hidden; the name always shows. */
const COLUMNS = ['state', 'age', 'room', 'kind', 'hub'] as const

export type ListLayout = 'table' | 'cards'

interface Props {
  HomeID: string
  title: string
  Category: string | undefined
  fixed: Fixed
  address: ListAddress
  listed: ListedRows
  wide: boolean
  layout: ListLayout
  arrange: (layout: ListLayout) => void
  columns: { hidden: ReadonlySet<string>; toggle: (key: string) => void }
  /** Keys of the columns that the table has no room for, joined by spaces. */
  leftOut: string
  add: ReactNode
}

/** Search, views, layout, columns and export of the device list. */
export const ListTools: FC<Props> = (props) => {
  const { HomeID, title, Category, fixed, address, listed, wide, layout, arrange, columns, leftOut, add } =
    props
  const t = useT()
  const { change } = address
  const searchFor = useCallback((words: string) => change({ search: words }), [change])
  return (
    <div className={page.tools}>
      <SearchBox
        className={listStyles.search}
        value={address.search}
        label={t('screens:devices.search')}
        pause={SEARCH_PAUSE}
        search={searchFor}
      />
      <DeviceViews
        homeId={HomeID}
        query={address}
        fixed={{ kind: Category !== undefined, room: fixed.RoomID !== undefined }}
      />
      {wide && (
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
      {wide && layout === 'table' && (
        <ColumnMenu
          columns={COLUMNS.map((key) => ({ key, title: t(`devices:columns.${key}`) }))}
          hidden={columns.hidden}
          leftOut={leftOut.split(' ')}
          toggle={columns.toggle}
        />
      )}
      <DeviceExport name={title} rows={listed.query.data && listed.rows} roomName={listed.roomName} />
      {wide && add}
    </div>
  )
}
