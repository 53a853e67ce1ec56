import { Alert, Button, Form, Input } from 'antd'
import { useEffect, useState } from 'react'
import { company, CompanyProfile } from '../../../contract/procedures/company.ts'
import { call } from '../../providers/api.ts'
import { describeFailure, describeField } from '../../providers/failure.ts'
import { t as translate, useT } from '../../providers/i18n.ts'
import { notices } from '../../providers/notices.ts'
import { putCompany } from '../../providers/personal.ts'
import { CallError } from '../../providers/post.ts'
import { useUnsavedGuard } from '../../ui/use-unsaved-guard.ts'
import { isRequired, maxLengthOf, reasonFor } from '../../ui/crud/field-rules.ts'
import styles from './company.module.css'

const FIELDS = ['CompanyName', 'LogoName'] as const
const LABELS = { CompanyName: 'company:name', LogoName: 'company:brand' } as const
export type ProfileValues = Pick<CompanyProfile, (typeof FIELDS)[number]>

/** Typed and not yet saved, with what stood in the profile when the typing began. */
export interface Draft {
  values: ProfileValues
  base: ProfileValues
}

const same = (a: ProfileValues, b: ProfileValues) => FIELDS.every((name) => a[name] === b[name])

interface Props {
  profile: CompanyProfile
  draft: Draft | undefined
  onDraft: (draft: Draft | undefined) => void
}

/**
 * Name and title. What somebody else saves meanwhile is taken over at once while nothing is typed here; over typed words
 * it is only announced.
 */
export function ProfileForm({ profile, draft, onDraft }: Props) {
  const t = useT()
  const [form] = Form.useForm<ProfileValues>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const elsewhere = draft !== undefined && !busy && !same(profile, draft.base)
  useUnsavedGuard(draft !== undefined)
  const { CompanyName, LogoName } = profile
  const typing = draft !== undefined
  useEffect(() => {
    if (!typing) form.setFieldsValue({ CompanyName, LogoName })
  }, [form, typing, CompanyName, LogoName])

  const save = async (values: ProfileValues) => {
    setBusy(true)
    setFailure(undefined)
    try {
      putCompany(await call(company.updateCompanyProfile, values))
      onDraft(undefined)
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
        const base = draft?.base ?? profile
        onDraft(same(values, base) ? undefined : { values, base })
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
            <Button size="small" onClick={() => onDraft(undefined)}>
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
      <Button type="primary" htmlType="submit" loading={busy} disabled={!typing}>
        {t('company:save')}
      </Button>
    </Form>
  )
}
