import { t } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { ModbusTablePage } from './modbus-table-form.tsx'

const edit = ({ ModbusTableID }: { ModbusTableID: string }) => pathTo('updateModbusTable', { ModbusTableID })

/** The company's library of Modbus tables. */
export default defineRecord({
  resource: 'modbusTable',
  columns: ['TableName', 'Manufacturer', 'Model', { key: 'rows', text: ({ Rows }) => Rows.length }],
  to: {
    list: () => pathTo('ModbusTableListing'),
    create: () => pathTo('updateModbusTable'),
    edit,
  },
  open: edit,
  remove: { consequence: () => t('resources:modbusTable.consequence') },
  pages: { Create: ModbusTablePage, Edit: ModbusTablePage },
})
