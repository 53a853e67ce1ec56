import { lazy, memo, Suspense, useRef, useState, type FC } from 'react'
import { Link } from 'react-router'
import { capabilityOf, deviceType } from '../../../contract/devices/kinds/registry.ts'
import { type Peripheral, peripheral } from '../../../contract/devices/peripheral.ts'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useHomes } from '../../data/homes.ts'
import { loadNamespaces, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { KindName } from '../../domain/devices/kind-name.tsx'
import { ImportLink } from '../../ui/page/page-links.tsx'
import { FirmwareSection } from '../../domain/ota/firmware-section.tsx'
import { DeviceEvents, RecentCommands } from './recent-activity.tsx'
import { DevicePicture } from './device-picture.tsx'
import { DeviceSettings } from './device-settings.tsx'
import page from '../../ui/page/page.module.css'
import styles from './device-panel.module.css'
import { MaintenanceSection } from './maintenance-section.tsx'
import { ReportFaults } from './report-faults.tsx'
import { ThresholdForm } from './threshold-form.tsx'
import { ValueLimitsForm } from './value-limits-form.tsx'
import { Button } from 'antd'
import { call } from '../../data/api.ts'
import { confirmRemoval } from '../../ui/page/confirm-removal.tsx'
import { LazyUsersWarning } from '../../domain/automation/parts/lazy-users-warning.tsx'

interface Props {
  device: Peripheral
  removed: () => void
}

/** Removes a device, after showing what is deleted with it and what depends on it. */
const RemoveDevice: FC<Props> = ({ device, removed }) => {
  const t = useT()
  const { HomeID, PeripheralUID } = device
  const consequence = (
    <>
      <p>{t(device.ThingName === null ? 'devices:removeAloneNote' : 'devices:removeNote')}</p>
      <LazyUsersWarning kind="device" of={[{ HomeID, Subject: 'device', ID: PeripheralUID }]} />
    </>
  )
  const remove = async () => {
    await call(peripheral.operations.remove, { HomeID, PeripheralUID })
    removed()
  }
  return (
    <div className={styles.danger}>
      <Button danger onClick={() => confirmRemoval({ name: device.PeripheralName, consequence, remove })}>
        {t('devices:remove')}
      </Button>
    </div>
  )
}

const ReplaceDialog = lazyPart(
  async () =>
    (
      await Promise.all([
        import('../../domain/automation/replace/replace-dialog.tsx'),
        loadNamespaces(['automation']),
      ])
    )[0],
  { isOverlay: true },
)

/** Replaces this device by another one in everything that refers to it. */
function ReplaceSection({ device }: { device: Peripheral }) {
  const t = useT()
  const mayUpdate = useMay('device', 'Update')
  const [isAsking, setAsking] = useState(false)
  if (!mayUpdate) return null
  return (
    <section className={page.section}>
      <h2>{t('devices:replace.title')}</h2>
      <p className={`${page.hint} ${page.below8}`}>{t('devices:replace.note')}</p>
      <Button onClick={() => setAsking(true)}>{t('devices:replace.button')}</Button>
      {isAsking && <ReplaceDialog old={device} close={() => setAsking(false)} />}
    </section>
  )
}

export interface DevicePanelProps {
  device: Peripheral
  hub: ThingWithState | undefined
  removed: () => void
  /** Whether there are unsaved settings, so that closing the panel asks for confirmation. */
  onDirty: (dirty: boolean) => void
}

const DeviceHistory = lazyPart(
  async () =>
    (
      await Promise.all([
        import('../../domain/history/device-history.tsx'),
        loadNamespaces(['charts', 'history']),
      ])
    )[0],
)

const DeviceWhy = lazyPart(
  async () =>
    (
      await Promise.all([
        import('../../domain/automation/why/device-why.tsx'),
        loadNamespaces(['automation']),
      ])
    )[0],
)

const LightHouseSettings = lazy(
  async () =>
    (
      await Promise.all([
        import('../../domain/devices/control/light-house-settings.tsx'),
        loadNamespaces(['lightHouse']),
      ])
    )[0],
)

/** Reports of a device over time: faults, chart, events, commands. Memoized: reports do not render it again. */
export const DeviceActivity = memo(function DeviceActivity({
  device,
  hub,
}: Pick<DevicePanelProps, 'device' | 'hub'>) {
  const mayHistory = useMay('history', 'Read')
  const type = deviceType(device.PeripheralType)
  const controllable = type?.capabilities.some(({ command }) => Object.keys(command).length > 0)
  return (
    <>
      {device.ThingName !== null && (
        <ReportFaults homeId={device.HomeID} thingName={device.ThingName} device={device} />
      )}
      {mayHistory && <DeviceHistory device={device} />}
      {type && <DeviceEvents device={device} online={hub?.Online} />}
      {controllable && <RecentCommands device={device} />}
    </>
  )
})

/** Place and identity of a device. */
function DeviceFacts({ device, hub }: Pick<DevicePanelProps, 'device' | 'hub'>) {
  const t = useT()
  const home = useHomes()?.find(({ HomeID }) => HomeID === device.HomeID)
  const room = home?.RoomList.find(({ RoomID }) => RoomID === device.RoomID)
  return (
    <section className={page.section}>
      <h2>{t('devices:usedBy')}</h2>
      <dl className={page.facts}>
        <dt>{t('devices:columns.room')}</dt>
        <dd>
          <Link to={pathTo('RoomDevice', { HomeID: device.HomeID, RoomID: device.RoomID })}>
            {room?.RoomName ?? device.RoomID}
          </Link>
        </dd>
        {device.ThingName !== null && (
          <>
            <dt>{t('devices:columns.hub')}</dt>
            <dd>{hub?.DeviceName ?? device.ThingName}</dd>
          </>
        )}
        <dt>{t('devices:columns.kind')}</dt>
        <dd>
          <KindName row={{ id: device.PeripheralUID, type: deviceType(device.PeripheralType), device }} /> (
          {device.PeripheralType})
        </dd>
        <dt>{t('devices:columns.id')}</dt>
        <dd>{device.PeripheralUID}</dd>
      </dl>
    </section>
  )
}

/** Facts, references, maintenance and settings of a device. Memoized: reports do not render it again. */
export const DeviceDetails = memo(function DeviceDetails({
  device,
  hub,
  removed,
  onDirty,
}: DevicePanelProps) {
  const t = useT()
  const mayUpdate = useMay('device', 'Update')
  const mayRemove = useMay('device', 'Delete')
  const home = useHomes()?.find(({ HomeID }) => HomeID === device.HomeID)
  const type = deviceType(device.PeripheralType)
  const dirtyForms = useRef(new Set<string>())
  const markDirty = (form: string, dirty: boolean) => {
    if (dirty) dirtyForms.current.add(form)
    else dirtyForms.current.delete(form)
    onDirty(dirtyForms.current.size > 0)
  }
  return (
    <>
      <DeviceFacts device={device} hub={hub} />
      {type && <DeviceWhy device={device} />}
      <MaintenanceSection
        homeId={device.HomeID}
        thingName={device.ThingName}
        peripheralUid={device.PeripheralUID}
      />
      <section className={page.section}>
        <h2>{t('devices:settings.title')}</h2>
        <DeviceSettings
          device={device}
          rooms={home?.RoomList ?? []}
          onDirty={(dirty) => markDirty('settings', dirty)}
        />
      </section>
      {mayUpdate && capabilityOf(device.PeripheralType, 'meter') && (
        <section className={page.section}>
          <h2>{t('devices:threshold.title')}</h2>
          <ThresholdForm device={device} onDirty={(dirty) => markDirty('threshold', dirty)} />
        </section>
      )}
      {mayUpdate && <ValueLimitsForm device={device} onDirty={(dirty) => markDirty('limits', dirty)} />}
      {capabilityOf(device.PeripheralType, 'meter') && (
        <ImportLink
          homeId={device.HomeID}
          meter={device.PeripheralUID}
          className={`${page.section} ${styles.link}`}
        />
      )}
      {mayUpdate && capabilityOf(device.PeripheralType, 'lightHouse') && (
        <Suspense fallback={null}>
          <LightHouseSettings device={device} onDirty={(dirty) => markDirty('lightHouse', dirty)} />
        </Suspense>
      )}
      <section className={page.section}>
        <h2>{t('devices:picture')}</h2>
        <DevicePicture device={device} />
      </section>
      {device.ThingName !== null && (
        <FirmwareSection
          homeId={device.HomeID}
          thingName={device.ThingName}
          peripheralUid={device.PeripheralUID}
        />
      )}
      {type && <ReplaceSection device={device} />}
      {mayRemove && <RemoveDevice device={device} removed={removed} />}
    </>
  )
})
