import { EMPLOYEE_SORTS } from '../../../contract/access-control/employee.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { EmployeeHead } from './employee-head.tsx'
import { EmployeePhoto } from './employee-photo.tsx'
import { useEmployeeColumns } from './use-employee-columns.tsx'
import { useEmployeeFields } from './use-employee-fields.tsx'
import { useEmployeeFilters } from './use-employee-filters.tsx'

const edit = ({ EmployeeID }: { EmployeeID: string }) => pathTo('EmployeeEdit', { employeeID: EmployeeID })

/** Who may pass doors. */
export default defineRecord({
  resource: 'employee',
  words: () => ({
    list: t('shell:pages.EmployeeManagement'),
    create: t('shell:pages.CreateEmployee'),
    empty: t('access:employee.empty'),
  }),
  columns: useEmployeeColumns,
  drawing: 'visitor',
  filters: useEmployeeFilters,
  search: () => t('access:employee.search'),
  sort: { Sort: EMPLOYEE_SORTS[0], Descending: false },
  form: {
    as: 'page',
    columns: true,
    fields: useEmployeeFields,
    initial: { Active: true },
    toInput: (values) => ({
      ...values,
      CardNumber: values['CardNumber'] || null,
      ...('DepartmentID' in values && { DepartmentID: values['DepartmentID'] ?? null }),
    }),
    Head: EmployeeHead,
    Above: EmployeePhoto,
    gone: () => ({ title: t('access:employee.gone'), toList: t('access:employee.toList') }),
  },
  to: {
    list: () => pathTo('EmployeeManagement'),
    create: () => pathTo('CreateEmployee'),
    key: ({ employeeID = '' }) => ({ EmployeeID: employeeID }),
  },
  open: edit,
  remove: { notInRows: true },
  many: {
    needs: [{ feature: 'access_control_employee', operation: 'Update' }],
    Bar: lazyPart(() => import('./employee-bulk-bar.tsx')),
  },
  views: 'employee',
  exports: { needs: { feature: 'access_control_employee', operation: 'Export' } },
})
