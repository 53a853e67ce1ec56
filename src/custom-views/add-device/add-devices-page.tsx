import { Skeleton, Tabs, Alert, Button, Card, Form, Input, Select } from 'antd'
import { useCallback, useState, type FC, type JSX } from 'react'
import { useParams, useSearchParams, Link } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import { right } from '../../../contract/kernel/permissions.ts'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import { useDevices, useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useLiveHomes } from '../../live/subscriptions.ts'
import { useMay } from '../../data/session.ts'
import { Page } from '../../ui/page/page.tsx'
import { MissingRight } from '../../ui/page/missing-right.tsx'
import { LoadFailed } from '../../ui/page/states.tsx'
import { useAddress } from '../../ui/page/use-address.ts'
import { AddFound } from './add-found.tsx'
import page from '../../ui/page/page.module.css'
import { peripheralCalls, peripheral, type Peripheral } from '../../../contract/devices/peripheral.ts'
import type { Room } from '../../../contract/homes/room.ts'
import { callQuery, call } from '../../data/api.ts'
import { HubWizard } from '../hub-wizard/hub-wizard.tsx'
import { pathTo } from '../../navigation/paths.ts'
import { cameraAndIr } from '../../../contract/devices/camera-and-ir-calls.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { notices } from '../../data/notices.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'
import { SourceFields } from '../../domain/devices/camera/source-fields.tsx'

/** Adds cameras by address, and the cameras and infrared remotes that third-party hubs announced. */
const AddCamera: FC<{ homeId: string; rooms: readonly Room[] }> = ({ homeId, rooms }) => {
  const t = useT()
  const [addedDevice, setAddedDevice] = useState<Peripheral>()
  const [syncing, setSyncing] = useState(false)

  const sync = async () => {
    setSyncing(true)
    try {
      const { Added, Left } = await call(cameraAndIr.casaDeviceSync, { HomeID: homeId, RoomID: 0 })
      if (Added.length === 0) notices.success(() => t('screens:addDevice.noneToSync'))
      else
        notices.success(() =>
          t(Left > 0 ? 'screens:addDevice.syncedSome' : 'screens:addDevice.synced', {
            count: Added.length,
            left: Left,
          }),
        )
    } catch (error) {
      notices.error(() => describeFailure(error))
    } finally {
      setSyncing(false)
    }
  }

  return (
    <div className={page.stack}>
      <Card title={t('screens:addDevice.camera')}>
        <SourceFields
          key={addedDevice?.PeripheralUID}
          source={null}
          action={t('screens:addDevice.addCamera')}
          submit={async (values, send) => {
            setAddedDevice(
              await send(cameraAndIr.casaAddPeripheralAdvanceInfo, { HomeID: homeId, ...values }),
            )
          }}
        >
          <Form.Item
            name="PeripheralName"
            label={t('resources:peripheral.fields.PeripheralName')}
            validateTrigger={['onBlur', 'onSubmit']}
            rules={[
              {
                required: true,
                validator: (_, value: unknown) => {
                  const reason = reasonFor(peripheral.record.shape.PeripheralName, value ?? '')
                  return reason
                    ? Promise.reject(new Error(describeField(reason, 'PeripheralName')))
                    : Promise.resolve()
                },
              },
            ]}
          >
            <Input maxLength={64} />
          </Form.Item>
          <Form.Item name="RoomID" label={t('resources:peripheral.fields.RoomID')} initialValue={0}>
            <Select options={rooms.map(({ RoomID, RoomName }) => ({ value: RoomID, label: RoomName }))} />
          </Form.Item>
        </SourceFields>
        {addedDevice && (
          <Alert
            style={{ marginTop: 16 }}
            type="success"
            showIcon
            message={t('screens:addDevice.added', { name: addedDevice.PeripheralName })}
            action={
              <Link to={pathTo('DeviceInfo', { HomeID: homeId, peripheralID: addedDevice.PeripheralUID })}>
                {t('screens:addDevice.open')}
              </Link>
            }
          />
        )}
      </Card>
      <Card title={t('screens:addDevice.sync')}>
        <p className={`${page.note} ${page.below12}`}>{t('screens:addDevice.syncNote')}</p>
        <Button loading={syncing} onClick={() => void sync()}>
          {t('screens:addDevice.syncNow')}
        </Button>
      </Card>
    </div>
  )
}

/** Hubs that were added and have never connected, to continue an interrupted setup. */
const AwaitedHubs: FC<{ homeId: string; hubs: readonly ThingWithState[] }> = ({ homeId, hubs }) => {
  const t = useT()
  if (hubs.length === 0) return null
  return (
    <section className={page.section}>
      <h2>{t('screens:addDevice.awaited')}</h2>
      <p className={`${page.note} ${page.below12}`}>{t('screens:addDevice.awaitedNote')}</p>
      <ul>
        {hubs.map(({ ThingName, DeviceName }) => (
          <li key={ThingName}>
            <Link
              to={`${pathTo('DeviceList', { HomeID: homeId })}?${new URLSearchParams({ device: ThingName })}`}
            >
              {DeviceName}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

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
  const { data: discovered = [] } = useQuery(callQuery(peripheralCalls.listDiscovered, { HomeID: homeId }))
  return (
    <HubWizard
      homeId={homeId}
      rooms={rooms}
      hubs={hubs}
      foundOf={(thingName) => discovered.filter(({ ThingName }) => ThingName === thingName).length}
      next={next}
      toCameras={toCameras}
    >
      <AwaitedHubs homeId={homeId} hubs={hubs.filter(({ SeenAt }) => SeenAt === null)} />
    </HubWizard>
  )
}

const METHODS = ['hub', 'devices', 'camera'] as const
type Way = (typeof METHODS)[number]

/** Adds hubs, the devices that hubs announced, and cameras by address. `?way=` selects which, `&hub=` the hub, `&q=` searches devices. */
export default function AddDevicesPage() {
  const t = useT()
  const { HomeID = '' } = useParams()
  const devices = useDevices(HomeID)
  const may = useMay('device', 'Create')
  useLiveHomes(HomeID ? [HomeID] : [])
  return (
    <Page title={t('screens:addDevice.title')} width="form">
      {!may ? (
        <MissingRight right={right('device', 'Create')} />
      ) : devices.data ? (
        <Ways key={HomeID} homeId={HomeID} hubs={devices.data.Things} />
      ) : devices.error ? (
        <LoadFailed error={devices.error} retry={() => void devices.refetch()} />
      ) : (
        <Skeleton active />
      )}
    </Page>
  )
}

const Ways: FC<{ homeId: string; hubs: readonly ThingWithState[] }> = ({ homeId, hubs }) => {
  const t = useT()
  const [params, setParams] = useSearchParams()
  const rooms = useHomes()?.find((home) => home.HomeID === homeId)?.RoomList ?? []
  // A site without a hub has no devices to find. Kept after its first hub is created, because its secret is on the screen then.
  const [first] = useState<Way>(hubs.length === 0 ? 'hub' : 'devices')
  const method = METHODS.find((name) => name === params.get('way')) ?? first
  const openMethod = (next: Way, hub?: string) =>
    setParams({ way: next, ...(hub !== undefined && { hub }) }, { replace: hub === undefined })
  const { change } = useAddress()
  const searchFor = useCallback((q: string) => change({ q }), [change])

  const content: Record<Way, JSX.Element> = {
    hub: (
      <AddHub
        homeId={homeId}
        rooms={rooms}
        hubs={hubs}
        next={(thingName) => openMethod('devices', thingName)}
        toCameras={() => openMethod('camera')}
      />
    ),
    devices: (
      <AddFound
        homeId={homeId}
        rooms={rooms}
        hubs={hubs}
        hub={params.get('hub') ?? undefined}
        choose={(thingName) => openMethod('devices', thingName ?? '')}
        search={params.get('q') ?? ''}
        searchFor={searchFor}
      />
    ),
    camera: <AddCamera homeId={homeId} rooms={rooms} />,
  }
  return (
    <Tabs
      activeKey={method}
      onChange={(key) => openMethod(key as Way)}
      items={METHODS.map((of) => ({
        key: of,
        label: t(`screens:addDevice.ways.${of}`),
        children: content[of],
      }))}
    />
  )
}
