import { Input, Switch } from 'antd'
import { useMay } from '../../data/session.ts'
import { useDepartments } from '../../domain/department/use-departments.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { FormField } from '../../record-kit/record-form.tsx'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { holdsLabel } from '../../ui/inputs/holds-label.ts'

/** What can be said of an employee; the department is chosen by who may see departments. */
export function useEmployeeFields(): readonly FormField[] {
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
            said: (row: Readonly<Record<string, unknown>>) => row['Department'] as string | null,
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
      said: ({ Active }) => t(Active ? 'access:employee.active' : 'access:employee.inactive'),
    },
  ]
}
