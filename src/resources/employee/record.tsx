import { EMPLOYEE_SORTS, type EmployeeRow } from '../../../contract/access-control/employee.ts'
import { t, useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { EmployeePhoto } from './employee-photo.tsx'
import { useEmployeeColumns } from './use-employee-columns.tsx'
import { Button, Input, Switch } from 'antd'
import { useState, type FC } from 'react'
import { useNavigate } from 'react-router'
import { PersonDataButtons } from '../../domain/person-data/person-data-buttons.tsx'
import { RemoveButton } from '../../record-kit/remove-button.tsx'
import styles from '../../ui/page/page.module.css'
import { useMay } from '../../data/session.ts'
import { useDepartmentFilter, useDepartments } from '../../domain/department/use-department-filter.tsx'
import { oneOf } from '../../ui/page/use-address.ts'
import { ChoiceFilter } from '../../ui/inputs/choice-filter.tsx'
import type { FilterOf } from '../../record-kit/resource-types.ts'
import type { ListFilter } from '../../record-kit/screen.ts'
import { useQuery } from '@tanstack/react-query'
import { accessControl } from '../../../contract/access-control/calls.ts'
import { PassDialog } from '../../domain/access/pass-dialog.tsx'
import { callQuery } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import type { FormField } from '../../record-kit/record-form.tsx'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { holdsLabel } from '../../ui/inputs/holds-label.ts'

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
      render: (get, change) => (
        <ChoiceFilter
          value={oneOf(STATES, get('state'))}
          placeholder={t('access:anyState')}
          label={t('access:fields.State')}
          options={options}
          onChange={(state) => change({ state })}
        />
      ),
      describe: (get) => [options.find(({ value }) => value === get('state'))?.label],
    },
  ]
}

/** Actions on an employee in addition to editing. */
const EmployeeHead: FC<{ record: EmployeeRow }> = ({ record }) => {
  const t = useT()
  const navigate = useNavigate()
  const [showsPass, setShowsPass] = useState(false)
  return (
    <div className={styles.tools}>
      <Button onClick={() => setShowsPass(true)}>{t('access:pass.show')}</Button>
      <RemoveButton
        resource="employee"
        row={record}
        name={record.EmployeeName}
        remove={{ consequence: () => t('access:employee.consequence') }}
        done={() => void navigate(pathTo('EmployeeManagement'))}
      />
      <PersonDataButtons
        of={{ EmployeeID: record.EmployeeID }}
        name={record.EmployeeName}
        email={record.Email}
        erased={() => void navigate(pathTo('EmployeeManagement'))}
      />
      {showsPass && <EmployeePass employee={record} close={() => setShowsPass(false)} />}
    </div>
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
    missingTexts: () => ({ title: t('access:employee.gone'), toList: t('access:employee.toList') }),
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
