import { Alert, Button, Skeleton } from 'antd'
import { lazy, Suspense, useRef, type FC } from 'react'
import { Link } from 'react-router'
import { applies } from '../../../contract/device-kinds/capability.ts'
import { capabilityOf, deviceType } from '../../../contract/device-kinds/registry.ts'
import { peripheral, type Peripheral } from '../../../contract/resources/peripheral.ts'
import type { ThingWithState } from '../../../contract/resources/thing.ts'
import { breachesOf } from '../../../contract/rules/warning-threshold.ts'
import { formatAge } from '../../lib/format-age.ts'
import { pathTo } from '../../paths.ts'
import { call } from '../../providers/api.ts'
import { useHomes } from '../../providers/homes.ts'
import { loadNamespaces, useLanguage, useT } from '../../providers/i18n.ts'
import { useStatus } from '../../providers/live/status-store.ts'
import { useMay } from '../../providers/session.ts'
import { useConfirmRemoval } from '../../ui/crud/confirm-removal.tsx'
import { refreshAfter } from '../../ui/crud/refresh-after.ts'
import { StateTag } from '../../ui/state-tag.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useBreachWords } from '../device-control/breach-words.ts'
import { faces } from '../device-control/faces.tsx'
import { useDeviceControl } from '../device-control/use-device-control.ts'
import { DeviceLabel } from '../device-label/device-label.tsx'
import { RowIcon } from '../device-list/row-icon.tsx'
import { freshness, reportsNothing } from '../device-list/freshness.ts'
import { FirmwareSection } from '../ota/firmware-section.tsx'
import { DeviceEvents } from './device-events.tsx'
import { DevicePicture } from './device-picture.tsx'
import { DeviceSettings } from './device-settings.tsx'
import styles from './device-detail.module.css'
import { RecentCommands } from './recent-commands.tsx'
import { ThresholdForm } from './threshold-form.tsx'

const LightHouseSettings = lazy(
  async () =>
    (
      await Promise.all([
        import('../device-control/light-house-settings.tsx'),
        loadNamespaces(['lightHouse']),
      ])
    )[0],
)

interface Props {
  device: Peripheral
  hub: ThingWithState | undefined
  removed: () => void
  /** Whether settings are typed and not saved: whoever shows the panel asks before closing it. */
  onDirty: (dirty: boolean) => void
}

/** The one panel of a device, wherever it is opened from: control, readings, commands, settings, what uses it. */
export const DevicePanel: FC<Props> = ({ device, hub, removed, onDirty }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const status = useStatus(device.PeripheralUID)
  const control = useDeviceControl(device)
  const mayUpdate = useMay('device', 'Update')
  const mayRemove = useMay('device', 'Delete')
  const mayControl = useMay('device_control', 'Control')
  const confirmRemoval = useConfirmRemoval()
  const home = useHomes()?.find(({ HomeID }) => HomeID === device.HomeID)
  const type = deviceType(device.PeripheralType)
  const room = home?.RoomList.find(({ RoomID }) => RoomID === device.RoomID)
  const state = freshness({
    hubOnline: hub?.Online,
    timestamp: status?.Timestamp,
    frequencySeconds: device.PowerMeterUpdateFrequency,
    reports: type?.capabilities.some(({ name }) => name === 'meter') ?? false,
    now,
  })
  const silent = reportsNothing(type)
  /** Forms with something typed and not saved. */
  const dirtyForms = useRef(new Set<string>())
  const markDirty = (form: string, dirty: boolean) => {
    if (dirty) dirtyForms.current.add(form)
    else dirtyForms.current.delete(form)
    onDirty(dirtyForms.current.size > 0)
  }
  const inWords = useBreachWords(device)
  const breaches = breachesOf(device.WarningThreshold, status)
  const controllable = type?.capabilities.some(({ command }) => Object.keys(command).length > 0)

  return (
    <>
      <div className={styles.head}>
        <span className={styles.kind}>
          <RowIcon row={{ type, device }} />
          {type ? t(`devices:kinds.${type.kind}`) : t('devices:kinds.other')}
        </span>
        {!(silent && state === 'none') && (
          <StateTag tone={state === 'current' ? 'good' : state === 'stale' ? 'warning' : 'offline'}>
            {t(`devices:freshness.${state}`)}
          </StateTag>
        )}
        {status && (
          <time
            dateTime={new Date(status.Timestamp).toISOString()}
            title={new Date(status.Timestamp).toLocaleString(language, { timeZone: home?.TimeZone })}
          >
            {t('devices:reported', { age: formatAge(status.Timestamp, now, language) })}
          </time>
        )}
        <DeviceLabel
          path={pathTo('DeviceInfo', { HomeID: device.HomeID, peripheralID: device.PeripheralUID })}
          name={device.PeripheralName}
          place={room?.RoomName}
          id={device.PeripheralUID}
        />
      </div>
      {breaches.length > 0 && (
        <Alert
          style={{ marginTop: 12 }}
          type="warning"
          showIcon
          message={t('devices:threshold.outside')}
          description={breaches.map(inWords).join(t('screens:listComma'))}
        />
      )}
      <section
        aria-label={t('devices:columns.state')}
        className={`${styles.faces} ${silent || state === 'current' ? '' : styles.stale}`}
      >
        {type ? (
          type.capabilities
            .filter((capability) => applies(capability, status))
            .map((capability) => {
              const Face = faces[capability.name]
              return (
                <Suspense
                  key={capability.name}
                  fallback={<Skeleton active title={false} paragraph={{ rows: 2 }} />}
                >
                  <Face
                    device={device}
                    capability={capability}
                    status={status}
                    send={control.send}
                    pending={control.pending}
                  />
                </Suspense>
              )
            })
        ) : (
          <p className={styles.note}>{t('devices:unknownType', { type: device.PeripheralType })}</p>
        )}
      </section>
      {type && type.capabilities.length > 0 && !type.capabilities.some((one) => applies(one, status)) && (
        <p className={styles.note}>{t('devices:climate.unknownAppliance')}</p>
      )}
      {controllable && !control.send && (
        <p className={styles.note}>{t(mayControl ? 'devices:switchesHidden' : 'devices:mayNotControl')}</p>
      )}
      {control.failed && (
        <Alert
          style={{ marginTop: 12 }}
          type="error"
          showIcon
          closable
          onClose={control.dismiss}
          message={t('devices:command.failed')}
          description={t(`errors:command.${control.failed.Reason ?? 'noAnswer'}`)}
          action={
            control.send && (
              <Button size="small" onClick={control.retry}>
                {t('screens:retry')}
              </Button>
            )
          }
        />
      )}
      {type && <DeviceEvents device={device} capabilities={type.capabilities} />}
      {controllable && <RecentCommands device={device} />}
      <section className={styles.section}>
        <h2>{t('devices:settings.title')}</h2>
        <DeviceSettings
          device={device}
          rooms={home?.RoomList ?? []}
          onDirty={(dirty) => markDirty('settings', dirty)}
        />
      </section>
      {mayUpdate && capabilityOf(device.PeripheralType, 'meter') && (
        <section className={styles.section}>
          <h2>{t('devices:threshold.title')}</h2>
          <ThresholdForm device={device} onDirty={(dirty) => markDirty('threshold', dirty)} />
        </section>
      )}
      {mayUpdate && capabilityOf(device.PeripheralType, 'lightHouse') && (
        <Suspense fallback={null}>
          <LightHouseSettings device={device} onDirty={(dirty) => markDirty('lightHouse', dirty)} />
        </Suspense>
      )}
      <section className={styles.section}>
        <h2>{t('devices:picture')}</h2>
        <DevicePicture device={device} />
      </section>
      <section className={styles.section}>
        <h2>{t('devices:usedBy')}</h2>
        <dl className={styles.facts}>
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
            {type ? t(`devices:kinds.${type.kind}`) : t('devices:kinds.other')} ({device.PeripheralType})
          </dd>
          <dt>{t('devices:columns.id')}</dt>
          <dd>{device.PeripheralUID}</dd>
        </dl>
      </section>
      {device.ThingName !== null && (
        <FirmwareSection
          homeId={device.HomeID}
          thingName={device.ThingName}
          peripheralUid={device.PeripheralUID}
        />
      )}
      {mayRemove && (
        <div className={styles.danger}>
          <Button
            danger
            onClick={() =>
              confirmRemoval({
                name: device.PeripheralName,
                consequence: t('devices:removeNote'),
                remove: async () => {
                  await call(peripheral.operations.remove, {
                    HomeID: device.HomeID,
                    PeripheralUID: device.PeripheralUID,
                  })
                  removed()
                  await refreshAfter('peripheral')
                },
              })
            }
          >
            {t('devices:remove')}
          </Button>
        </div>
      )}
    </>
  )
}
