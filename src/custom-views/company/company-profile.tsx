import { useQuery } from '@tanstack/react-query'
import { Button, Card, Form } from 'antd'
import { useState } from 'react'
import { company, CompanyProfile } from '../../../contract/procedures/company.ts'
import { uploads } from '../../../contract/procedures/uploads.ts'
import { call } from '../../providers/api.ts'
import { useT } from '../../providers/i18n.ts'
import { notices } from '../../providers/notices.ts'
import { companyQuery, putCompany } from '../../providers/personal.ts'
import { useMay } from '../../providers/session.ts'
import { RecordForm } from '../../ui/crud/record-form.tsx'
import { ListSkeleton, LoadFailed } from '../../ui/crud/states.tsx'
import { useLeaveGuard } from '../../ui/crud/use-leave-guard.ts'
import { PictureUpload } from '../../ui/picture-upload.tsx'
import styles from '../personal/personal.module.css'

/** The company's name, the title beside the logo, and the logo itself. */
export default function CompanyProfilePage() {
  const t = useT()
  const [form] = Form.useForm()
  const [busy, setBusy] = useState(false)
  const guard = useLeaveGuard()
  const mayChange = useMay('company', 'Update')
  const query = useQuery(companyQuery)
  const profile = query.data

  const save = async (values: Record<string, unknown>) => {
    setBusy(true)
    try {
      putCompany(await call(company.updateCompanyProfile, values))
      guard.setDirty(false)
      notices.success(() => t('screens:updated'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className={styles.page}>
      <h1>{t('screens:company.title')}</h1>
      {!profile ? (
        query.error ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <ListSkeleton />
        )
      ) : (
        <>
          <Card>
            {mayChange ? (
              <RecordForm
                resource="company"
                schema={CompanyProfile}
                fields={['CompanyName', 'LogoName']}
                form={form}
                initial={profile}
                submit={save}
                onDirty={guard.setDirty}
              >
                <Button type="primary" htmlType="submit" loading={busy}>
                  {t('screens:save')}
                </Button>
              </RecordForm>
            ) : (
              <p>
                {profile.CompanyName} · {profile.LogoName}
              </p>
            )}
          </Card>
          <Card title={t('screens:company.logo')} style={{ marginTop: 16 }}>
            {mayChange ? (
              <>
                <p className={styles.note}>{t('screens:company.logoNote')}</p>
                <PictureUpload
                  alt={profile.LogoName}
                  url={profile.LogoUrl}
                  landscape
                  target={(ContentType) => call(uploads.uploadCompanyLogo, { ContentType })}
                  uploaded={async () => putCompany(await call(company.getCompanyProfile, {}))}
                />
              </>
            ) : (
              profile.LogoUrl && (
                <img src={profile.LogoUrl} alt={profile.LogoName} style={{ maxHeight: 120 }} />
              )
            )}
          </Card>
        </>
      )}
    </section>
  )
}
