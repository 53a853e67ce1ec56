import { useQuery } from '@tanstack/react-query'
import { Alert, Card, Skeleton, Button, Form, Input } from 'antd'
import { useState, useEffect } from 'react'
import { CompanyProfile, company } from '../../../contract/people/company-calls.ts'
import { loadNamespaces, useT, t as translate } from '../../lib/i18n/i18n.ts'
import { companyQuery, putCompany } from '../../data/personal.ts'
import { useMay } from '../../data/session.ts'
import { Page } from '../../ui/page/page.tsx'
import page from '../../ui/page/page.module.css'
import { OptionalMark } from '../../record-kit/record-form.tsx'
import formStyles from '../../record-kit/form.module.css'
import styles from './company.module.css'
import { Logo, useLogoChoice } from './logo.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { LoadFailed } from '../../ui/page/states.tsx'
import { colors } from '../../ui/theme/theme.ts'
import { useAction } from '../../data/use-action.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { notices } from '../../data/notices.ts'
import type { RequestOf } from '../../../contract/kernel/define-endpoint.ts'
import { useRefusedFields } from '../../ui/inputs/use-refused-fields.ts'
import { useUnsavedGuard } from '../../ui/page/leave-guards.ts'
import { isRequired, maxLengthOf, reasonFor } from '../../record-kit/field-rules.ts'
import { FollowedConflict } from '../../record-kit/record-conflict.tsx'
import { useTrackedRecord } from '../../record-kit/use-tracked-record.ts'

const FIELDS = ['CompanyName', 'LogoName'] as const
const LABELS = { CompanyName: 'company:name', LogoName: 'company:brand' } as const
type ProfileValues = Pick<CompanyProfile, (typeof FIELDS)[number]>

interface Props {
  profile: CompanyProfile
  isDirty: boolean
  /** Receives unsaved input; undefined if there is none. */
  onTyped: (values: ProfileValues | undefined) => void
}

/** Form for name and title. Another user's changes are applied to unedited fields; input stays. */
function ProfileForm({ profile, isDirty, onTyped }: Props) {
  const t = useT()
  const [form] = Form.useForm<ProfileValues>()
  useUnsavedGuard(isDirty)
  const tracked = useTrackedRecord<CompanyProfile>({
    record: profile,
    parts: FIELDS.map((name) => [name]),
    read: () => form.getFieldsValue(),
    write: (remote, fields) =>
      form.setFieldsValue(Object.fromEntries(fields.map((name) => [name, remote[name]]))),
  })
  const { base, conflicting } = tracked
  const reportTyped = () => {
    const isTyped = Object.keys(tracked.changes().changed).length > 0
    onTyped(isTyped ? form.getFieldsValue() : undefined)
  }
  // A new base record changes which fields count as edited.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(reportTyped, [base])

  const { busy, refused, failure, run } = useAction(
    (change: RequestOf<typeof company.updateCompanyProfile>, send) =>
      tracked.save(async () => putCompany(await send(company.updateCompanyProfile, change))),
    { feedback: 'both' },
  )
  useRefusedFields(form, refused)
  const save = async () => {
    const { changed, seen } = tracked.changes()
    if (await run({ ...changed, Seen: seen })) notices.success(() => translate('company:saved'))
  }

  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={OptionalMark}
      initialValues={profile}
      onFinish={save}
      onValuesChange={reportTyped}
    >
      {failure !== undefined && (
        <Alert type="error" showIcon className={page.below16} message={describeFailure(failure)} />
      )}
      <div className={formStyles.columns}>
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
      </div>
      <FollowedConflict
        tracked={tracked}
        record={profile}
        words={FIELDS.map((name) => ({
          label: t(LABELS[name]),
          of: (record: CompanyProfile) => record[name],
        }))}
      />
      <Button type="primary" htmlType="submit" loading={busy} disabled={!isDirty || conflicting.length > 0}>
        {t('company:save')}
      </Button>
    </Form>
  )
}

/** Logo and title as in the menu, on a light and a dark background, because a logo must work on both. */
const BrandPreview = ({ title, logo }: { title: string; logo: string | null }) => (
  <div className={page.fields}>
    {(['light', 'dark'] as const).map((mode) => (
      <div
        key={mode}
        className={styles.brand}
        style={{ background: colors[mode].surface, color: colors[mode].text, borderColor: colors[mode].line }}
      >
        <img src={logo ?? '/favicon.svg'} alt="" height="32" />
        <span className={page.ellipsis}>{title}</span>
      </div>
    ))}
  </div>
)

const Broadcast = lazyPart(
  async () => (await Promise.all([import('./broadcast.tsx'), loadNamespaces(['push'])]))[0],
)

/** Company name, title next to the logo, and the logo; read-only without the right to change them. */
export default function CompanyProfilePage() {
  const t = useT()
  const { data, error, refetch } = useQuery(companyQuery)
  return (
    <Page title={t('company:title')} width="form" className={styles.page}>
      {data ? (
        <Profile profile={data} />
      ) : error ? (
        <LoadFailed error={error} retry={() => void refetch()} />
      ) : (
        <Card>
          <Skeleton active title={false} paragraph={{ rows: 5 }} />
        </Card>
      )}
    </Page>
  )
}

function Profile({ profile }: { profile: CompanyProfile }) {
  const t = useT()
  const mayChange = useMay('company', 'Update')
  const [typed, setTyped] = useState<ProfileValues>()
  const { picture, choose } = useLogoChoice()
  const shownProfile = typed ?? profile
  return (
    <>
      {!mayChange && <Alert type="info" showIcon className={page.below16} message={t('company:readOnly')} />}
      <Card>
        {mayChange ? (
          <ProfileForm profile={profile} isDirty={typed !== undefined} onTyped={setTyped} />
        ) : (
          <dl className={page.facts}>
            <dt>{t('company:name')}</dt>
            <dd>{profile.CompanyName}</dd>
            <dt>{t('company:brand')}</dt>
            <dd>{profile.LogoName || '–'}</dd>
          </dl>
        )}
      </Card>
      <Card title={t('company:logo')}>
        <Logo profile={profile} mayChange={mayChange} picture={picture} choose={choose} />
        <h2>{t('company:preview')}</h2>
        <BrandPreview
          title={shownProfile.LogoName || shownProfile.CompanyName}
          logo={picture?.url ?? profile.LogoUrl}
        />
      </Card>
      {mayChange && <Broadcast />}
    </>
  )
}
