import { Alert, Button, Card, Form, Input } from 'antd'
import { useState } from 'react'
import { session } from '../../../contract/people/session-calls.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { useT, type TKey } from '../../lib/i18n/i18n.ts'
import { useMe } from '../../data/session.ts'
import { CallError } from '../../data/post.ts'
import { useAction } from '../../data/use-action.ts'
import { PasswordRules } from '../../sign-in/password-rules.tsx'
import { useRefusedFields } from '../../ui/inputs/use-refused-fields.ts'
import page from '../../ui/page/page.module.css'
import styles from './personal.module.css'
import { MyData } from './my-data.tsx'
import { Sessions } from './sessions.tsx'
import { isPassword } from '../../../contract/kernel/credential.ts'

const FIELDS = ['PreviousPassword', 'ProposedPassword', 'Confirm'] as const
const LABELS = {
  PreviousPassword: 'personal:password.previous',
  ProposedPassword: 'personal:password.next',
  Confirm: 'personal:password.confirm',
} as const satisfies Record<PasswordField, TKey>

/** Reasons with texts of this page; others have common texts. */
const REASONS: Readonly<Record<string, TKey>> = {
  mismatch: 'personal:password.mismatch',
  same: 'personal:password.same',
}

/** Changes the user's own password; ends their other sessions, which are listed below. */
export default function ChangePassword() {
  const t = useT()
  const me = useMe()
  const [form] = Form.useForm<PasswordValues>()
  const proposed = Form.useWatch('ProposedPassword', form) ?? ''
  const { run, busy, refused, failure } = useAction(session.changePassword, { shows: 'both' })
  const [done, setDone] = useState(false)
  const wordsOf = (reason: string) => (REASONS[reason] ? t(REASONS[reason]) : describeField(reason))

  useRefusedFields(form, refused, wordsOf)

  const change = async ({ PreviousPassword, ProposedPassword }: PasswordValues) => {
    if (!(await run({ PreviousPassword, ProposedPassword }))) return
    form.resetFields()
    setDone(true)
  }

  return (
    <section className={styles.page}>
      <h1>{t('personal:password.title')}</h1>
      <Card>
        {done && (
          <Alert
            type="success"
            showIcon
            closable
            className={page.below16}
            message={t('personal:password.changed')}
            onClose={() => setDone(false)}
          />
        )}
        {failure !== undefined && (
          <Alert
            type="error"
            showIcon
            className={page.below16}
            message={
              failure instanceof CallError && failure.failure === 'LIMIT_EXCEEDED'
                ? t('personal:password.tooMany')
                : describeFailure(failure)
            }
          />
        )}
        <Form
          form={form}
          layout="vertical"
          className={styles.form}
          onFinish={change}
          onValuesChange={() => setDone(false)}
          requiredMark={false}
        >
          {/* Username for password managers. */}
          <input type="text" autoComplete="username" value={me?.Email ?? ''} readOnly hidden />
          {FIELDS.map((name) => (
            <Form.Item
              key={name}
              name={name}
              className={styles.item}
              label={t(LABELS[name])}
              validateTrigger={['onBlur', 'onSubmit']}
              extra={name === 'ProposedPassword' && <PasswordRules password={proposed} />}
              rules={[
                ({ getFieldsValue }) => ({
                  validator: () => {
                    const reason = passwordFault(name, getFieldsValue())
                    return reason ? Promise.reject(new Error(wordsOf(reason))) : Promise.resolve()
                  },
                }),
              ]}
            >
              <Input.Password
                autoComplete={name === 'PreviousPassword' ? 'current-password' : 'new-password'}
                maxLength={256}
              />
            </Form.Item>
          ))}
          <p className={styles.note}>{t('personal:password.note')}</p>
          <Button type="primary" htmlType="submit" loading={busy}>
            {t('personal:password.submit')}
          </Button>
        </Form>
      </Card>
      <Sessions />
      <MyData />
    </section>
  )
}

type PasswordField = 'PreviousPassword' | 'ProposedPassword' | 'Confirm'
type PasswordValues = Record<PasswordField, string>

/**
 * Fault of a field in the change-password form (§5), checked before it is sent.
 *
 * returns  a reason key of `errors.fields`, or 'same' and 'mismatch' of this page; undefined if the field is valid
 */
export function passwordFault(field: PasswordField, values: Partial<PasswordValues>): string | undefined {
  const value = values[field] ?? ''
  if (value === '') return 'required'
  switch (field) {
    case 'PreviousPassword':
      return undefined
    case 'ProposedPassword':
      if (!isPassword(value)) return 'password'
      return value === values.PreviousPassword ? 'same' : undefined
    case 'Confirm':
      return value === values.ProposedPassword ? undefined : 'mismatch'
  }
}
