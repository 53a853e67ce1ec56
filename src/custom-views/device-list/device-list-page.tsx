import { AppstoreOutlined, BarsOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Grid, Segmented } from 'antd'
import { memo, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { Link, useParams } from 'react-router'
import type { Maintenance } from '../../../contract/procedures/maintenance.ts'
import { ROW_KINDS } from '../../../contract/rules/list/list-query.ts'
import { faces } from '../device-control/faces.tsx'
import {
  countRows,
  deviceRows,
  filterRows,
  sortRows,
  type DeviceRow,
} from '../../domain/device/device-rows.ts'
import { Maintained } from '../../domain/device/maintained.ts'
import { useMaintenances } from '../../domain/device/use-device-notes.ts'
import { useKindName } from '../../domain/device/use-kind-name.ts'
import { pathTo } from '../../paths.ts'
import { useDevices, useHomes } from '../../data/homes.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useLiveHomes } from '../../live/live.ts'
import { statuses } from '../../data/status-store.ts'
import { useMay } from '../../data/session.ts'
import { whenSettled } from '../../data/when-settled.ts'
import { HasBulkBar } from '../../record-kit/bulk/has-bulk-bar.ts'
import listStyles from '../../record-kit/list/list.module.css'
import page from '../../ui/page/page.module.css'
import { ColumnMenu } from '../../record-kit/column-menu.tsx'
import { useColumnChoice } from '../../record-kit/use-column-choice.ts'
import { ListSkeleton, LoadFailed, Nothing } from '../../ui/page/states.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { SearchBox } from '../../ui/inputs/search-box.tsx'
import { useChoice } from '../../ui/table/use-choice.ts'
import { DeviceCards } from './device-cards.tsx'
import { DeviceExport } from './device-export.tsx'
import { DeviceFilters } from './device-filters.tsx'
import styles from './device-list.module.css'
import { DeviceTable } from './device-table.tsx'
import { useFillHeight } from '../../ui/table/use-fill-height.ts'
import { useListAddress, type ListAddress } from './use-list-address.ts'
import { DeviceViews } from './views/device-views.tsx'

const BulkBar = lazyPart(() => import('./bulk/bulk-bar.tsx'))
const DevicePanel = lazyPart(() => import('../device-panel/device-drawer.tsx'), { over: true })

function fetchAhead() {
  DevicePanel.ahead()
  BulkBar.ahead()
  faces.switches.ahead()
  faces.meter.ahead()
}

/** Columns that can be hidden; the name always shows. */
const COLUMNS = ['state', 'age', 'room', 'kind', 'hub'] as const
/** What is typed is searched for in rows that are all here, in ms. */
const SEARCH_PAUSE = 60
const LAYOUT_KEY = 'deviceList.layout'

const NOTHING: readonly Maintenance[] = []

/** Devices of a home, of one category or of one room: three routes, one view (§2). A panel opens over the list. */
export default function DeviceListPage() {
  const { HomeID = '', Category, RoomID } = useParams()
  const { device, list } = useListAddress()
  // What a click will need is there before it, also if the gateway goes away meanwhile.
  useEffect(() => whenSettled(fetchAhead), [])
  const maintenances = useMaintenances(useMay('device', 'Read'))
  return (
    <>
      <Maintained value={maintenances ?? NOTHING}>
        <DeviceList HomeID={HomeID} Category={Category} roomInPath={RoomID} address={list} />
      </Maintained>
      {device !== undefined && (
        <DevicePanel homeId={HomeID} id={device} close={() => list.change({ device: undefined })} />
      )}
    </>
  )
}

interface ListProps {
  HomeID: string
  Category: string | undefined
  roomInPath: string | undefined
  address: ListAddress
}

/** Not drawn again when a panel opens or closes. */
const DeviceList = memo(function DeviceList({ HomeID, Category, roomInPath, address }: ListProps) {
  const t = useT()
  const language = useLanguage()
  const wide = Grid.useBreakpoint().md ?? true
  const mayAdd = useMay('device', 'Create')
  const home = useHomes()?.find((entry) => entry.HomeID === HomeID)
  const query = useDevices(HomeID)
  const [layout, setLayout] = useState(() =>
    localStorage.getItem(LAYOUT_KEY) === 'cards' ? 'cards' : 'table',
  )
  const columns = useColumnChoice('device')
  const kindName = useKindName()
  const kindOf = useCallback((row: DeviceRow) => kindName(row, statuses.get(row.id)), [kindName])
  const { ref, height } = useFillHeight()
  useLiveHomes(HomeID ? [HomeID] : [])

  const roomNames = useMemo(() => new Map(home?.RoomList.map((room) => [room.RoomID, room.RoomName])), [home])
  const fixedRoom = roomInPath === undefined ? undefined : Number(roomInPath)
  const fixedKind = ROW_KINDS.find((kind) => kind === Category)
  const search = useDeferredValue(address.search)
  const filter = useMemo(
    () => ({ search, kind: fixedKind ?? address.kind, RoomID: fixedRoom ?? address.RoomID }),
    [search, fixedKind, address.kind, fixedRoom, address.RoomID],
  )

  const all = useMemo(() => {
    const rows = query.data ? deviceRows(query.data) : []
    return rows.filter(
      (row) =>
        (fixedRoom === undefined || row.RoomID === fixedRoom) &&
        (Category === undefined || row.kind === (fixedKind ?? '')),
    )
  }, [query.data, fixedRoom, fixedKind, Category])
  const counts = useMemo(() => countRows(all, filter, kindOf), [all, filter, kindOf])
  const rows = useMemo(
    () =>
      sortRows(
        filterRows(all, filter, kindOf),
        address.sort,
        address.descending,
        (row) => roomNames.get(row.RoomID) ?? '',
        language,
      ),
    [all, filter, kindOf, address.sort, address.descending, roomNames, language],
  )

  const title =
    fixedRoom !== undefined
      ? (roomNames.get(fixedRoom) ?? t('screens:devices.room'))
      : fixedKind
        ? t(`devices:categories.${fixedKind}`)
        : t('screens:devices.all')
  const filtered = address.search !== '' || address.kind !== undefined || address.RoomID !== undefined
  const { change } = address
  const open = useCallback((id: string) => change({ device: id }), [change])
  const searchFor = useCallback((words: string) => change({ search: words }), [change])
  const roomName = useCallback((id: number) => roomNames.get(id) ?? '', [roomNames])

  const choice = useChoice(useMemo(() => rows.filter(({ device }) => device).map(({ id }) => id), [rows]))
  const [isHeld, setHeld] = useState(false)
  const mayUpdate = useMay('device', 'Update')
  const mayControl = useMay('device_control', 'Control')
  const tickWords = useCallback(
    (row: DeviceRow) => (row.device ? t('lists:choose', { name: row.name }) : undefined),
    [t],
  )
  const ticks =
    mayUpdate || mayControl
      ? {
          chosen: choice.chosen,
          toggle: choice.toggle,
          toggleAll: choice.toggleAll,
          of: choice.of,
          allWords: t('lists:chooseAll'),
          words: tickWords,
        }
      : undefined
  const add = mayAdd && (
    <Link to={pathTo('AddDevices', { HomeID })}>
      <Button type="primary" icon={<PlusOutlined />}>
        {t('screens:devices.add')}
      </Button>
    </Link>
  )

  return (
    <section className={styles.page} aria-labelledby="devices-title">
      <header className={page.header}>
        <h1 id="devices-title">{title}</h1>
        {query.data && <span className={page.count}>{t('screens:list.count', { count: rows.length })}</span>}
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
            fixed={{ kind: Category !== undefined, room: fixedRoom !== undefined }}
          />
          {wide && (
            <Segmented
              value={layout}
              aria-label={t('screens:devices.layout')}
              onChange={(next) => {
                localStorage.setItem(LAYOUT_KEY, next)
                setLayout(next)
              }}
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
              toggle={columns.toggle}
            />
          )}
          <DeviceExport name={title} rows={query.data && rows} roomName={roomName} />
          {wide && add}
        </div>
      </header>
      {query.data && all.length > 0 && (
        <DeviceFilters
          address={address}
          counts={counts}
          rooms={home?.RoomList ?? []}
          byKind={!fixedKind}
          byRoom={fixedRoom === undefined}
        />
      )}
      {/* What was moved or renamed may be listed no more: how it went is told all the same. */}
      {(choice.chosen.size > 0 || isHeld) && (
        <HasBulkBar value={setHeld}>
          <BulkBar
            rows={rows.filter(({ id }) => choice.chosen.has(id))}
            rooms={home?.RoomList ?? []}
            clear={choice.clear}
          />
        </HasBulkBar>
      )}
      <div ref={ref}>
        {!query.data && query.error ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : !query.data ? (
          <ListSkeleton rows={10} />
        ) : all.length === 0 ? (
          <Nothing
            why={t(fixedRoom === undefined ? 'screens:devices.none' : 'screens:devices.noneInRoom')}
            next={add}
          />
        ) : rows.length === 0 ? (
          <Nothing
            why={t('screens:devices.noMatch')}
            next={
              filtered && (
                <Button onClick={() => address.change({ search: '', kind: undefined, RoomID: undefined })}>
                  {t('screens:list.clearFilters')}
                </Button>
              )
            }
          />
        ) : wide && layout === 'table' ? (
          <DeviceTable
            rows={rows}
            height={height}
            roomName={roomName}
            hidden={columns.hidden}
            address={address}
            open={open}
            ticks={ticks}
          />
        ) : (
          <DeviceCards
            rows={rows}
            height={height}
            roomName={roomName}
            linkTo={address.linkTo}
            open={open}
            ticks={ticks}
          />
        )}
      </div>
    </section>
  )
})
