import { Alert, Card } from 'antd'
import type { FC } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import type { ModbusTable } from '../../../contract/devices/modbus/modbus-table.ts'
import type { DeviceSnapshot, Peripheral } from '../../../contract/devices/peripheral.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useDevices } from '../../data/homes.ts'
import { useT, useLanguage } from '../../lib/i18n/i18n.ts'
import { useLiveHomes } from '../../live/subscriptions.ts'
import { useStatus } from '../../data/status-store.ts'
import { useModbusTables } from '../../domain/modbus-table/use-modbus-tables.ts'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { MessagePage } from '../../ui/page/message-page.tsx'
import { useLeaveGuard } from '../../ui/page/use-leave-guard.ts'
import { CommandFailure } from '../../domain/devices/commands/command-failure.tsx'
import { useDeviceControl } from '../../domain/devices/commands/use-device-control.ts'
import { DevicePanel } from '../device-panel/device-panel.tsx'
import { AssignTable } from './assign-table.tsx'
import { ControlArea } from '../../ui/inputs/control-area.tsx'
import page from '../../ui/page/page.module.css'
import styles from './modbus.module.css'
import { ValueGroups } from './value-groups.tsx'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import { formatAge } from '../../lib/format-age.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { freshness } from '../../domain/devices/freshness.ts'

/** Warning that the values are stale, with the reason; nothing if they are current. */
export const OldValues: FC<{ device: Peripheral; hub: ThingWithState | undefined }> = ({ device, hub }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const status = useStatus(device.PeripheralUID)
  const state = freshness({
    hubOnline: hub?.Online,
    timestamp: status?.Timestamp,
    frequencySeconds: device.PowerMeterUpdateFrequency,
    reports: true,
    now,
  })
  if (state === 'current' || state === 'none' || !status) return null
  return (
    <Alert
      className={page.below12}
      type="warning"
      showIcon
      message={t(`devices:freshness.${state}`)}
      description={t('modbus:values.old', { age: formatAge(status.Timestamp, now, language) })}
    />
  )
}

/** Page of a Modbus device: live values by its table, and the common device panel (§2 /ModBusInfo). */
export default function ModbusPage() {
  const t = useT()
  const { HomeID = '', peripheralID } = useParams()
  useLiveHomes(HomeID ? [HomeID] : [])
  const devices = useDevices(HomeID)
  const tables = useModbusTables()
  const failed = devices.error ?? tables.error
  if (!devices.data || !tables.data)
    return failed ? (
      <LoadFailed error={failed} retry={() => void Promise.all([devices.refetch(), tables.refetch()])} />
    ) : (
      <ListSkeleton rows={8} />
    )
  const device = devices.data.Peripherals.find(({ PeripheralUID }) => PeripheralUID === peripheralID)
  if (!device)
    return (
      <MessagePage
        title={t('devices:gone')}
        actions={<Link to={pathTo('DeviceList', { HomeID })}>{t('screens:devices.all')}</Link>}
      />
    )
  return <Device key={device.PeripheralUID} device={device} snapshot={devices.data} tables={tables.data} />
}

const Device: FC<{ device: Peripheral; snapshot: DeviceSnapshot; tables: readonly ModbusTable[] }> = ({
  device,
  snapshot,
  tables,
}) => {
  const t = useT()
  const navigate = useNavigate()
  const guard = useLeaveGuard()
  const table = tables.find(({ ModbusTableID }) => ModbusTableID === device.ModbusTableID)
  const hub = snapshot.Things.find(({ ThingName }) => ThingName === device.ThingName)
  return (
    <section className={`${page.wide} ${styles.page}`}>
      <h1>{device.PeripheralName}</h1>
      <div className={styles.columns}>
        <Card
          title={t('modbus:values.title')}
          extra={
            table && (
              <Link to={pathTo('updateModbusTable', { ModbusTableID: table.ModbusTableID })}>
                {table.TableName}
              </Link>
            )
          }
        >
          {table ? (
            <>
              <OldValues device={device} hub={hub} />
              <Values device={device} table={table} />
            </>
          ) : (
            <AssignTable device={device} tables={tables} />
          )}
        </Card>
        <Card>
          <DevicePanel
            device={device}
            hub={hub}
            removed={() => void navigate(pathTo('DeviceList', { HomeID: device.HomeID }))}
            onDirty={guard.setDirty}
            failureElsewhere={table !== undefined}
          />
        </Card>
      </div>
    </section>
  )
}

const Values: FC<{ device: Peripheral; table: ModbusTable }> = ({ device, table }) => {
  const t = useT()
  const status = useStatus(device.PeripheralUID)
  const control = useDeviceControl(device)
  const { send, pending } = control
  const values = status?.['ModbusValues'] as Readonly<Record<string, number | null>> | undefined
  const unread = values ? table.Rows.filter(({ Key }) => values[Key] === null).length : 0
  return (
    <>
      {unread > 0 && (
        <Alert
          className={page.below12}
          type="warning"
          showIcon
          message={t('modbus:values.someFailed', { failed: unread, total: table.Rows.length })}
        />
      )}
      <ControlArea>
        <ValueGroups
          rows={table.Rows}
          values={values}
          pending={pending?.['ModbusValues'] as Readonly<Record<string, number>> | undefined}
          write={send && ((Key, value) => send({ ModbusValues: { [Key]: value } }))}
        />
        <CommandFailure control={control} />
      </ControlArea>
    </>
  )
}
