import type { UtilityBill } from '../../../contract/tariffs/utility-bill.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { CompareBill } from './compare-bill.tsx'
import { useBillColumns } from './use-bill-columns.tsx'
import { useBillFields } from './use-bill-fields.tsx'

/** Bills of the power company as people typed them in, each beside ours. */
export default defineRecord({
  resource: 'utilityBill',
  columns: useBillColumns,
  form: {
    as: 'drawer',
    fields: useBillFields,
    initial: { kWh: {}, PeakKw: {}, Capacities: {}, PowerFactor: null },
    columns: true,
    toForm: (record) => ({ ...record, Capacities: record.Capacities ?? {} }),
    toInput: (values) => ({
      ...values,
      PowerFactor: values['PowerFactor'] ?? null,
      // Contracts that nobody typed in count as agreed here.
      Capacities:
        Object.keys((values['Capacities'] as UtilityBill['Capacities']) ?? {}).length > 0
          ? values['Capacities']
          : null,
    }),
  },
  Actions: ({ row }) => <CompareBill bill={row} />,
  actionsWidth: 176,
  remove: { consequence: () => t('resources:utilityBill.consequence') },
})
