import { useQuery } from '@tanstack/react-query'
import { Radio, Select } from 'antd'
import type { FC } from 'react'
import { department } from '../../../../contract/people/department.ts'
import { user } from '../../../../contract/people/user.ts'
import { displayName } from '../../../../contract/kernel/text.ts'
import type { Recipients } from '../../../../contract/automation/alarm-part.ts'
import { callQuery } from '../../../data/api.ts'
import { useMay } from '../../../data/session.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import type { Reasons } from '../rules/draft.ts'
import { faultWithin, PartFault } from './field.tsx'
import { holdsLabel } from '../../../ui/inputs/holds-label.ts'

interface Props {
  /** Accessible label. */
  label: string
  value: Recipients
  onChange: (value: Recipients) => void
  /** Path of the field in the gateway's errors. */
  path: string
  reasons: Reasons
  disabled: boolean
}

/** Recipients: all users who may read the subject, or selected users and departments. */
export const RecipientsField: FC<Props> = ({ label, value, onChange, path, reasons, disabled }) => {
  const t = useT()
  const isChosen = value !== 'readers'
  return (
    <div className={page.tightStack}>
      <Radio.Group
        aria-label={label}
        disabled={disabled}
        value={isChosen}
        options={[
          { value: false, label: t('automation:rule.tell.readers') },
          { value: true, label: t('automation:rule.tell.chosen') },
        ]}
        onChange={({ target }) => onChange(target.value ? { Users: [], Departments: [] } : 'readers')}
      />
      {isChosen && <Chosen label={label} value={value} onChange={onChange} disabled={disabled} />}
      <PartFault path={faultWithin(path, reasons)} reasons={reasons} />
    </div>
  )
}

interface ChosenProps extends Pick<Props, 'label' | 'disabled'> {
  value: Exclude<Recipients, 'readers'>
  onChange: (value: Recipients) => void
}

function Chosen({ label, value, onChange, disabled }: ChosenProps) {
  const t = useT()
  const mayRead = useMay('user', 'Read')
  const people = useQuery({ ...callQuery(user.operations.list, {}), enabled: mayRead })
  const departments = useQuery({ ...callQuery(department.operations.list, {}), enabled: mayRead })
  if (!mayRead)
    return (
      <p className={page.hint}>
        {t('automation:rule.tell.hidden', { count: value.Users.length + value.Departments.length })}
      </p>
    )
  const shared = { mode: 'multiple', disabled, filterOption: holdsLabel, showSearch: true } as const
  return (
    <>
      <Select<string[]>
        {...shared}
        aria-label={t('automation:rule.tell.of', { label, what: t('automation:rule.tell.people') })}
        placeholder={t('automation:rule.tell.people')}
        loading={people.isPending}
        value={value.Users}
        options={(people.data ?? []).map((person) => ({
          value: person.CognitoId,
          label: displayName(person),
        }))}
        onChange={(Users) => onChange({ ...value, Users })}
      />
      <Select<string[]>
        {...shared}
        aria-label={t('automation:rule.tell.of', { label, what: t('automation:rule.tell.departments') })}
        placeholder={t('automation:rule.tell.departments')}
        loading={departments.isPending}
        value={value.Departments}
        options={(departments.data ?? []).map(({ DepartmentID, Department }) => ({
          value: DepartmentID,
          label: Department,
        }))}
        onChange={(Departments) => onChange({ ...value, Departments })}
      />
    </>
  )
}
