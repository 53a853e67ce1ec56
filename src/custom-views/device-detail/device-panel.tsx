import { Alert, Button, Skeleton } from 'antd'
import { Suspense, type FC } from 'react'
import { Link } from 'react-router'
import { deviceType } from '../../../contract/device-kinds/registry.ts'
import { peripheral, type Peripheral } from '../../../contract/resources/peripheral.ts'
import type { ThingWithState } from '../../../contract/resources/thing.ts'
import { formatAge } from '../../lib/format-age.ts'
import { pathTo } from '../../paths.ts'
import { call } from '../../providers/api.ts'
import { useHomes } from '../../providers/homes.ts'
import { useLanguage, useT } from '../../providers/i18n.ts'
import { useStatus } from '../../providers/live/status-store.ts'
import { useMay } from '../../providers/session.ts'
import { useConfirmRemoval } from '../../ui/crud/confirm-removal.tsx'
import { refreshAfter } from '../../ui/crud/refresh-after.ts'
import { StateTag } from '../../ui/state-tag.tsx'
import { useNow } from '../../ui/use-now.ts'
import { faces } from '../device-control/faces.tsx'
import { useDeviceControl } from '../device-control/use-device-control.ts'
import { freshness } from '../device-list/freshness.ts'
import { DevicePicture } from './device-picture.tsx'
import { DeviceSettings } from './device-settings.tsx'
import styles from './device-detail.module.css'
import { RecentCommands } from './recent-commands.tsx'

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
  const controllable = type?.capabilities.some(({ command }) => Object.keys(command).length > 0)

  return (
    <>
      <div className={styles.head}>
        <StateTag tone={state === 'current' ? 'good' : state === 'stale' ? 'warning' : 'offline'}>
          {t(`devices:freshness.${state}`)}
        </StateTag>
        {status && (
          <time
            dateTime={new Date(status.Timestamp).toISOString()}
            title={new Date(status.Timestamp).toLocaleString(language)}
          >
            {t('devices:reported', { age: formatAge(status.Timestamp, now, language) })}
          </time>
        )}
      </div>
      <div className={`${styles.faces} ${state === 'current' ? '' : styles.stale}`}>
        {type ? (
          type.capabilities.map((capability) => {
            const Face = faces[capability.name]
            return (
              <Suspense
                key={capability.name}
                fallback={<Skeleton active title={false} paragraph={{ rows: 2 }} />}
              >
                <Face capability={capability} status={status} send={control.send} pending={control.pending} />
              </Suspense>
            )
          })
        ) : (
          <p className={styles.note}>{t('devices:unknownType', { type: device.PeripheralType })}</p>
        )}
      </div>
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
      {controllable && <RecentCommands device={device} />}
      <section className={styles.section}>
        <h2>{t('devices:settings.title')}</h2>
        <DeviceSettings device={device} rooms={home?.RoomList ?? []} onDirty={onDirty} />
      </section>
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
          <dt>{t('devices:columns.hub')}</dt>
          <dd>{hub?.DeviceName ?? device.ThingName}</dd>
          <dt>{t('devices:columns.kind')}</dt>
          <dd>
            {type ? t(`devices:kinds.${type.kind}`) : t('devices:kinds.other')} ({device.PeripheralType})
          </dd>
          <dt>{t('devices:columns.id')}</dt>
          <dd>{device.PeripheralUID}</dd>
        </dl>
      </section>
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
