import { Alert, Button, Card, Form, Input, Skeleton } from 'antd'
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { session, type Session } from '../../../contract/people/session-calls.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { useT, type TKey, t as tNow, useLanguage } from '../../lib/i18n/i18n.ts'
import { useMe } from '../../data/session.ts'
import { CallError } from '../../data/post.ts'
import { useAction } from '../../data/use-action.ts'
import { PasswordRules } from '../../sign-in/password-rules.tsx'
import { useRefusedFields } from '../../ui/inputs/use-refused-fields.ts'
import { Page } from '../../ui/page/page.tsx'
import page from '../../ui/page/page.module.css'
import styles from './personal.module.css'
import { isPassword } from '../../../contract/kernel/sign-in-rules.ts'
import { personData } from '../../../contract/people/person-data-calls.ts'
import { savePersonData } from '../../domain/person-data/save-person-data.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { formatAge } from '../../lib/format-age.ts'
import { callQuery } from '../../data/api.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { readUserAgent } from './user-agent.ts'

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
  const { run, busy, refused, failure } = useAction(session.changePassword, { feedback: 'both' })
  const [isDone, setIsDone] = useState(false)
  const wordsOf = (reason: string) => (REASONS[reason] ? t(REASONS[reason]) : describeField(reason))

  useRefusedFields(form, refused, wordsOf)

  const change = async ({ PreviousPassword, ProposedPassword }: PasswordValues) => {
    if (!(await run({ PreviousPassword, ProposedPassword }))) return
    form.resetFields()
    setIsDone(true)
  }

  return (
    <Page title={t('personal:password.title')} width="form" className={styles.page}>
      <Card>
        {isDone && (
          <Alert
            type="success"
            showIcon
            closable
            className={page.below16}
            message={t('personal:password.changed')}
            onClose={() => setIsDone(false)}
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
          className={`${page.tightStack} ${styles.form}`}
          onFinish={change}
          onValuesChange={() => setIsDone(false)}
        >
          {/* Username for password managers. */}
          <input type="text" autoComplete="username" value={me?.Email ?? ''} readOnly hidden />
          {FIELDS.map((name) => (
            <Form.Item
              key={name}
              name={name}
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
          <p className={`${page.note} ${page.below12}`}>{t('personal:password.note')}</p>
          <Button type="primary" htmlType="submit" loading={busy}>
            {t('personal:password.submit')}
          </Button>
        </Form>
      </Card>
      <Sessions />
      <MyData />
    </Page>
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

function MyData() {
  const t = useT()
  const me = useMe()
  const copy = useAction(async (_: undefined, send) =>
    savePersonData(me?.Email ?? '', await send(personData.exportMyData, {})),
  )
  return (
    <Card title={t('personal:data.title')} className={page.above16}>
      <p className={`${page.note} ${page.below12}`}>{t('personal:data.note')}</p>
      <Button
        loading={copy.busy}
        onClick={() => void copy.run(undefined, () => tNow('screens:personData.saved'))}
      >
        {t('personal:data.export')}
      </Button>
    </Card>
  )
}

type SignedIn = z.infer<typeof Session>

/** Sessions of the user, this device first; all others can be signed out. */
function Sessions() {
  const t = useT()
  const { data, error, refetch } = useQuery(callQuery(session.listSessions, {}))
  const sessions =
    data && [...data].sort((a, b) => Number(b.Current) - Number(a.Current) || b.LastUsedAt - a.LastUsedAt)
  return (
    <Card title={t('personal:sessions.title')} className={page.above16}>
      <p className={`${page.note} ${page.below12}`}>{t('personal:sessions.note')}</p>
      {!sessions && error && (
        <div role="alert">
          <p>{t('personal:sessions.failed')}</p>
          <p className={`${page.note} ${page.below12}`}>{describeFailure(error)}</p>
          <Button onClick={() => void refetch()}>{t('personal:sessions.retry')}</Button>
        </div>
      )}
      {!sessions && !error && <Skeleton active title={false} paragraph={{ rows: 3 }} />}
      {sessions && (
        <ul className={`${page.rows} ${page.spreadRows}`}>
          {sessions.map((signedIn) => (
            <SessionLine key={signedIn.SessionID} one={signedIn} />
          ))}
        </ul>
      )}
      {sessions && sessions.length < 2 && <p className={page.note}>{t('personal:sessions.onlyThis')}</p>}
    </Card>
  )
}

function SessionLine({ one: signedIn }: { one: SignedIn }) {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const revoke = useAction(session.revokeSession)
  const { browser, system } = readUserAgent(signedIn.UserAgent)
  const name =
    browser && system
      ? t('personal:sessions.named', { browser, system })
      : (browser ?? system ?? t('personal:sessions.unknown'))

  return (
    <li>
      <div>
        <div className={page.row}>
          <strong title={signedIn.UserAgent}>{name}</strong>
          {signedIn.Current && <StateTag tone="good">{t('personal:sessions.current')}</StateTag>}
        </div>
        <div className={page.small}>
          {t('personal:sessions.lastUsed', { age: formatAge(signedIn.LastUsedAt, now, language) })}
          {' · '}
          {t('personal:sessions.since', {
            date: formatWhen(signedIn.CreatedAt, language, undefined),
          })}
        </div>
      </div>
      {!signedIn.Current && (
        <Button
          loading={revoke.busy}
          aria-label={t('personal:sessions.revokeNamed', { name })}
          onClick={() =>
            void revoke.run({ SessionID: signedIn.SessionID }, () => tNow('personal:sessions.revoked'))
          }
        >
          {t('personal:sessions.revoke')}
        </Button>
      )}
    </li>
  )
}
