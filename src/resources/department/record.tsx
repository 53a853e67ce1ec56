import { t } from '../../lib/i18n/i18n.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'

/** Departments of the company; the gateway refuses to delete one that has members. */
export default defineRecord({
  resource: 'department',
  columns: ['Department'],
  form: { presentation: 'modal', fields: ['Department'] },
  remove: { consequence: () => t('resources:department.consequence') },
  bulk: 'remove',
  views: 'department',
  exports: { requiredRight: { feature: 'user', operation: 'Export' } },
})
