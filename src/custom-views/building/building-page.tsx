import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useCallback, useEffect, useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { LAYERS, type Layer } from '../../domain/room/room-layers.ts'
import { pathTo } from '../../paths.ts'
import { useDevices, useHomes } from '../../data/homes.ts'
import { useMay } from '../../data/session.ts'
import { whenSettled } from '../../data/when-settled.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useLiveHomes } from '../../live/live.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import page from '../../ui/page/page.module.css'
import { ListSkeleton, LoadFailed, Nothing } from '../../ui/page/states.tsx'
import { oneOf } from '../../ui/page/use-address.ts'
import { useNow } from '../../ui/page/use-now.ts'
import type { Begun } from './begun.ts'
import styles from './building.module.css'
import { RoomTile } from './room-tile.tsx'
import { useRoomBookings } from './use-room-bookings.ts'
import { useRooms } from './use-rooms.ts'

const RoomDrawer = lazyPart(() => import('./room-drawer.tsx'), { over: true })

/** All rooms of a site as tiles, live; a room opens over them (`?room=3`). What tiles are coloured by stands in `?layer=`. */
export default function BuildingPage() {
  const t = useT()
  const { HomeID = '' } = useParams()
  const { layer, room, choose } = useBuildingAddress()
  const query = useDevices(HomeID)
  const home = useHomes()?.find((one) => one.HomeID === HomeID)
  const store = useRooms(query.data)
  const booked = useRoomBookings(HomeID, useNow())
  const [begun, setBegun] = useState<ReadonlyMap<number, Begun>>(new Map())
  useLiveHomes(HomeID ? [HomeID] : [])
  useEffect(() => whenSettled(RoomDrawer.ahead), [])
  const open = useCallback((RoomID: number) => choose({ room: String(RoomID) }), [choose])
  const close = useCallback(() => choose({ room: undefined }), [choose])
  const rooms = home?.RoomList ?? []
  return (
    <section className={page.stack} aria-labelledby="building-title">
      <header className={page.header}>
        <h1 id="building-title">{t('shell:pages.Building')}</h1>
        <span className={page.count}>{t('building:counts', { count: rooms.length })}</span>
      </header>
      <LayerChoice layer={layer} choose={(next) => choose({ layer: next })} />
      {query.data && home ? (
        query.data.Peripherals.length + query.data.Things.length === 0 ? (
          <NoDevices HomeID={HomeID} />
        ) : (
          <ul className={styles.wall}>
            {rooms.map(({ RoomID, RoomName }) => (
              <li key={RoomID} className={page.stack}>
                <RoomTile
                  store={store}
                  RoomID={RoomID}
                  name={RoomName}
                  layer={layer}
                  booked={booked.get(RoomID)}
                  open={open}
                />
              </li>
            ))}
          </ul>
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
          begun={begun.get(room)}
          begin={(next) => setBegun((all) => new Map(all).set(room, next))}
          close={close}
        />
      )}
    </section>
  )
}

/** What the address says: the layer and the open room. Choosing is a step that Back undoes. */
function useBuildingAddress() {
  const [params, setParams] = useSearchParams()
  const given = params.get('room')
  const choose = useCallback(
    (next: { layer?: Layer | undefined } | { room?: string | undefined }) =>
      setParams((now) => {
        const all = new URLSearchParams(now)
        for (const [name, value] of Object.entries(next) as [string, string | undefined][])
          if (value === undefined) all.delete(name)
          else all.set(name, value)
        return all
      }),
    [setParams],
  )
  return {
    layer: oneOf(LAYERS, params.get('layer') ?? ''),
    room: given !== null && /^\d+$/.test(given) ? Number(given) : undefined,
    choose,
  }
}

const STEPS = [1, 2, 3, 4, 5] as const

function LayerChoice({ layer, choose }: { layer: Layer | undefined; choose: (next?: Layer) => void }) {
  const t = useT()
  return (
    <>
      <fieldset className={page.buttons} aria-label={t('building:layer')}>
        {[undefined, ...LAYERS].map((one) => (
          <button
            key={one ?? 'state'}
            type="button"
            className={styles.layer}
            aria-pressed={one === layer}
            onClick={() => choose(one)}
          >
            {t(`building:layers.${one ?? 'state'}`)}
          </button>
        ))}
      </fieldset>
      {layer && (
        <p className={styles.scale}>
          <span className={styles.swatches} aria-hidden>
            {STEPS.map((step) => (
              <span key={step} className={styles.swatch} data-step={step} />
            ))}
            <span className={`${styles.swatch} ${styles.hatched}`} />
          </span>
          {t('building:scale', { steps: t(`building:scales.${layer}`) })}
        </p>
      )}
    </>
  )
}

function NoDevices({ HomeID }: { HomeID: string }) {
  const t = useT()
  const mayAdd = useMay('device', 'Create')
  return (
    <Nothing
      why={t('building:noRooms')}
      next={
        mayAdd && (
          <Link to={pathTo('AddDevices', { HomeID })}>
            <Button type="primary" icon={<PlusOutlined />}>
              {t('screens:devices.add')}
            </Button>
          </Link>
        )
      }
    />
  )
}
