import type { ModbusRow } from '../../../contract/devices/modbus/modbus-table.ts'
import { useT } from '../../lib/i18n/i18n.ts'

/** Short texts for a row's register, data type and meaning. */
export function useRowWords() {
  const t = useT()
  return {
    place: ({ Area, Address, Bit }: Pick<ModbusRow, 'Area' | 'Address' | 'Bit'>) =>
      t('modbus:values.register', {
        area: t(`modbus:area.${Area}`),
        address: Bit === null ? Address : `${Address}.${Bit}`,
      }),
    type: ({ DataType, WordOrder }: Pick<ModbusRow, 'DataType' | 'WordOrder'>) => {
      const name = DataType === 'bool' ? t('modbus:type.bool') : DataType
      return WordOrder === 'little' ? `${name} CDAB` : name
    },
    meaning: ({ Scale, Offset }: Pick<ModbusRow, 'Scale' | 'Offset'>) => {
      const offset = Offset === 0 ? '' : Offset > 0 ? ` + ${Offset}` : ` − ${-Offset}`
      return Scale === 1 && offset === '' ? '×1' : `×${Scale}${offset}`
    },
  }
}
