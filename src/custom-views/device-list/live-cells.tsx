import { ReloadOutlined, WarningOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import { memo, type FC } from 'react'
import type { Capability, CapabilityName } from '../../../contract/device-kinds/capability.ts'
import type { DeviceStatus } from '../../../contract/device-kinds/status.ts'
import { formatAge } from '../../lib/format-age.ts'
import { formatReading } from '../../lib/format-power.ts'
import { useLanguage, useT } from '../../providers/i18n.ts'
import { useStatus } from '../../providers/live/status-store.ts'
import { Figure, PowerValue } from '../../ui/power-value.tsx'
import { StateTag } from '../../ui/state-tag.tsx'
import { onOff, SwitchControl } from '../../ui/switch-control.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useConfirmContact } from '../device-control/use-confirm-contact.ts'
import { useDecimalPrecision } from '../device-control/use-decimal-precision.ts'
import { useDeviceControl } from '../device-control/use-device-control.ts'
import { useSwitchName } from '../device-control/switch-name.ts'
import type { DeviceRow } from './device-rows.ts'
import styles from './device-list.module.css'
import { freshness, type Freshness } from './freshness.ts'

interface CellProps {
  capability: Capability
  status: DeviceStatus
  device: NonNullable<DeviceRow['device']>
}

const Switches: FC<CellProps> = ({ capability, status, device }) => {
  const t = useT()
  const nameOf = useSwitchName()
  const confirm = useConfirmContact()
  const { send, pending, failed, retry } = useDeviceControl(device)
  const asks = capability.name === 'dryContact'
  return (
    <>
      {Object.keys(capability.command).map((field) => {
        const value = status[field]
        const name = `${device.PeripheralName} ${nameOf(field)}`
        if (!send)
          return (
            <StateTag key={field} tone={value === 1 ? 'on' : 'plain'}>
              {value === undefined ? t('devices:state.unknown') : onOff(t, value)}
            </StateTag>
          )
        return (
          <SwitchControl
            key={field}
            name={name}
            value={value}
            wanted={pending?.[field]}
            onChange={(next) => {
              const act = () => send({ [field]: next })
              if (asks) confirm(next, act)
              else act()
            }}
          />
        )
      })}
      {failed && send && (
        <Tooltip title={t(`errors:command.${failed.Reason ?? 'noAnswer'}`)}>
          <Button
            size="small"
            danger
            icon={<WarningOutlined />}
            onClick={(event) => {
              event.stopPropagation()
              retry()
            }}
          >
            {t('devices:command.failedShort')} <ReloadOutlined aria-label={t('screens:retry')} />
          </Button>
        </Tooltip>
      )}
    </>
  )
}

const Meter: FC<CellProps> = ({ status }) => {
  const decimals = useDecimalPrecision()
  const { Power, AccumulatePower } = status
  return (
    <>
      {typeof Power === 'number' && <PowerValue watts={Power} />}
      {typeof AccumulatePower === 'number' && (
        <Figure value={formatReading(AccumulatePower, decimals)} unit="kWh" />
      )}
    </>
  )
}

const Motion: FC<CellProps> = ({ status }) => {
  const t = useT()
  return (
    <StateTag tone={status['MotionState'] === 1 ? 'on' : 'plain'}>
      {t(status['MotionState'] === 1 ? 'devices:state.motion' : 'devices:state.noMotion')}
    </StateTag>
  )
}

const Door: FC<CellProps> = ({ status }) => {
  const t = useT()
  return (
    <StateTag tone={status['DoorState'] === 2 ? 'warning' : 'plain'}>
      {t(status['DoorState'] === 2 ? 'devices:state.doorOpen' : 'devices:state.doorClosed')}
    </StateTag>
  )
}

/** How each capability looks in one line of a list. */
const cells: Record<CapabilityName, FC<CellProps>> = {
  switches: Switches,
  meter: Meter,
  motion: Motion,
  door: Door,
  dryContact: Switches,
}

const isMeter = (row: DeviceRow) => row.type?.capabilities.some(({ name }) => name === 'meter') ?? false

function useFreshness(row: DeviceRow, status: DeviceStatus | undefined): Freshness {
  const now = useNow()
  return freshness({
    hubOnline: row.hub?.Online,
    timestamp: status?.Timestamp,
    frequencySeconds: row.device?.PowerMeterUpdateFrequency ?? Infinity,
    reports: isMeter(row),
    now,
  })
}

/** A device's live state, or whether a hub is connected. Draws again only when this device changes. */
export const StateCell = memo(function StateCell({ row }: { row: DeviceRow }) {
  const t = useT()
  const status = useStatus(row.id)
  const state = useFreshness(row, status)
  const { device, type, hub } = row
  if (!device)
    return (
      <StateTag tone={hub?.Online ? 'good' : 'offline'}>
        {t(hub?.Online ? 'devices:state.online' : 'devices:state.offline')}
      </StateTag>
    )
  return (
    <div className={styles.state}>
      {state === 'offline' && <StateTag tone="offline">{t('devices:state.offline')}</StateTag>}
      {!status || !type ? (
        state !== 'offline' && <StateTag tone="offline">{t('devices:state.noData')}</StateTag>
      ) : (
        <div className={`${styles.state} ${state === 'current' ? '' : styles.stale}`}>
          {type.capabilities.map((capability) => {
            const Cell = cells[capability.name]
            return <Cell key={capability.name} capability={capability} status={status} device={device} />
          })}
        </div>
      )}
    </div>
  )
})

/** How old a device's reading is, or when a hub was last seen. */
export const AgeCell = memo(function AgeCell({ row }: { row: DeviceRow }) {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const status = useStatus(row.id)
  const stale = useFreshness(row, status) === 'stale'
  const at = row.device ? status?.Timestamp : (row.hub?.SeenAt ?? undefined)
  if (at === undefined) return <span className={styles.age}>–</span>
  return (
    <time
      className={styles.age}
      dateTime={new Date(at).toISOString()}
      title={new Date(at).toLocaleString(language)}
    >
      {formatAge(at, now, language)}
      {stale && ` · ${t('devices:state.stale')}`}
    </time>
  )
})
