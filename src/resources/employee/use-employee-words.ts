import type { EmployeeRow } from '../../../contract/resources/employee.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { FieldWords } from '../../record-kit/record-conflict.tsx'

/** What the form of an employee says, in words. */
export function useEmployeeWords(): FieldWords<EmployeeRow> {
  const t = useT()
  return [
    { label: t('access:fields.EmployeeName'), of: (row) => row.EmployeeName },
    { label: t('access:fields.Email'), of: (row) => row.Email },
    { label: t('access:fields.CardNumber'), of: (row) => row.CardNumber },
    { label: t('access:fields.DepartmentID'), of: (row) => row.Department },
    {
      label: t('access:fields.Active'),
      of: (row) => t(row.Active ? 'access:employee.active' : 'access:employee.inactive'),
    },
  ]
}
