import { modbusTable } from '../../../contract/resources/modbus-table.ts'
import { pathTo } from '../../paths.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { definePages } from '../../record-kit/define-pages.tsx'

const editPath = ({ ModbusTableID }: { ModbusTableID: string }) =>
  pathTo('updateModbusTable', { ModbusTableID })

/** The company's library of Modbus tables. */
export default definePages(modbusTable, {
  list: {
    columns: ['TableName', 'Manufacturer', 'Model', { key: 'rows', text: ({ Rows }) => Rows.length }],
    open: editPath,
    consequence: () => t('resources:modbusTable.consequence'),
  },
  form: { as: 'page', create: 'updateModbusTable', edit: editPath },
})
