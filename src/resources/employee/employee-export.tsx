import type { FC } from 'react'
import { employee, type EmployeeRow } from '../../../contract/resources/employee.ts'
import { call, type SentOf } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { ListExport } from '../../record-kit/export/list-export.tsx'

interface Props {
  filter: SentOf<typeof employee.operations.list>
  total: number | undefined
}

/** Employees as a file, filtered and sorted as they are shown. */
export const EmployeeExport: FC<Props> = ({ filter, total }) => {
  const t = useT()
  return (
    <ListExport<EmployeeRow>
      name={t('shell:pages.EmployeeManagement')}
      right={{ feature: 'access_control_employee', operation: 'Export' }}
      total={total}
      rows={(Cursor, signal) =>
        call(employee.operations.list, { ...filter, Limit: 500, ...(Cursor && { Cursor }) }, { signal })
      }
      columns={[
        { title: t('access:fields.EmployeeName'), of: (row) => row.EmployeeName },
        { title: t('access:fields.Email'), of: (row) => row.Email },
        { title: t('access:fields.DepartmentID'), of: (row) => row.Department },
        { title: t('access:fields.CardNumber'), of: (row) => row.CardNumber },
        {
          title: t('access:fields.State'),
          of: (row) => t(row.Active ? 'access:employee.active' : 'access:employee.inactive'),
        },
      ]}
    />
  )
}
