import ReloadOutlined from '@ant-design/icons-svg/es/asn/ReloadOutlined.js'
import WarningOutlined from '@ant-design/icons-svg/es/asn/WarningOutlined.js'
import { memo, useContext, type FC } from 'react'
import {
  lowBattery,
  applies,
  type Capability,
  type CapabilityName,
} from '../../../../contract/devices/capabilities/capability.ts'
import { fieldShape, summaryFields } from '../../../../contract/devices/kinds/field-shape.ts'
import { reportsNothing } from '../../../../contract/devices/kinds/registry.ts'
import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { silentAfter, troublesOf } from '../../../../contract/devices/device-health.ts'
import { maintainedBy } from '../../../../contract/attention/attention-alarms.ts'
import { breachesOf } from '../../../../contract/devices/warning-threshold.ts'
import { formatAge } from '../../../lib/format-age.ts'
import { formatWhen } from '../../../../contract/time/format-time.ts'
import { useTimeZone } from '../../../data/homes.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { useStatus } from '../../../data/status-store.ts'
import { useNoControl } from '../../../ui/inputs/no-control.ts'
import { Icon } from '../../../ui/plain/icon.tsx'
import { PlainButton } from '../../../ui/plain/plain-button.tsx'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import { useNow } from '../../../ui/page/use-now.ts'
import { useBreachWords } from '../path-words.ts'
import { FieldValue } from '../control/field-value.tsx'
import { useDeviceFieldWords } from '../field-words.ts'
import { OnOffControl } from '../control/on-off-control.tsx'
import { LowBattery } from '../control/low-battery.tsx'
import { SensorCell, LightHouseCell, ThermostatCell } from '../control/cells.tsx'
import { useDeviceControl, type DeviceControl } from '../commands/use-device-control.ts'
import type { DeviceRow } from '../device-rows.ts'
import styles from './live-cells.module.css'
import { DevicesInMaintenance, MaintenanceTag } from '../maintenance-tag.tsx'
import { freshness, type Freshness } from '../freshness.ts'

interface CellProps {
  capability: Capability
  status: DeviceStatus
  device: Peripheral
  control: DeviceControl
  /** Whether several relays and a meter share the line: small switches, and only the first figure. */
  crowded: boolean
}

/** Any capability in one line: its relays and its most important fields. */
const Summary: FC<CellProps> = ({ capability, status, device, control: { send, pending }, crowded }) => {
  const { nameOf } = useDeviceFieldWords()
  const isMeter = capability.name === 'meter'
  const fields = summaryFields(capability)
  const parts = (crowded && isMeter ? fields.slice(0, 1) : fields).map((field) =>
    send && field in capability.command && fieldShape(capability, field).as === 'onOff' ? (
      <OnOffControl
        key={field}
        name={`${device.PeripheralName} ${nameOf(capability, field)}`}
        capability={capability}
        field={field}
        status={status}
        send={send}
        pending={pending}
        small={crowded}
      />
    ) : (
      status[field] !== undefined && (
        <FieldValue key={field} capability={capability} field={field} value={status[field]} />
      )
    ),
  )
  return isMeter ? <span className={styles.figures}>{parts}</span> : parts
}

/** Number of values of a Modbus device, or number of values that cannot be read. */
const Modbus: FC<CellProps> = ({ status }) => {
  const t = useT()
  const values = Object.values((status['ModbusValues'] ?? {}) as Record<string, number | null>)
  const failed = values.filter((value) => value === null).length
  return failed > 0 ? (
    <StateTag tone="warning">{t('devices:modbus.failed', { count: failed })}</StateTag>
  ) : (
    <span>{t('devices:modbus.count', { count: values.length })}</span>
  )
}

/** Capabilities with a cell of their own. */
const cells: Partial<Record<CapabilityName, FC<CellProps>>> = {
  lightHouse: LightHouseCell,
  thermostat: ThermostatCell,
  modbus: Modbus,
  sensor: SensorCell,
}

/** Failure of the last command: its reason and a retry button. */
const Failure: FC<Pick<CellProps, 'control'>> = ({ control: { failed, retry, send } }) => {
  const t = useT()
  const reason = useNoControl()
  if (!failed || !send) return null
  const hubMessage = failed.Detail && t('devices:command.hubSays', { words: failed.Detail })
  return (
    <PlainButton
      danger
      small
      title={[t(`errors:command.${failed.Reason ?? 'noAnswer'}`), hubMessage, reason]
        .filter(Boolean)
        .join('\n')}
      disabled={reason !== undefined}
      onClick={(event) => {
        event.stopPropagation()
        retry()
      }}
    >
      <Icon of={WarningOutlined} /> {t('devices:command.failedShort')}
      <span role="img" aria-label={t('screens:retry')}>
        <Icon of={ReloadOutlined} />
      </span>
    </PlainButton>
  )
}

/** Last reported state of a device, by capability. */
const DeviceState: FC<{ device: Peripheral; capabilities: readonly Capability[]; status: DeviceStatus }> = ({
  device,
  capabilities,
  status,
}) => {
  const t = useT()
  const control = useDeviceControl(device)
  const breachText = useBreachWords(device)
  const breaches = breachesOf(device, status)
  const battery = lowBattery(status)
  const relays = capabilities.find(({ name }) => name === 'switches')
  const crowded =
    relays !== undefined &&
    Object.keys(relays.command).length > 1 &&
    capabilities.some(({ name }) => name === 'meter')
  return (
    <>
      {/* Problems first, because the end of a long line is cut off. */}
      <Failure control={control} />
      {breaches.length > 0 && (
        <span title={breaches.map(breachText).join(t('screens:listComma'))}>
          <StateTag tone="alarm" icon={<Icon of={WarningOutlined} />}>
            {t('devices:threshold.outside')}
          </StateTag>
        </span>
      )}
      {battery !== undefined && <LowBattery percent={battery} />}
      {capabilities
        .filter((capability) => applies(capability, status))
        .map((capability) => {
          const Cell = cells[capability.name] ?? Summary
          return (
            <Cell
              key={capability.name}
              capability={capability}
              status={status}
              device={device}
              control={control}
              crowded={crowded}
            />
          )
        })}
    </>
  )
}

/** Whether a device has an alarm; it lasts until a newer report ends it, even while the hub is offline. */
const hasStableColour = (device: Peripheral, status: DeviceStatus): boolean =>
  troublesOf(device, status).troubles.length > 0

const isMeter = (row: DeviceRow) => row.type?.capabilities.some(({ name }) => name === 'meter') ?? false

function useFreshness(row: DeviceRow, status: DeviceStatus | undefined): Freshness {
  const now = useNow()
  return freshness({
    hubOnline: row.hub?.Online,
    timestamp: status?.Timestamp,
    frequencySeconds: row.device?.PowerMeterUpdateFrequency ?? Infinity,
    reports: isMeter(row),
    silentAfter: row.device ? silentAfter(row.device) : null,
    now,
  })
}

/** Tag if the row's device or hub is in maintenance. */
function MaintenanceMark({ row: { device, hub } }: { row: DeviceRow }) {
  const all = useContext(DevicesInMaintenance)
  const now = useNow()
  if (all.length === 0) return null
  const current = maintainedBy(all, now)
  const maintenance = device ? current.device(device) : hub && current.hub(hub)
  return maintenance ? <MaintenanceTag maintenance={maintenance} /> : null
}

interface StateCellProps {
  row: DeviceRow
  /** Whether power and energy form columns at the right side, as in a table. */
  aligns?: boolean
}

/** Live state of a device, or connection state of a hub. Re-renders only when this device changes. */
export const StateCell = memo(function StateCell({ row, aligns = false }: StateCellProps) {
  const t = useT()
  const status = useStatus(row.id)
  const state = useFreshness(row, status)
  const { device, type, hub } = row
  if (!device)
    return (
      <div className={styles.state}>
        <StateTag tone={hub?.Online ? 'good' : 'offline'}>
          {t(hub?.Online ? 'devices:state.online' : 'devices:state.offline')}
        </StateTag>
        <MaintenanceMark row={row} />
      </div>
    )
  return (
    <div className={styles.state}>
      <MaintenanceMark row={row} />
      {state === 'offline' && <StateTag tone="offline">{t('devices:state.offline')}</StateTag>}
      {!status || !type ? (
        state !== 'offline' &&
        !reportsNothing(type) && <StateTag tone="offline">{t('devices:state.noData')}</StateTag>
      ) : (
        <div
          className={`${styles.values} ${aligns ? styles.aligned : ''} ${state === 'current' || hasStableColour(device, status) ? '' : styles.stale}`}
        >
          <DeviceState device={device} capabilities={type.capabilities} status={status} />
        </div>
      )}
    </div>
  )
})

/** Age of a device's reading, or time at which a hub was last seen. */
export const AgeCell = memo(function AgeCell({ row }: { row: DeviceRow }) {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const status = useStatus(row.id)
  const state = useFreshness(row, status)
  const timeZone = useTimeZone((row.device ?? row.hub)?.HomeID ?? '')
  // A hub's `SeenAt` is when it went online or offline.
  if (!row.device && row.hub?.Online)
    return <span className={styles.age}>{formatAge(now, now, language, timeZone)}</span>
  const at = row.device ? status?.Timestamp : (row.hub?.SeenAt ?? undefined)
  if (at === undefined) return <span className={styles.age}>–</span>
  return (
    <time
      className={styles.age}
      dateTime={new Date(at).toISOString()}
      title={
        state === 'silent'
          ? t('devices:silentSince', { at: formatWhen(at, language, timeZone) })
          : formatWhen(at, language, timeZone, 'second')
      }
    >
      {formatAge(at, now, language, timeZone)}
      {(state === 'stale' || state === 'silent') && (
        <>
          {' '}
          <span>· {t(`devices:state.${state}`)}</span>
        </>
      )}
    </time>
  )
})
