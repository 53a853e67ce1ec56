import type { ModbusRow } from '../../../contract/devices/modbus/modbus-table.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { confirm } from '../../ui/page/dialogs.ts'

/** Default values of a row; area, address, data type and key have no defaults. */
export const PLAIN_ROW: Omit<ModbusRow, 'Key' | 'Area' | 'Address' | 'DataType'> = {
  Label: '',
  Group: '',
  Bit: null,
  ByteOrder: 'big',
  WordOrder: 'big',
  Scale: 1,
  Offset: 0,
  Unit: '',
  Decimals: 0,
  Access: 'r',
  Min: null,
  Max: null,
  Field: null,
}

/** Replaces the rows; asks for a confirmation if there are any. */
export function replaceRows(present: number, replace: () => void): void {
  if (present === 0) return replace()
  confirm({
    title: t('modbus:form.replaceTitle', { count: present }),
    okText: t('modbus:form.replace'),
    cancelText: t('screens:cancel'),
    onOk: replace,
  })
}
