import { Button, Select } from 'antd'
import { useState, type FC } from 'react'
import { Link } from 'react-router'
import type { ModbusTable } from '../../../contract/devices/modbus/modbus-table.ts'
import { peripheralCalls, type Peripheral } from '../../../contract/devices/peripheral.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { EmptyState } from '../../ui/page/states.tsx'
import styles from './modbus.module.css'
import { holdsLabel } from '../../ui/inputs/holds-label.ts'

/** Assigns a table from the library to a device without one. */
export const AssignTable: FC<{ device: Peripheral; tables: readonly ModbusTable[] }> = ({
  device,
  tables,
}) => {
  const t = useT()
  const may = useMay('device', 'Update')
  const [chosen, setChosen] = useState<string>()
  const assign = useAction(peripheralCalls.updateAdvance)
  const { HomeID, PeripheralUID } = device

  return (
    <EmptyState
      why={
        <>
          <p>{t('modbus:values.noTable')}</p>
          {tables.length === 0 && <p>{t('modbus:values.noTables')}</p>}
          {!may && <p>{t('modbus:values.mayNotAssign')}</p>}
        </>
      }
      next={
        <div className={styles.assign}>
          {may && tables.length > 0 && (
            <>
              <Select
                showSearch
                filterOption={holdsLabel}
                aria-label={t('modbus:values.choose')}
                placeholder={t('modbus:values.choose')}
                value={chosen ?? null}
                onChange={setChosen}
                options={tables.map(({ ModbusTableID, TableName }) => ({
                  value: ModbusTableID,
                  label: TableName,
                }))}
              />
              <Button
                type="primary"
                disabled={!chosen}
                loading={assign.busy}
                onClick={() =>
                  chosen &&
                  void assign.run({ HomeID, PeripheralUID, ModbusTableID: chosen }, () =>
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
