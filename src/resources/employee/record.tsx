import { Button, Input, Switch, Card, Avatar } from 'antd'
import { useState, type FC } from 'react'
import { useNavigate, Link } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import { EMPLOYEE_SORTS, type EmployeeRow } from '../../../contract/access-control/employee.ts'
import { t, useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { PersonDataButtons } from '../../domain/person-data/person-data-buttons.tsx'
import { RemoveButton } from '../../record-kit/removal.tsx'
import { useMay } from '../../data/session.ts'
import { useDepartmentFilter, useDepartments } from '../../domain/department/use-department-filter.tsx'
import { oneOf } from '../../ui/page/use-address.ts'
import { barChoice } from '../../ui/filter-bar/bar-choice.tsx'
import type { FilterOf } from '../../record-kit/resource-types.ts'
import type { ListFilter } from '../../record-kit/screen.ts'
import { accessControl } from '../../../contract/access-control/calls.ts'
import { PassDialog } from '../../domain/access/pass-dialog.tsx'
import { callQuery, call } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import type { FormField } from '../../record-kit/record-form.tsx'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { holdsLabel } from '../../lib/match-words.ts'
import page from '../../ui/page/page.module.css'
import { PictureUpload } from '../../ui/inputs/picture-upload.tsx'
import type { ListTableColumn } from '../../record-kit/list/column.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { RowMenu } from '../../ui/table/row-menu.tsx'

/** An employee's photo; users with the right can replace it, which takes effect at once. */
const EmployeePhoto: FC<{ record: EmployeeRow }> = ({ record }) => {
  const t = useT()
  const mayUpdate = useMay('access_control_employee', 'Update')
  const { EmployeeID, EmployeeName: name, PhotoUrl } = record
  return (
    <Card title={t('access:employee.photo')}>
      {mayUpdate ? (
        <PictureUpload
          alt={name}
          url={PhotoUrl}
          target={(ContentType) => call(accessControl.uploadEmployeePhoto, { EmployeeID, ContentType })}
          remove={async () => {
            await call(accessControl.deleteEmployeePhoto, { EmployeeID })
          }}
        />
      ) : PhotoUrl ? (
        <img src={PhotoUrl} alt={name} style={{ maxWidth: '100%', maxHeight: 180 }} />
      ) : (
        <p className={page.note}>{t('screens:picture.none')}</p>
      )}
    </Card>
  )
}

/** An employee's printable pass; renewing it revokes the old one. */
const EmployeePass: FC<{ employee: EmployeeRow; close: () => void }> = ({ employee, close }) => {
  const t = useT()
  const { busy, run } = useAction(accessControl.renewEmployeePass)
  const mayRenew = useMay('access_control_employee', 'Update')
  const { EmployeeID, EmployeeName: name } = employee
  const query = useQuery(callQuery(accessControl.getEmployeePass, { EmployeeID }))
  const renew = () =>
    confirm({
      title: t('access:pass.renewTitle', { name }),
      content: t('access:pass.renewNote'),
      okText: t('access:pass.renew'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      onOk: async () => {
        await run({ EmployeeID })
      },
    })
  return (
    <PassDialog
      title={t('access:pass.employee')}
      name={name}
      pass={query}
      close={close}
      action={
        mayRenew && (
          <Button danger loading={busy} onClick={renew}>
            {t('access:pass.renew')}
          </Button>
        )
      }
    >
      {employee.Department && <span>{employee.Department}</span>}
    </PassDialog>
  )
}

const STATES = ['active', 'inactive'] as const

/** Filters of the list of employees: by department, with the right to read users, and by whether they are active. */
function useEmployeeFilters(): readonly ListFilter<FilterOf<'employee'>>[] {
  const t = useT()
  const ofDepartment = useDepartmentFilter(t('access:fields.DepartmentID'))
  const maySeeDepartments = useMay('user', 'Read')
  const options = STATES.map((value) => ({ value, label: t(`access:employee.${value}`) }))
  return [
    ...(maySeeDepartments ? [ofDepartment] : []),
    {
      params: ['state'],
      read: (get) => {
        const state = oneOf(STATES, get('state'))
        return state ? { Active: state === 'active' } : {}
      },
      bar: (get, change) =>
        barChoice({
          key: 'state',
          value: oneOf(STATES, get('state')),
          placeholder: t('access:anyState'),
          label: t('access:fields.State'),
          options,
          onChange: (state) => change({ state }),
        }),
    },
  ]
}

/** Actions on an employee in addition to editing. */
const EmployeeHead: FC<{ record: EmployeeRow }> = ({ record }) => {
  const t = useT()
  const navigate = useNavigate()
  const [showsPass, setShowsPass] = useState(false)
  return (
    <>
      <span className={page.buttonAndMenu}>
        <Button onClick={() => setShowsPass(true)}>{t('access:pass.show')}</Button>
        <RowMenu name={record.EmployeeName}>
          <RemoveButton
            resource="employee"
            row={record}
            name={record.EmployeeName}
            remove={{ consequence: () => t('access:employee.consequence') }}
            onDone={() => void navigate(pathTo('EmployeeManagement'))}
          />
          <PersonDataButtons
            of={{ EmployeeID: record.EmployeeID }}
            name={record.EmployeeName}
            email={record.Email}
            erased={() => void navigate(pathTo('EmployeeManagement'))}
          />
        </RowMenu>
      </span>
      {showsPass && <EmployeePass employee={record} close={() => setShowsPass(false)} />}
    </>
  )
}

const edit = ({ EmployeeID }: { EmployeeID: string }) => pathTo('EmployeeEdit', { employeeID: EmployeeID })

/** Employees, who may pass doors. */
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
    presentation: 'page',
    fields: useEmployeeFields,
    initial: { Active: true },
    toInput: (values) => ({
      ...values,
      CardNumber: values['CardNumber'] || null,
      ...('DepartmentID' in values && { DepartmentID: values['DepartmentID'] ?? null }),
    }),
    Head: EmployeeHead,
    Above: EmployeePhoto,
    missingTexts: () => ({ title: t('access:employee.gone'), toList: t('access:employee.toList') }),
  },
  to: {
    list: () => pathTo('EmployeeManagement'),
    create: () => pathTo('CreateEmployee'),
    key: ({ employeeID = '' }) => ({ EmployeeID: employeeID }),
  },
  open: edit,
  remove: { notInRows: true },
  bulk: {
    requiredRights: [{ feature: 'access_control_employee', operation: 'Update' }],
    Bar: lazyPart(() => import('./employee-bulk-bar.tsx')),
  },
  views: 'employee',
  exports: { requiredRight: { feature: 'access_control_employee', operation: 'Export' } },
})

/** Form fields of an employee; selecting a department needs the right to read users. */
function useEmployeeFields(): readonly FormField[] {
  const t = useT()
  const mayChoose = useMay('user', 'Read')
  const departments = useDepartments()
  return [
    { name: 'EmployeeName', label: t('access:fields.EmployeeName'), input: <Input maxLength={64} /> },
    {
      name: 'Email',
      label: t('access:fields.Email'),
      input: <Input type="email" inputMode="email" maxLength={254} />,
    },
    {
      name: 'CardNumber',
      label: t('access:fields.CardNumber'),
      hint: t('access:employee.cardHint'),
      input: <Input maxLength={64} autoComplete="off" />,
    },
    ...(mayChoose
      ? [
          {
            name: 'DepartmentID',
            label: t('access:fields.DepartmentID'),
            describe: (row: Readonly<Record<string, unknown>>) => row['Department'] as string | null,
            input: (
              <FormSelect
                allowClear
                showSearch
                filterOption={holdsLabel}
                options={departments.map(({ DepartmentID, Department }) => ({
                  value: DepartmentID,
                  label: Department,
                }))}
              />
            ),
          },
        ]
      : []),
    {
      name: 'Active',
      label: t('access:fields.Active'),
      input: <Switch />,
      valuePropName: 'checked',
      describe: ({ Active }) => t(Active ? 'access:employee.active' : 'access:employee.inactive'),
    },
  ]
}

function useEmployeeColumns(): readonly ListTableColumn<EmployeeRow>[] {
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
        <span className={`${page.tightRow} ${page.words}`}>
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
      render: (row) => <span className={page.numbers}>{row.CardNumber ?? '–'}</span>,
    },
    {
      key: 'Active',
      title: t('access:fields.State'),
      text: stateOf,
      render: (row) => <StateTag tone={row.Active ? 'good' : 'offline'}>{stateOf(row)}</StateTag>,
    },
  ]
}
