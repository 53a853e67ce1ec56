import type { SelectProps } from 'antd'
import type { FC } from 'react'
import { Link } from 'react-router'
import { pathTo } from '../../navigation/paths.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useModbusTables } from './use-modbus-tables.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { holdsLabel } from '../../lib/match-words.ts'

export const ModbusTableSelect: FC<SelectProps> = (props) => {
  const t = useT()
  const { data, isLoading } = useModbusTables()
  return (
    <>
      <FormSelect
        {...props}
        allowClear
        showSearch
        filterOption={holdsLabel}
        loading={isLoading}
        placeholder={t('devices:modbus.none')}
        options={(data ?? []).map(({ ModbusTableID, TableName }) => ({
          value: ModbusTableID,
          label: TableName,
        }))}
      />
      <Link to={pathTo('ModbusTableListing')}>{t('devices:modbus.manageTables')}</Link>
    </>
  )
}
