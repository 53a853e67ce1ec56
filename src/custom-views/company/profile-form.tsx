import { Alert, Button, Form, Input } from 'antd'
import { useEffect } from 'react'
import { company, CompanyProfile } from '../../../contract/people/company-calls.ts'
import { useAction } from '../../data/use-action.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { t as translate, useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { putCompany } from '../../data/personal.ts'
import type { RequestOf } from '../../../contract/kernel/define-endpoint.ts'
import { useRefusedFields } from '../../ui/inputs/use-refused-fields.ts'
import { useUnsavedGuard } from '../../ui/page/use-unsaved-guard.ts'
import { isRequired, maxLengthOf, reasonFor } from '../../record-kit/field-rules.ts'
import { FollowedConflict } from '../../record-kit/followed-conflict.tsx'
import { useTrackedRecord } from '../../record-kit/use-tracked-record.ts'
import page from '../../ui/page/page.module.css'
import styles from './company.module.css'

const FIELDS = ['CompanyName', 'LogoName'] as const
const LABELS = { CompanyName: 'company:name', LogoName: 'company:brand' } as const
export type ProfileValues = Pick<CompanyProfile, (typeof FIELDS)[number]>

interface Props {
  profile: CompanyProfile
  isDirty: boolean
  /** Receives unsaved input; undefined if there is none. */
  onTyped: (values: ProfileValues | undefined) => void
}

/** Form for name and title. Another user's changes are applied to unedited fields; input stays. */
export function ProfileForm({ profile, isDirty, onTyped }: Props) {
  const t = useT()
  const [form] = Form.useForm<ProfileValues>()
  useUnsavedGuard(isDirty)
  const followed = useTrackedRecord<CompanyProfile>({
    record: profile,
    parts: FIELDS.map((name) => [name]),
    read: () => form.getFieldsValue(),
    write: (remote, fields) =>
      form.setFieldsValue(Object.fromEntries(fields.map((name) => [name, remote[name]]))),
  })
  const { base, conflicting } = followed
  const tell = () => {
    const isTyped = Object.keys(followed.changes().changed).length > 0
    onTyped(isTyped ? form.getFieldsValue() : undefined)
  }
  // A new base record changes which fields count as edited.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(tell, [base])

  const { busy, refused, failure, run } = useAction(
    (change: RequestOf<typeof company.updateCompanyProfile>, send) =>
      followed.save(async () => putCompany(await send(company.updateCompanyProfile, change))),
    { shows: 'both' },
  )
  useRefusedFields(form, refused)
  const save = async () => {
    const { changed, seen } = followed.changes()
    if (await run({ ...changed, Seen: seen })) notices.success(() => translate('company:saved'))
  }

  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={profile}
      onFinish={save}
      onValuesChange={tell}
    >
      {failure !== undefined && (
        <Alert
          type="error"
          showIcon
          className={`${page.below16} ${styles.alert}`}
          message={describeFailure(failure)}
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
                  return reason ? Promise.reject(new Error(describeField(reason, name))) : Promise.resolve()
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
      <FollowedConflict
        tracked={followed}
        record={profile}
        words={FIELDS.map((name) => ({ label: t(LABELS[name]), of: (one: CompanyProfile) => one[name] }))}
      />
      <Button type="primary" htmlType="submit" loading={busy} disabled={!isDirty || conflicting.length > 0}>
        {t('company:save')}
      </Button>
    </Form>
  )
}
