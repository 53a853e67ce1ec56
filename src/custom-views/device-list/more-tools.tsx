import { AppstoreOutlined, BarsOutlined } from '@ant-design/icons'
import { Segmented } from 'antd'
import type { FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { ColumnMenu } from '../../record-kit/column-menu.tsx'
import type { ListAddress } from './use-list-address.ts'
import type { PathFilter } from './use-listed-rows.ts'
import { DeviceViews } from './device-views.tsx'

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
