import { Form, Input } from 'antd'
import type { FC } from 'react'
import { MAX_INVITATIONS_PER_CALL } from '../../../../contract/people/invitation-calls.ts'
import { user } from '../../../../contract/people/user.ts'
import { useDepartments } from '../../../domain/department/use-department-filter.tsx'
import { t as words, useT } from '../../../lib/i18n/i18n.ts'
import { LANGUAGES } from '../../../lib/i18n/words.ts'
import { maxLengthOf } from '../../../record-kit/field-rules.ts'
import { FormSelect } from '../../../ui/inputs/form-select.tsx'
import page from '../../../ui/page/page.module.css'
import type { Invitation } from './invite-people.ts'
import styles from './invite.module.css'
import { isRead, readAddresses, type AddressFault } from './read-addresses.ts'
import { holdsLabel } from '../../../ui/inputs/holds-label.ts'

export type InviteValues = Pick<Invitation, 'FirstName' | 'LastName' | 'Language'> & {
  emails: string
  DepartmentID?: string
}

/** Error message for a list of addresses. */
function inWords(read: AddressFault): string {
  if (read.fault === 'email') return words('people:invite.noAddress', { address: read.address })
  return read.fault === 'required'
    ? words('errors:fields.required')
    : words('people:invite.tooMany', { count: MAX_INVITATIONS_PER_CALL })
}

const checkAddresses = (_: unknown, text: string | undefined) => {
  const read = readAddresses(text ?? '')
  return isRead(read) ? Promise.resolve() : Promise.reject(new Error(inWords(read)))
}

/** Fields of an invitation; several people have no name fields, because each enters their own. */
export const InviteFields: FC<{ several: boolean }> = ({ several }) => {
  const t = useT()
  const departments = useDepartments()
  const most = maxLengthOf(user.record.shape.FirstName)
  const name = (field: 'LastName' | 'FirstName') => (
    <Form.Item name={field} label={t(`resources:user.fields.${field}`)} hidden={several}>
      <Input {...(most !== undefined && { maxLength: most })} autoComplete="off" />
    </Form.Item>
  )
  return (
    <div className={styles.fields}>
      <Form.Item
        className={page.wholeRow ?? ''}
        name="emails"
        label={t('people:invite.emails')}
        extra={t('people:invite.emailsNote', { count: MAX_INVITATIONS_PER_CALL })}
        validateTrigger={['onBlur', 'onSubmit']}
        rules={[{ required: true, validator: checkAddresses }]}
      >
        <Input.TextArea autoSize={{ minRows: 1, maxRows: 8 }} autoComplete="off" spellCheck={false} />
      </Form.Item>
      {name('LastName')}
      {name('FirstName')}
      <Form.Item name="DepartmentID" label={t('resources:user.fields.DepartmentID')}>
        <FormSelect
          allowClear
          showSearch
          filterOption={holdsLabel}
          options={departments.map(({ DepartmentID, Department }) => ({
            value: DepartmentID,
            label: Department,
          }))}
        />
      </Form.Item>
      <Form.Item name="Language" label={t('people:invite.language')}>
        <FormSelect options={LANGUAGES.map((value) => ({ value, label: t(`shell:language.${value}`) }))} />
      </Form.Item>
    </div>
  )
}
