import { department } from '../../../contract/resources/department.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { definePages } from '../../record-kit/define-pages.tsx'

/** Departments of the company; one that people belong to is kept by the gateway. */
export default definePages(department, {
  list: {
    columns: ['Department'],
    bulkRemoval: true,
    views: 'department',
    exportRight: { feature: 'user', operation: 'Export' },
    consequence: () => t('resources:department.consequence'),
  },
  form: { as: 'modal', fields: ['Department'] },
})
