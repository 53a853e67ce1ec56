import { Avatar } from 'antd'
import { Link } from 'react-router'
import type { EmployeeRow } from '../../../contract/access-control/employee.ts'
import styles from '../../domain/access/access.module.css'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import type { ListTableColumn } from '../../record-kit/list/column.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'

export function useEmployeeColumns(): readonly ListTableColumn<EmployeeRow>[] {
  const t = useT()
  const stateOf = ({ Active }: EmployeeRow) =>
    t(Active ? 'access:employee.active' : 'access:employee.inactive')
  return [
    {
      key: 'EmployeeName',
      sort: 'EmployeeName',
      title: t('access:fields.EmployeeName'),
      width: 160,
      text: (row) => row.EmployeeName,
      render: (row) => (
        <span className={styles.named}>
          <Avatar size={32} src={row.PhotoUrl ?? undefined} alt="" style={{ flex: 'none' }}>
            {[...row.EmployeeName][0]}
          </Avatar>
          <Link to={pathTo('EmployeeEdit', { employeeID: row.EmployeeID })}>{row.EmployeeName}</Link>
        </span>
      ),
    },
    { key: 'Email', sort: 'Email', title: t('access:fields.Email'), width: 240 },
    {
      key: 'Department',
      sort: 'Department',
      title: t('access:fields.DepartmentID'),
      render: (row) => row.Department ?? '–',
    },
    {
      key: 'CardNumber',
      title: t('access:fields.CardNumber'),
      render: (row) => <span className={styles.numbers}>{row.CardNumber ?? '–'}</span>,
    },
    {
      key: 'Active',
      title: t('access:fields.State'),
      text: stateOf,
      render: (row) => <StateTag tone={row.Active ? 'good' : 'offline'}>{stateOf(row)}</StateTag>,
    },
  ]
}
