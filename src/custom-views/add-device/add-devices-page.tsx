import { Skeleton, Tabs } from 'antd'
import { useCallback, useState, type FC, type JSX } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { right } from '../../../contract/kernel/permissions.ts'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import { useDevices, useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useLiveHomes } from '../../live/subscriptions.ts'
import { useMay } from '../../data/session.ts'
import { MissingRight } from '../../ui/page/missing-right.tsx'
import { LoadFailed } from '../../ui/page/states.tsx'
import { useAddress } from '../../ui/page/use-address.ts'
import { AddCamera } from './add-camera.tsx'
import { AddFound } from './add-found.tsx'
import page from '../../ui/page/page.module.css'
import { useQuery } from '@tanstack/react-query'
import { peripheralCalls } from '../../../contract/devices/peripheral.ts'
import type { Room } from '../../../contract/homes/room.ts'
import { callQuery } from '../../data/api.ts'
import { HubWizard } from '../hub-wizard/hub-wizard.tsx'
import { AwaitedHubs } from './awaited-hubs.tsx'

interface Props {
  homeId: string
  rooms: readonly Room[]
  hubs: readonly ThingWithState[]
  /** Continues with the hub's devices. */
  next: (thingName: string) => void
  toCameras: () => void
}

/** Wizard that connects a hub; below it the hubs that were added and never connected. */
const AddHub: FC<Props> = ({ homeId, rooms, hubs, next, toCameras }) => {
  const { data: found = [] } = useQuery(callQuery(peripheralCalls.listDiscovered, { HomeID: homeId }))
  return (
    <HubWizard
      homeId={homeId}
      rooms={rooms}
      hubs={hubs}
      foundOf={(thingName) => found.filter(({ ThingName }) => ThingName === thingName).length}
      next={next}
      toCameras={toCameras}
    >
      <AwaitedHubs homeId={homeId} hubs={hubs.filter(({ SeenAt }) => SeenAt === null)} />
    </HubWizard>
  )
}

const WAYS = ['hub', 'devices', 'camera'] as const
type Way = (typeof WAYS)[number]

/** Adds hubs, the devices that hubs announced, and cameras by address. `?way=` selects which, `&hub=` the hub, `&q=` searches devices. */
export default function AddDevicesPage() {
  const t = useT()
  const { HomeID = '' } = useParams()
  const devices = useDevices(HomeID)
  const may = useMay('device', 'Create')
  useLiveHomes(HomeID ? [HomeID] : [])
  return (
    <section className={`${page.stack} ${page.upTo880}`}>
      <h1>{t('screens:addDevice.title')}</h1>
      {!may ? (
        <MissingRight right={right('device', 'Create')} />
      ) : devices.data ? (
        <Ways key={HomeID} homeId={HomeID} hubs={devices.data.Things} />
      ) : devices.error ? (
        <LoadFailed error={devices.error} retry={() => void devices.refetch()} />
      ) : (
        <Skeleton active />
      )}
    </section>
  )
}

const Ways: FC<{ homeId: string; hubs: readonly ThingWithState[] }> = ({ homeId, hubs }) => {
  const t = useT()
  const [params, setParams] = useSearchParams()
  const rooms = useHomes()?.find((home) => home.HomeID === homeId)?.RoomList ?? []
  // A site without a hub has no devices to find. Kept after its first hub is created, because its secret is on the screen then.
  const [first] = useState<Way>(hubs.length === 0 ? 'hub' : 'devices')
  const way = WAYS.find((name) => name === params.get('way')) ?? first
  const go = (next: Way, hub?: string) =>
    setParams({ way: next, ...(hub !== undefined && { hub }) }, { replace: hub === undefined })
  const { change } = useAddress()
  const searchFor = useCallback((q: string) => change({ q }), [change])

  const content: Record<Way, JSX.Element> = {
    hub: (
      <AddHub
        homeId={homeId}
        rooms={rooms}
        hubs={hubs}
        next={(thingName) => go('devices', thingName)}
        toCameras={() => go('camera')}
      />
    ),
    devices: (
      <AddFound
        homeId={homeId}
        rooms={rooms}
        hubs={hubs}
        hub={params.get('hub') ?? undefined}
        choose={(thingName) => go('devices', thingName ?? '')}
        search={params.get('q') ?? ''}
        searchFor={searchFor}
      />
    ),
    camera: <AddCamera homeId={homeId} rooms={rooms} />,
  }
  return (
    <Tabs
      activeKey={way}
      onChange={(key) => go(key as Way)}
      items={WAYS.map((of) => ({ key: of, label: t(`screens:addDevice.ways.${of}`), children: content[of] }))}
    />
  )
}
