import { Alert } from 'antd'
import { useDeferredValue, type FC } from 'react'
import { diagnostics, applies } from '../../../contract/devices/capabilities/capability.ts'
import { deviceType, reportsNothing } from '../../../contract/devices/kinds/registry.ts'
import { silentAfter } from '../../../contract/devices/device-health.ts'
import { breachesOf } from '../../../contract/devices/warning-threshold.ts'
import { formatAge } from '../../lib/format-age.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useHomes } from '../../data/homes.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useStatus } from '../../data/status-store.ts'
import { useMay } from '../../data/session.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { useBreachWords } from '../../domain/devices/path-words.ts'
import { CommandFailure } from '../../domain/devices/commands/command-failure.tsx'
import { faces } from '../../domain/devices/control/faces.tsx'
import { useDeviceControl } from '../../domain/devices/commands/use-device-control.ts'
import { DeviceLabel } from '../../domain/devices/label/device-label.tsx'
import { KindName, RowIcon } from '../../domain/devices/kind-name.tsx'
import { freshness } from '../../domain/devices/freshness.ts'
import { DeviceActivity, DeviceDetails, type DevicePanelProps } from './device-details.tsx'
import { ControlArea } from '../../ui/inputs/control-area.tsx'
import page from '../../ui/page/page.module.css'
import styles from './device-panel.module.css'

interface StateProps extends Pick<DevicePanelProps, 'device' | 'hub'> {
  /** Whether the page has its own controls and shows the last command's error there. */
  isFailureShownElsewhere: boolean
}

/** Present state of a device with its controls. */
const DeviceState: FC<StateProps> = ({ device, hub, isFailureShownElsewhere: failureElsewhere }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const status = useStatus(device.PeripheralUID)
  const control = useDeviceControl(device)
  const mayControl = useMay('device_control', 'Control')
  const home = useHomes()?.find(({ HomeID }) => HomeID === device.HomeID)
  const type = deviceType(device.PeripheralType)
  const room = home?.RoomList.find(({ RoomID }) => RoomID === device.RoomID)
  const state = freshness({
    hubOnline: hub?.Online,
    timestamp: status?.Timestamp,
    frequencySeconds: device.PowerMeterUpdateFrequency,
    reports: type?.capabilities.some(({ name }) => name === 'meter') ?? false,
    silentAfter: silentAfter(device),
    now,
  })
  const isReportless = reportsNothing(type)
  const inWords = useBreachWords(device)
  const breaches = breachesOf(device, status)
  const ownCapabilities = type?.capabilities.filter((capability) => applies(capability, status))
  const hasDiagnostics = Object.keys(diagnostics.status).some((field) => status?.[field] !== undefined)
  const present = hasDiagnostics && ownCapabilities ? [...ownCapabilities, diagnostics] : ownCapabilities
  const controllable = type?.capabilities.some(({ command }) => Object.keys(command).length > 0)

  return (
    <>
      <div className={`${page.row} ${page.muted}`}>
        <span className={`${page.tightRow} ${page.text}`}>
          <RowIcon row={{ type, device }} />
          <KindName row={{ id: device.PeripheralUID, type, device }} />
        </span>
        {!(isReportless && state === 'none') && (
          <StateTag
            tone={
              state === 'current' ? 'good' : state === 'stale' || state === 'silent' ? 'warning' : 'offline'
            }
          >
            {t(`devices:freshness.${state}`)}
          </StateTag>
        )}
        {status && (
          <time
            dateTime={new Date(status.Timestamp).toISOString()}
            title={formatWhen(status.Timestamp, language, home?.TimeZone, 'second')}
          >
            {state === 'silent'
              ? t('devices:silentSince', { at: formatWhen(status.Timestamp, language, home?.TimeZone) })
              : t('devices:reported', { age: formatAge(status.Timestamp, now, language) })}
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
      {/* Without content there is no frame. */}
      {present?.length !== 0 && (
        <section
          aria-label={t('devices:columns.state')}
          className={`${page.box} ${page.padded} ${page.above16} ${isReportless || state === 'current' ? '' : styles.stale}`}
        >
          {present ? (
            <ControlArea isQuiet={!controllable || !control.send}>
              {present.map((capability) => {
                const Face = faces[capability.name]
                return (
                  <Face
                    key={capability.name}
                    device={device}
                    capability={capability}
                    status={status}
                    send={control.send}
                    pending={control.pending}
                  />
                )
              })}
            </ControlArea>
          ) : (
            <p className={`${page.hint} ${page.below8}`}>
              {t('devices:unknownType', { type: device.PeripheralType })}
            </p>
          )}
        </section>
      )}
      {type && type.capabilities.length > 0 && ownCapabilities?.length === 0 && (
        <p className={`${page.hint} ${page.below8}`}>{t('devices:climate.unknownAppliance')}</p>
      )}
      {controllable && !control.send && (
        <p className={`${page.hint} ${page.below8}`}>
          {t(mayControl ? 'devices:switchesHidden' : 'devices:mayNotControl')}
        </p>
      )}
      {type?.capabilities.some(({ name }) => name === 'smoke') && (
        <p className={`${page.hint} ${page.below8}`}>{t('devices:notFireSystem')}</p>
      )}
      {!failureElsewhere && (
        <ControlArea isQuiet>
          <CommandFailure control={control} />
        </ControlArea>
      )}
    </>
  )
}

interface Props extends DevicePanelProps {
  isFailureShownElsewhere?: boolean
  /** Whether the panel fills a page: from 1,200 px in two columns. */
  isPage?: boolean
}

/** Panel of a device: controls, chart and events; then facts, automations, maintenance and settings. */
export const DevicePanel: FC<Props> = ({ isFailureShownElsewhere = false, isPage = false, ...props }) => {
  const { device, hub } = props
  // Renders the controls first.
  const details = useDeferredValue(true, false)
  return (
    <div className={isPage ? styles.columns : undefined}>
      <div>
        <DeviceState device={device} hub={hub} isFailureShownElsewhere={isFailureShownElsewhere} />
        {details && <DeviceActivity device={device} hub={hub} />}
      </div>
      {details && (
        <div>
          <DeviceDetails {...props} />
        </div>
      )}
    </div>
  )
}
