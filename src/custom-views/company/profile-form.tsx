import { Alert, Button, Form, Input } from 'antd'
import { useEffect, useState } from 'react'
import { company, CompanyProfile } from '../../../contract/procedures/company.ts'
import { call } from '../../providers/api.ts'
import { describeFailure, describeField } from '../../providers/failure.ts'
import { t as translate, useT } from '../../providers/i18n.ts'
import { notices } from '../../providers/notices.ts'
import { putCompany } from '../../providers/personal.ts'
import { CallError } from '../../providers/post.ts'
import { useUnsavedGuard } from '../../shell/use-unsaved-guard.ts'
import { isRequired, maxLengthOf, reasonFor } from '../../ui/crud/field-rules.ts'
import styles from './company.module.css'

const FIELDS = ['CompanyName', 'LogoName'] as const
const LABELS = { CompanyName: 'company:name', LogoName: 'company:brand' } as const
export type ProfileValues = Pick<CompanyProfile, (typeof FIELDS)[number]>

const same = (a: ProfileValues, b: ProfileValues) => FIELDS.every((name) => a[name] === b[name])

interface Props {
  profile: CompanyProfile
  /** What is typed at the moment, for the preview. */
  onTyped: (values: ProfileValues) => void
}

/**
 * Name and title. What somebody else saves meanwhile is taken over at once while nothing is typed here; over typed words
 * it is only announced.
 */
export function ProfileForm({ profile, onTyped }: Props) {
  const t = useT()
  const [form] = Form.useForm<ProfileValues>()
  const [start, setStart] = useState<ProfileValues>(profile)
  const [typed, setTyped] = useState<ProfileValues>(profile)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const dirty = !same(typed, start)
  const elsewhere = dirty && !busy && !same(profile, start)
  useUnsavedGuard(dirty)

  const takeOver = (next: CompanyProfile) => {
    const values = { CompanyName: next.CompanyName, LogoName: next.LogoName }
    form.setFieldsValue(values)
    setStart(values)
    setTyped(values)
    onTyped(values)
  }
  useEffect(() => {
    if (!dirty && !same(profile, start)) takeOver(profile)
  }) // oxlint-disable-line react/exhaustive-deps -- compares by value itself

  const save = async (values: ProfileValues) => {
    setBusy(true)
    setFailure(undefined)
    try {
      const saved = await call(company.updateCompanyProfile, values)
      putCompany(saved)
      takeOver(saved)
      notices.success(() => translate('company:saved'))
    } catch (error) {
      const fields = error instanceof CallError ? error.fields : {}
      const shown = FIELDS.filter((name) => fields[name])
      form.setFields(shown.map((name) => ({ name, errors: [describeField(fields[name] ?? '')] })))
      if (shown.length === 0) setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={profile}
      onFinish={save}
      onValuesChange={(_, values) => {
        setTyped(values)
        onTyped(values)
      }}
    >
      {failure !== undefined && (
        <Alert type="error" showIcon className={styles.alert} message={describeFailure(failure)} />
      )}
      {elsewhere && (
        <Alert
          type="info"
          showIcon
          className={styles.alert}
          message={t('company:changedElsewhere')}
          action={
            <Button size="small" onClick={() => takeOver(profile)}>
              {t('company:takeOver')}
            </Button>
          }
        />
      )}
      {FIELDS.map((name) => {
        const schema = CompanyProfile.shape[name]
        return (
          <Form.Item
            key={name}
            name={name}
            label={t(LABELS[name])}
            required={isRequired(schema)}
            extra={name === 'LogoName' && t('company:brandNote')}
            validateTrigger={['onBlur', 'onSubmit']}
            rules={[
              {
                validator: (_, value: unknown) => {
                  const reason = reasonFor(schema, value)
                  return reason ? Promise.reject(new Error(describeField(reason))) : Promise.resolve()
                },
              },
            ]}
          >
            <Input
              maxLength={maxLengthOf(schema)}
              autoComplete={name === 'CompanyName' ? 'organization' : 'off'}
            />
          </Form.Item>
        )
      })}
      <Button type="primary" htmlType="submit" loading={busy} disabled={!dirty}>
        {t('company:save')}
      </Button>
    </Form>
  )
}
