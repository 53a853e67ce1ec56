import EditOutlined from '@ant-design/icons-svg/es/asn/EditOutlined.js'
import PlusOutlined from '@ant-design/icons-svg/es/asn/PlusOutlined.js'
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useParams } from 'react-router'
import type { Floor } from '../../../contract/homes/floor.ts'
import type { RoomWithContents } from '../../../contract/homes/room.ts'
import { useFloors } from '../../domain/floor/use-floors.ts'
import { LAYERS, type Layer } from '../../domain/room/room-layers.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useDevices, useHomes } from '../../data/homes.ts'
import { describeFailure } from '../../data/failure.ts'
import { useMay } from '../../data/session.ts'
import { onQueriesSettled } from '../../data/on-settled.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useLiveHomes } from '../../live/subscriptions.ts'
import { useDeviceNotes } from '../../domain/devices/use-device-notes.ts'
import { PlainSelect } from '../../ui/plain/plain-choice.tsx'
import { Icon } from '../../ui/plain/icon.tsx'
import { Page } from '../../ui/page/page.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import page from '../../ui/page/page.module.css'
import { PlainAlert } from '../../ui/plain/plain-alert.tsx'
import { ButtonLink, PlainButton } from '../../ui/plain/plain-button.tsx'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { oneOf, putParam, useAddressParams } from '../../ui/page/use-address.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { usePhone } from '../../ui/page/use-screen.ts'
import { mostUrgent, type RoomCommand, type RoomStore, useRooms } from './room-store.ts'
import styles from './building.module.css'
import { ALL, FloorChoice } from './floor-choice.tsx'
import { FloorView } from './floor-view.tsx'
import { RoomWall, type WallProps } from './room-wall.tsx'
import { useRoomBookings } from './use-room-bookings.ts'

const RoomDrawer = lazyPart(() => import('./room-drawer.tsx'), { isOverlay: true })
const NewFloor = lazyPart(() => import('./new-floor.tsx'), { isOverlay: true })

/**
 * A site's floors as plans and its rooms as tiles, live; a room opens in a drawer (`?room=3`). The floor is in `?floor=`, the layer that
 * colors the rooms in `?layer=`.
 */
export default function BuildingPage() {
  const t = useT()
  const { HomeID = '' } = useParams()
  const address = useBuildingAddress()
  const { layer, room, choose } = address
  const query = useDevices(HomeID)
  const home = useHomes()?.find((one) => one.HomeID === HomeID)
  const store = useRooms(query.data)
  const booked = useRoomBookings(HomeID, useNow())
  const floors = useFloors(HomeID)
  const opening = useOpeningFloor(store, floors.data, room)
  const [startedCommands, setStartedCommands] = useState<ReadonlyMap<number, RoomCommand>>(new Map())
  useLiveHomes(HomeID ? [HomeID] : [])
  useEffect(() => onQueriesSettled(() => void RoomDrawer.preload()), [])
  const open = useCallback((RoomID: number) => choose({ room: String(RoomID) }), [choose])
  const close = useCallback(() => choose({ room: undefined }), [choose])
  const rooms = home?.RoomList ?? []
  const sharedProps = { store, layer, booked, open }
  return (
    <Page
      title={t('shell:pages.Building')}
      count={t('building:counts', { count: rooms.length })}
      actions={<FloorTools HomeID={HomeID} />}
    >
      {query.data && home && !floors.isLoading && (opening !== undefined || !floors.data) ? (
        query.data.Peripherals.length + query.data.Things.length === 0 ? (
          <NoDevices HomeID={HomeID} />
        ) : (
          <>
            {floors.error && <FloorsFailed error={floors.error} retry={() => void floors.refetch()} />}
            <Rooms
              HomeID={HomeID}
              floors={floors.data ?? []}
              rooms={rooms}
              floor={address.floor}
              opening={opening}
              choose={choose}
              {...sharedProps}
            />
          </>
        )
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton />
      )}
      {room !== undefined && home && query.data && (
        <RoomDrawer
          key={room}
          HomeID={HomeID}
          RoomID={room}
          name={rooms.find(({ RoomID }) => RoomID === room)?.RoomName}
          store={store}
          booked={booked.get(room)}
          startedCommand={startedCommands.get(room)}
          onStart={(next) => setStartedCommands((all) => new Map(all).set(room, next))}
          close={close}
        />
      )}
    </Page>
  )
}

interface RoomsProps extends WallProps {
  HomeID: string
  floors: readonly Floor[]
  rooms: readonly RoomWithContents[]
  /** From the address, so it may not exist. */
  floor: string
  /** FloorID of the floor shown without one in the address; by default the first that has a plan. */
  opening: string | undefined
  choose: Choose
}

/** One floor, or all rooms as tiles. */
function Rooms({ HomeID, floors, rooms, floor, opening, choose, ...shown }: RoomsProps) {
  const t = useT()
  const isPhone = usePhone()
  const mayEdit = useMay('room', 'Update') && !isPhone
  const { layer } = shown
  const placed = useMemo(
    () => new Set(floors.flatMap(({ Shapes }) => Shapes.map(({ RoomID }) => RoomID))),
    [floors],
  )
  const selectedFloor =
    floor === ALL
      ? undefined
      : (floors.find(({ FloorID }) => String(FloorID) === floor) ??
        floors.find(({ FloorID }) => String(FloorID) === opening) ??
        floors.find(({ Plan }) => Plan))
  return (
    <>
      <div className={page.spread}>
        <div className={page.filters}>
          {floors.length > 0 && (
            <FloorChoice
              floors={floors}
              shownFloor={selectedFloor ? String(selectedFloor.FloorID) : ALL}
              store={shown.store}
              choose={(next) => choose({ floor: next })}
            />
          )}
          <LayerChoice layer={layer} choose={(next) => choose({ layer: next })} />
        </div>
        {selectedFloor && mayEdit && (
          <ButtonLink to={pathTo('updateFloor', { HomeID, FloorID: selectedFloor.FloorID })}>
            <Icon of={EditOutlined} />
            {t('building:editFloor')}
          </ButtonLink>
        )}
      </div>
      {layer && <LayerScale layer={layer} />}
      {selectedFloor ? (
        <FloorView floor={selectedFloor} rooms={rooms} placed={placed} {...shown} />
      ) : (
        <RoomWall rooms={rooms} {...shown} />
      )}
    </>
  )
}

/**
 * The floor of the room that a link opens, otherwise the one that needs most attention when the page opens, as FloorID; it stays while
 * the user looks at it. '' if none has a plan, undefined before rooms and alarms are known.
 */
function useOpeningFloor(
  store: RoomStore,
  floors: readonly Floor[] | undefined,
  room: number | undefined,
): string | undefined {
  const mayRead = useMay('device', 'Read')
  const { error } = useDeviceNotes(mayRead)
  const expectsAlarms = mayRead && !error
  const [opening, setOpening] = useState<string>()
  const ofRoom =
    room === undefined
      ? undefined
      : floors?.find(({ Shapes }) => Shapes.some(({ RoomID }) => RoomID === room))?.FloorID
  const current = useSyncExternalStore(store.subscribeAll, () => {
    if (opening !== undefined || !floors) return opening
    if (ofRoom !== undefined) return String(ofRoom)
    if (!(expectsAlarms ? store.hasAlarms() : store.version() > 0)) return undefined
    const planned = floors.filter(({ Plan }) => Plan)
    return String(mostUrgent(store, planned)?.FloorID ?? '')
  })
  if (current !== opening) setOpening(current)
  return opening
}

/** Button that adds a floor; not on phones, which only show them. */
function FloorTools({ HomeID }: { HomeID: string }) {
  const t = useT()
  const may = useMay('room', 'Create')
  const isPhone = usePhone()
  const [isAdding, setIsAdding] = useState(false)
  if (!may || isPhone) return null
  return (
    <div className={page.tools}>
      <PlainButton onClick={() => setIsAdding(true)}>
        <Icon of={PlusOutlined} />
        {t('resources:floor.create')}
      </PlainButton>
      {isAdding && <NewFloor HomeID={HomeID} close={() => setIsAdding(false)} />}
    </div>
  )
}

function FloorsFailed({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useT()
  return (
    <PlainAlert
      title={t('building:floorsFailed')}
      action={<PlainButton onClick={retry}>{t('screens:retry')}</PlainButton>}
    >
      {describeFailure(error)}
    </PlainAlert>
  )
}

type Choose = ReturnType<typeof useBuildingAddress>['choose']

/** Floor, layer and open room in the address. Each choice is a history entry. */
function useBuildingAddress() {
  const { params, change } = useAddressParams()
  const roomParam = params.get('room')
  const choose = useCallback(
    (next: { floor: string } | { layer: Layer | undefined } | { room: string | undefined }) =>
      change((all) => {
        for (const [name, value] of Object.entries(next) as [string, string | undefined][])
          putParam(all, name, value)
      }),
    [change],
  )
  return {
    floor: params.get('floor') ?? '',
    layer: oneOf(LAYERS, params.get('layer') ?? ''),
    room: roomParam !== null && /^\d+$/.test(roomParam) ? Number(roomParam) : undefined,
    choose,
  }
}

const STEPS = [1, 2, 3, 4, 5] as const

/** Value of the select without a layer. */
const STATE = 'state'

function LayerChoice({ layer, choose }: { layer: Layer | undefined; choose: (next?: Layer) => void }) {
  const t = useT()
  return (
    <PlainSelect<Layer | typeof STATE>
      label={t('building:layer')}
      value={layer ?? STATE}
      onChange={(next) => choose(next === STATE ? undefined : next)}
      options={([STATE, ...LAYERS] as const).map((value) => ({
        value,
        label: t('building:layerOf', { layer: t(`building:layers.${value}`) }),
      }))}
    />
  )
}

/** Meaning of the colors of a layer. */
function LayerScale({ layer }: { layer: Layer }) {
  const t = useT()
  return (
    <p className={`${page.tightRow} ${page.small}`}>
      <span aria-hidden>
        {STEPS.map((step) => (
          <span key={step} className={styles.swatch} data-step={step} />
        ))}
        <span className={`${styles.swatch} ${styles.hatched}`} />
      </span>
      {t('building:scale', { steps: t(`building:scales.${layer}`) })}
    </p>
  )
}

function NoDevices({ HomeID }: { HomeID: string }) {
  const t = useT()
  const mayAdd = useMay('device', 'Create')
  return (
    <EmptyState
      drawing="hub"
      message={t('building:noRooms')}
      next={
        mayAdd && (
          <ButtonLink main to={pathTo('AddDevices', { HomeID })}>
            <Icon of={PlusOutlined} />
            {t('screens:devices.add')}
          </ButtonLink>
        )
      }
    />
  )
}
