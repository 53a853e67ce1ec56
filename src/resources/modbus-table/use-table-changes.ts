import type { StoredModbusTable } from '../../../contract/devices/modbus/modbus-table.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { changesBetween, type FieldChange } from '../../record-kit/record-conflict.tsx'

const ABOUT = ['TableName', 'Manufacturer', 'Model', 'Note'] as const

/** What differs between two versions of a table: what is said of it, and the registers that are other ones, by their labels. */
export function useTableChanges() {
  const t = useT()
  return (base: StoredModbusTable, remote: StoredModbusTable): FieldChange[] => {
    const about = ABOUT.map((field) => ({
      label: t(`resources:modbusTable.fields.${field}`),
      of: (table: StoredModbusTable) => table[field],
    }))
    const otherIn = (one: StoredModbusTable, other: StoredModbusTable) => {
      const known = new Set(other.Rows.map((row) => JSON.stringify(row)))
      return one.Rows.filter((row) => !known.has(JSON.stringify(row))).map(({ Label }) => Label)
    }
    const rows = {
      label: t('modbus:form.rows'),
      before: otherIn(base, remote).join(t('screens:listComma')) || '–',
      remote: otherIn(remote, base).join(t('screens:listComma')) || '–',
    }
    const sameRows = JSON.stringify(base.Rows) === JSON.stringify(remote.Rows)
    return [...changesBetween(base, remote, about), ...(sameRows ? [] : [rows])]
  }
}
