import { Alert, Card, Button, Select } from 'antd'
import { type FC, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import type { ModbusTable } from '../../../contract/devices/modbus/modbus-table.ts'
import {
  type DeviceSnapshot,
  type Peripheral,
  peripheralCalls,
} from '../../../contract/devices/peripheral.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useDevices } from '../../data/homes.ts'
import { useT, useLanguage, t as tNow } from '../../lib/i18n/i18n.ts'
import { useLiveHomes } from '../../live/subscriptions.ts'
import { useStatus } from '../../data/status-store.ts'
import { useModbusTables } from '../../domain/modbus-table/use-modbus-tables.ts'
import { Page } from '../../ui/page/page.tsx'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { MessagePage } from '../../ui/page/message-page.tsx'
import { useLeaveGuard } from '../../ui/page/leave-guards.ts'
import { CommandFailure } from '../../domain/devices/commands/command-failure.tsx'
import { useDeviceControl } from '../../domain/devices/commands/use-device-control.ts'
import { DevicePanel } from '../device-panel/device-panel.tsx'
import { ControlArea } from '../../ui/inputs/control-area.tsx'
import page from '../../ui/page/page.module.css'
import styles from './modbus.module.css'
import { ValueGroups } from './value-groups.tsx'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import { formatAge } from '../../lib/format-age.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { freshness } from '../../domain/devices/freshness.ts'
import { useAction } from '../../data/use-action.ts'
import { useMay } from '../../data/session.ts'
import { holdsLabel } from '../../lib/match-words.ts'

/** Assigns a table from the library to a device without one. */
const AssignTable: FC<{ device: Peripheral; tables: readonly ModbusTable[] }> = ({ device, tables }) => {
  const t = useT()
  const may = useMay('device', 'Update')
  const [selectedTable, setSelectedTable] = useState<string>()
  const assign = useAction(peripheralCalls.updateAdvance)
  const { HomeID, PeripheralUID } = device

  return (
    <EmptyState
      message={
        <>
          <p>{t('modbus:values.noTable')}</p>
          {tables.length === 0 && <p>{t('modbus:values.noTables')}</p>}
          {!may && <p>{t('modbus:values.mayNotAssign')}</p>}
        </>
      }
      next={
        <div className={page.row}>
          {may && tables.length > 0 && (
            <>
              <Select
                showSearch
                filterOption={holdsLabel}
                aria-label={t('modbus:values.choose')}
                placeholder={t('modbus:values.choose')}
                value={selectedTable ?? null}
                onChange={setSelectedTable}
                options={tables.map(({ ModbusTableID, TableName }) => ({
                  value: ModbusTableID,
                  label: TableName,
                }))}
              />
              <Button
                type="primary"
                disabled={!selectedTable}
                loading={assign.busy}
                onClick={() =>
                  selectedTable &&
                  void assign.run({ HomeID, PeripheralUID, ModbusTableID: selectedTable }, () =>
                    tNow('screens:updated'),
                  )
                }
              >
                {t('modbus:values.assign')}
              </Button>
            </>
          )}
          <Link to={pathTo('ModbusTableListing')}>{t('modbus:values.allTables')}</Link>
        </div>
      }
    />
  )
}

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
    <Page title={device.PeripheralName}>
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
            isFailureShownElsewhere={table !== undefined}
          />
        </Card>
      </div>
    </Page>
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
