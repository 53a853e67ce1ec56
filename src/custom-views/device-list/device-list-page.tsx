import { formatWhole } from '../../../contract/kernel/numbers.ts'
import { useEffect, memo, useCallback, useMemo, useState, type ReactNode, type FC } from 'react'
import { useParams } from 'react-router'
import PlusOutlined from '@ant-design/icons-svg/es/asn/PlusOutlined.js'
import ReloadOutlined from '@ant-design/icons-svg/es/asn/ReloadOutlined.js'
import type { Maintenance } from '../../../contract/alarms/calls.ts'
import { useMay } from '../../data/session.ts'
import { onQueriesSettled } from '../../data/on-settled.ts'
import { DevicesInMaintenance } from '../../domain/devices/maintenance-tag.tsx'
import { useMaintenances } from '../../domain/devices/use-device-notes.ts'
import { Page } from '../../ui/page/page.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { faces } from '../../domain/devices/control/faces.tsx'
import { useListAddress, type ListAddress } from './use-list-address.ts'
import { WHOLE_LIST, LIST_STATES } from '../../../contract/lists/list-query.ts'
import type { DeviceRow, countRows } from '../../domain/devices/device-rows.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useLiveHomes } from '../../live/subscriptions.ts'
import { HasBulkBar } from '../../record-kit/bulk/has-bulk-bar.ts'
import { Icon } from '../../ui/plain/icon.tsx'
import page from '../../ui/page/page.module.css'
import { ButtonLink, PlainButton } from '../../ui/plain/plain-button.tsx'
import { useColumnChoice } from '../../record-kit/use-column-choice.ts'
import { LOCAL_DEBOUNCE_MS, SearchBox } from '../../ui/inputs/search-box.tsx'
import { FilterBar } from '../../ui/filter-bar/filter-bar.tsx'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { usePhone } from '../../ui/page/use-screen.ts'
import { useChoice } from '../../ui/table/use-choice.ts'
import { useFillHeight } from '../../ui/table/use-fill-height.ts'
import type { RowSelection } from '../../ui/table/virtual-table.tsx'
import { DeviceCards } from './device-cards.tsx'
import { useDeviceFilters } from './device-filters.tsx'
import styles from './device-list.module.css'
import { DeviceTable } from './device-table.tsx'
import { ListTools } from './list-tools.tsx'
import type { ListLayout } from './more-tools.tsx'
import { kindInPath, useListedRows, type ListedRows } from './use-listed-rows.ts'

interface StateChipsProps {
  address: ListAddress
  counts: ReturnType<typeof countRows>
}

/** Number of devices per state, worst first; each filters the list. */
const StateChips: FC<StateChipsProps> = ({ address: { state, change }, counts }) => {
  const t = useT()
  return (
    <fieldset
      className={`${page.buttons} ${styles.chips}`}
      aria-label={t('screens:devices.byState')}
      title={t('screens:devices.byStateHint')}
    >
      <Chip
        label={t('screens:devices.anyState')}
        count={counts.anyState}
        pressed={state === undefined}
        onClick={() => change({ state: undefined })}
      />
      {LIST_STATES.filter((listState) => counts.byState.has(listState) || state === listState).map(
        (listedState) => (
          <Chip
            key={listedState}
            sign={listedState}
            label={t(`devices:listStates.${listedState}`)}
            count={counts.byState.get(listedState) ?? 0}
            pressed={state === listedState}
            onClick={() => change({ state: state === listedState ? undefined : listedState })}
          />
        ),
      )}
    </fieldset>
  )
}

function Chip(props: { sign?: string; label: string; count: number; pressed: boolean; onClick: () => void }) {
  return (
    <button type="button" className={page.chip} aria-pressed={props.pressed} onClick={props.onClick}>
      {props.sign && <i className={styles.sign} data-state={props.sign} aria-hidden="true" />}
      {props.label} <span className={page.count}>{formatWhole(props.count)}</span>
    </button>
  )
}

const BulkBar = lazyPart(() => import('./bulk/bulk-bar.tsx'))
const TurnOffAll = lazyPart(() => import('./bulk/turn-off-all.tsx'), { isOverlay: true })

const LAYOUT_KEY = 'deviceList.layout'

interface Props {
  HomeID: string
  Category: string | undefined
  roomInPath: string | undefined
  address: ListAddress
}

/** Memoized: opening or closing a panel does not render it again. */
const DeviceList = memo(function DeviceList({ HomeID, Category, roomInPath, address }: Props) {
  const t = useT()
  const isWide = !usePhone()
  const mayAdd = useMay('device', 'Create')
  const mayControl = useMay('device_control', 'Control')
  const [layout, setLayout] = useState<ListLayout>(() =>
    localStorage.getItem(LAYOUT_KEY) === 'cards' ? 'cards' : 'table',
  )
  const columns = useColumnChoice('device')
  const [omittedColumns, setOmittedColumns] = useState('')
  useLiveHomes(HomeID ? [HomeID] : [])
  const RoomID = roomInPath === undefined ? undefined : Number(roomInPath)
  const kind = kindInPath(Category)
  const fixed = useMemo(() => ({ kind, RoomID }), [kind, RoomID])
  const listedRows = useListedRows(HomeID, Category, fixed, address)
  const { query, home, all, rows, roomName } = listedRows
  const rooms = home?.RoomList ?? []
  const filters = useDeviceFilters({
    address,
    counts: listedRows.counts,
    rooms,
    hubs: query.data?.Things ?? [],
    byKind: !kind,
    byRoom: RoomID === undefined,
  })
  const title =
    RoomID !== undefined
      ? roomName(RoomID) || t('screens:devices.room')
      : kind
        ? t(`devices:categories.${kind}`)
        : t('screens:devices.all')
  const add = mayAdd && (
    <ButtonLink main to={pathTo('AddDevices', { HomeID })}>
      <Icon of={PlusOutlined} />
      {t('screens:devices.add')}
    </ButtonLink>
  )
  const { change } = address
  const searchFor = useCallback((text: string) => change({ search: text }), [change])
  const arrange = (next: ListLayout) => {
    localStorage.setItem(LAYOUT_KEY, next)
    setLayout(next)
  }
  return (
    <Page
      title={title}
      count={query.data && t('screens:list.count', { count: rows.length })}
      actions={
        <ListTools
          {...{
            HomeID,
            title,
            Category,
            fixed,
            address,
            listedRows,
            isWide,
            layout,
            arrange,
            columns,
            omitted: omittedColumns,
            add,
          }}
        />
      }
    >
      {query.data && all.length > 0 && (
        <>
          <div className={page.wideRow}>
            <StateChips address={address} counts={listedRows.counts} />
            {address.state === 'on' && mayControl && <TurnOffAll rows={rows} />}
            <div role="status" className={styles.moved}>
              {listedRows.hasMoved && (
                <PlainButton small onClick={listedRows.refresh}>
                  <Icon of={ReloadOutlined} />
                  {t('screens:devices.moved')}
                </PlainButton>
              )}
            </div>
          </div>
          <FilterBar
            leading={
              <SearchBox
                value={address.search}
                label={t('screens:devices.search')}
                pause={LOCAL_DEBOUNCE_MS}
                search={searchFor}
              />
            }
            filters={filters}
            resultCount={rows.length}
          />
        </>
      )}
      <Listed
        listedRows={listedRows}
        address={address}
        asTable={isWide && layout === 'table'}
        hidden={columns.hidden}
        onLeftOut={setOmittedColumns}
        inRoom={RoomID !== undefined}
        add={add}
      />
    </Page>
  )
})

interface ListedProps {
  listedRows: ListedRows
  address: ListAddress
  asTable: boolean
  hidden: ReadonlySet<string>
  /** Receives the keys of the columns that do not fit. */
  onLeftOut: (keys: string) => void
  inRoom: boolean
  /** Button that adds a device, if the user has the right. */
  add: ReactNode
}

/** Rows with bulk actions, or an empty state. */
function Listed({ listedRows, address, asTable, hidden, onLeftOut, inRoom, add }: ListedProps) {
  const t = useT()
  const { query, home, all, rows, roomName } = listedRows
  const { ref, height } = useFillHeight()
  const { change } = address
  const open = useCallback((id: string) => change({ device: id }), [change])
  const { choice, ticks } = useTicks(rows)
  const [hasBulkBar, setHasBulkBar] = useState(false)
  return (
    <>
      {/* A moved or renamed row may no longer match the filters; the result of the action is still shown. */}
      {(choice.selectedIds.size > 0 || hasBulkBar) && (
        <HasBulkBar value={setHasBulkBar}>
          <BulkBar
            rows={rows.filter(({ id }) => choice.selectedIds.has(id))}
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
          <EmptyState
            drawing="hub"
            message={t(inRoom ? 'screens:devices.noneInRoom' : 'screens:devices.none')}
            next={add}
          />
        ) : rows.length === 0 ? (
          <EmptyState
            message={t('screens:devices.noMatch')}
            next={
              listedRows.isFiltered && (
                <PlainButton
                  onClick={() =>
                    change({ ...WHOLE_LIST, sort: address.sort, descending: address.descending })
                  }
                >
                  {t('screens:list.clearFilters')}
                </PlainButton>
              )
            }
          />
        ) : asTable ? (
          <DeviceTable {...{ rows, height, roomName, hidden, address, open, ticks, onLeftOut }} />
        ) : (
          <DeviceCards {...{ rows, height, roomName, open, ticks }} linkTo={address.linkTo} />
        )}
      </div>
    </>
  )
}

/** Selected rows and their checkboxes, if the user has the right to act on them. */
function useTicks(rows: readonly DeviceRow[]) {
  const t = useT()
  const choice = useChoice(useMemo(() => rows.filter(({ device }) => device).map(({ id }) => id), [rows]))
  const mayUpdate = useMay('device', 'Update')
  const mayControl = useMay('device_control', 'Control')
  const tickWords = useCallback(
    (row: DeviceRow) => (row.device ? t('lists:choose', { name: row.name }) : undefined),
    [t],
  )
  const ticks: RowSelection<DeviceRow> | undefined =
    mayUpdate || mayControl
      ? {
          selectedIds: choice.selectedIds,
          toggle: choice.toggle,
          toggleAll: choice.toggleAll,
          of: choice.of,
          allWords: t('lists:chooseAll'),
          labelOf: tickWords,
        }
      : undefined
  return { choice, ticks }
}

const DevicePanel = lazyPart(() => import('../device-panel/device-drawer.tsx'), { isOverlay: true })

function preloadParts() {
  void DevicePanel.preload()
  void BulkBar.preload()
  void faces.switches.preload()
  void faces.meter.preload()
}

const NO_MAINTENANCES: readonly Maintenance[] = []

/** Devices of a home, of one category or of one room: three routes, one view (§2). A panel opens over the list. */
export default function DeviceListPage() {
  const { HomeID = '', Category, RoomID } = useParams()
  const { device, list } = useListAddress()
  // Preloads the code that a click needs, so that it works even if the gateway becomes unreachable.
  useEffect(() => onQueriesSettled(preloadParts), [])
  const maintenances = useMaintenances(useMay('device', 'Read'))
  return (
    <>
      <DevicesInMaintenance value={maintenances ?? NO_MAINTENANCES}>
        <DeviceList HomeID={HomeID} Category={Category} roomInPath={RoomID} address={list} />
      </DevicesInMaintenance>
      {device !== undefined && (
        <DevicePanel homeId={HomeID} id={device} close={() => list.change({ device: undefined })} />
      )}
    </>
  )
}
