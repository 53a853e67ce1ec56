import { PlusOutlined } from '@ant-design/icons'
import { Avatar, Button, Select } from 'antd'
import { Link } from 'react-router'
import { employee, EMPLOYEE_SORTS, type EmployeeRow } from '../../../contract/resources/employee.ts'
import styles from '../../domain/access/access.module.css'
import { PagedList } from '../../record-kit/paged-list/paged-list.tsx'
import { SearchBox } from '../../ui/inputs/search-box.tsx'
import { oneOf, readSort, useAddress } from '../../ui/page/use-address.ts'
import { pathTo } from '../../paths.ts'
import { call, callKey } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { ListViews } from '../../record-kit/views/list-views.tsx'
import { DepartmentFilter } from '../../domain/department/department-filter.tsx'
import { useDepartments } from '../../domain/department/use-departments.ts'
import { EmployeeExport } from './employee-export.tsx'

const EmployeeBulkBar = lazyPart(() => import('./employee-bulk-bar.tsx'))

/** /EmployeeManagement: who may pass doors; filters and order stand in the address. */
export default function EmployeeList() {
  const t = useT()
  const { get, change } = useAddress()
  const mayCreate = useMay('access_control_employee', 'Create')
  const mayUpdate = useMay('access_control_employee', 'Update')
  const maySeeDepartments = useMay('user', 'Read')
  const departments = useDepartments()
  const state = oneOf(['active', 'inactive'], get('state'))
  const DepartmentID = departments.find((one) => one.DepartmentID === get('dept'))?.DepartmentID
  const sort = readSort(EMPLOYEE_SORTS, get('sort')) ?? { Sort: 'EmployeeName' as const, Descending: false }
  const input = {
    Search: get('q').slice(0, 100),
    ...(state && { Active: state === 'active' }),
    ...(DepartmentID && { DepartmentID }),
    ...sort,
  }
  const edit = (row: EmployeeRow) => pathTo('EmployeeEdit', { employeeID: row.EmployeeID })
  const create = mayCreate && (
    <Link to={pathTo('CreateEmployee')}>
      <Button type="primary" icon={<PlusOutlined />} tabIndex={-1}>
        {t('shell:pages.CreateEmployee')}
      </Button>
    </Link>
  )
  return (
    <section className={styles.page}>
      <PagedList<EmployeeRow>
        queryKey={callKey(employee.operations.list, input)}
        load={(asked, signal) => call(employee.operations.list, { ...input, ...asked }, { signal })}
        label={t('shell:pages.EmployeeManagement')}
        rowKey={(row) => row.EmployeeID}
        open={edit}
        sort={sort}
        onSort={(name, descending) => change({ sort: `${descending ? '-' : ''}${name}` })}
        filtered={input.Search !== '' || state !== undefined || DepartmentID !== undefined}
        clear={() => change({ q: undefined, state: undefined, dept: undefined })}
        empty={t('access:employee.empty')}
        next={create}
        renderHead={(total) => (
          <>
            <header className={styles.header}>
              <h1>{t('shell:pages.EmployeeManagement')}</h1>
              {total !== undefined && (
                <span className={styles.count}>{t('screens:list.count', { count: total })}</span>
              )}
              <div className={styles.tools}>
                <ListViews
                  list="employee"
                  sorts={{
                    EmployeeName: t('access:fields.EmployeeName'),
                    Email: t('access:fields.Email'),
                    Department: t('access:fields.DepartmentID'),
                  }}
                  inWords={(of) => [
                    departments.find((one) => one.DepartmentID === of('dept'))?.Department,
                    of('state') && t(`access:employee.${of('state') === 'active' ? 'active' : 'inactive'}`),
                  ]}
                />
                <EmployeeExport filter={input} total={total} />
                {create}
              </div>
            </header>
            <div className={styles.filters}>
              <SearchBox value={get('q')} label={t('access:employee.search')} search={(q) => change({ q })} />
              {maySeeDepartments && (
                <DepartmentFilter
                  departments={departments}
                  value={DepartmentID}
                  label={t('access:fields.DepartmentID')}
                  change={(dept) => change({ dept })}
                />
              )}
              <Select
                allowClear
                className={styles.choice}
                value={state ?? null}
                placeholder={t('access:anyState')}
                aria-label={t('access:fields.State')}
                onChange={(next: string | undefined) => change({ state: next })}
                options={(['active', 'inactive'] as const).map((value) => ({
                  value,
                  label: t(`access:employee.${value}`),
                }))}
              />
            </div>
          </>
        )}
        bulk={
          mayUpdate
            ? {
                nameOf: (row) => row.EmployeeName,
                renderBar: (rows, clear) => <EmployeeBulkBar rows={rows} clear={clear} />,
              }
            : undefined
        }
        columns={[
          {
            key: 'EmployeeName',
            sort: 'EmployeeName',
            title: t('access:fields.EmployeeName'),
            render: (row) => (
              <span className={styles.named}>
                <Avatar src={row.PhotoUrl ?? undefined} alt="" style={{ flex: 'none' }}>
                  {[...row.EmployeeName][0]}
                </Avatar>
                <Link to={edit(row)}>{row.EmployeeName}</Link>
              </span>
            ),
          },
          { key: 'Email', sort: 'Email', title: t('access:fields.Email'), render: (row) => row.Email },
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
            render: (row) => (
              <StateTag tone={row.Active ? 'good' : 'offline'}>
                {t(row.Active ? 'access:employee.active' : 'access:employee.inactive')}
              </StateTag>
            ),
          },
        ]}
      />
    </section>
  )
}
