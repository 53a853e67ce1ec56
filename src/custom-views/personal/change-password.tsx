import { Alert, Button, Card, Form, Input } from 'antd'
import { useState } from 'react'
import { session } from '../../../contract/procedures/session.ts'
import { call } from '../../providers/api.ts'
import { describeFailure, describeField } from '../../providers/failure.ts'
import { useT } from '../../providers/i18n.ts'
import { notices } from '../../providers/notices.ts'
import { CallError } from '../../providers/post.ts'
import { reasonFor } from '../../ui/crud/field-rules.ts'
import styles from './personal.module.css'

interface Values {
  PreviousPassword: string
  ProposedPassword: string
  Confirm: string
}

const { shape } = session.changePassword.input

/** Changes the person's own password; their other sessions end. */
export default function ChangePassword() {
  const t = useT()
  const [form] = Form.useForm<Values>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()

  const change = async ({ PreviousPassword, ProposedPassword }: Values) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await call(session.changePassword, { PreviousPassword, ProposedPassword })
      form.resetFields()
      notices.success(() => t('screens:password.changed'))
    } catch (error) {
      const fields = error instanceof CallError ? Object.entries(error.fields) : []
      form.setFields(
        fields.map(([name, reason]) => ({ name: name as keyof Values, errors: [describeField(reason)] })),
      )
      if (fields.length === 0) setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  const rule = (field: 'PreviousPassword' | 'ProposedPassword') => ({
    validator: (_: unknown, value: unknown) => {
      const reason = reasonFor(shape[field], value)
      return reason ? Promise.reject(new Error(describeField(reason))) : Promise.resolve()
    },
  })

  return (
    <section className={styles.page}>
      <h1>{t('screens:password.title')}</h1>
      <Card>
        {failure !== undefined && (
          <Alert type="error" showIcon message={describeFailure(failure)} style={{ marginBottom: 16 }} />
        )}
        <Form form={form} layout="vertical" onFinish={change} requiredMark={false}>
          <Form.Item
            name="PreviousPassword"
            label={t('screens:password.previous')}
            rules={[rule('PreviousPassword')]}
          >
            <Input.Password autoComplete="current-password" />
          </Form.Item>
          <Form.Item
            name="ProposedPassword"
            label={t('screens:password.next')}
            extra={t('screens:password.rule')}
            validateTrigger={['onBlur', 'onSubmit']}
            rules={[rule('ProposedPassword')]}
          >
            <Input.Password autoComplete="new-password" />
          </Form.Item>
          <Form.Item
            name="Confirm"
            label={t('screens:password.confirm')}
            dependencies={['ProposedPassword']}
            validateTrigger={['onBlur', 'onSubmit']}
            rules={[
              ({ getFieldValue }) => ({
                validator: (_, value: unknown) =>
                  value === getFieldValue('ProposedPassword')
                    ? Promise.resolve()
                    : Promise.reject(new Error(t('screens:password.mismatch'))),
              }),
            ]}
          >
            <Input.Password autoComplete="new-password" />
          </Form.Item>
          <p className={styles.note}>{t('screens:password.sessions')}</p>
          <Button type="primary" htmlType="submit" loading={busy}>
            {t('screens:password.title')}
          </Button>
        </Form>
      </Card>
    </section>
  )
}
