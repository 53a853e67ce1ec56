import { useQuery } from '@tanstack/react-query'
import { Input, Switch } from 'antd'
import type { FC } from 'react'
import { department } from '../../../contract/resources/department.ts'
import { employee } from '../../../contract/resources/employee.ts'
import { Field } from '../../domain/access/field.tsx'
import { callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { useMay } from '../../data/session.ts'

const { shape } = employee.operations.create.input

/** The fields of an employee; the department is chosen by who may see departments. */
export const EmployeeFields: FC = () => {
  const t = useT()
  const mayChoose = useMay('user', 'Read')
  return (
    <>
      <Field name="EmployeeName" label={t('access:fields.EmployeeName')} rule={shape.EmployeeName}>
        <Input maxLength={64} />
      </Field>
      <Field name="Email" label={t('access:fields.Email')} rule={shape.Email}>
        <Input type="email" inputMode="email" maxLength={254} />
      </Field>
      <Field
        name="CardNumber"
        label={t('access:fields.CardNumber')}
        rule={shape.CardNumber}
        hint={t('access:employee.cardHint')}
      >
        <Input maxLength={64} autoComplete="off" />
      </Field>
      {mayChoose && <DepartmentField />}
      <Field name="Active" label={t('access:fields.Active')} rule={shape.Active} valuePropName="checked">
        <Switch />
      </Field>
    </>
  )
}

const DepartmentField: FC = () => {
  const t = useT()
  const { data: departments = [] } = useQuery({
    ...callQuery(department.operations.list, {}),
  })
  return (
    <Field name="DepartmentID" label={t('access:fields.DepartmentID')} rule={shape.DepartmentID}>
      <FormSelect
        allowClear
        showSearch
        optionFilterProp="label"
        options={departments.map(({ DepartmentID, Department }) => ({
          value: DepartmentID,
          label: Department,
        }))}
      />
    </Field>
  )
}
