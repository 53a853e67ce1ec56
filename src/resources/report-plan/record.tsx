import { t } from '../../lib/i18n/i18n.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { usePlanColumns } from './use-plan-columns.tsx'
import { usePlanFields } from './use-plan-fields.tsx'

/** Reports that are mailed by themselves, with what became of the last letters. */
export default defineRecord({
  resource: 'reportPlan',
  columns: usePlanColumns,
  form: {
    as: 'modal',
    fields: usePlanFields,
    initial: { Kind: 'monthly', Homes: [], Day: 5, Recipients: [], Enabled: true },
  },
  remove: { consequence: () => t('resources:reportPlan.consequence') },
})
