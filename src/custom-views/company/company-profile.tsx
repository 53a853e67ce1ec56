import { useQuery } from '@tanstack/react-query'
import { Alert, Card, Skeleton } from 'antd'
import { useState } from 'react'
import type { CompanyProfile } from '../../../contract/people/company-calls.ts'
import { loadNamespaces, useT } from '../../lib/i18n/i18n.ts'
import { companyQuery } from '../../data/personal.ts'
import { useMay } from '../../data/session.ts'
import page from '../../ui/page/page.module.css'
import styles from './company.module.css'
import { Logo } from './logo.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { LoadFailed } from '../../ui/page/states.tsx'
import { ProfileForm, type ProfileValues } from './profile-form.tsx'
import { useLogoChoice } from './use-logo-choice.ts'
import { colors } from '../../ui/theme/theme.ts'

/** Logo and title as in the menu, on a light and a dark background, because a logo must work on both. */
const BrandPreview = ({ title, logo }: { title: string; logo: string | null }) => (
  <div className={styles.previews}>
    {(['light', 'dark'] as const).map((mode) => (
      <div
        key={mode}
        className={styles.brand}
        style={{ background: colors[mode].surface, color: colors[mode].text, borderColor: colors[mode].line }}
      >
        <img src={logo ?? '/favicon.svg'} alt="" height="32" />
        <span>{title}</span>
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
    <section className={`${page.upTo640} ${page.stack} ${styles.page}`}>
      <h1>{t('company:title')}</h1>
      {data ? (
        <Profile profile={data} />
      ) : error ? (
        <LoadFailed error={error} retry={() => void refetch()} />
      ) : (
        <Card>
          <Skeleton active title={false} paragraph={{ rows: 5 }} />
        </Card>
      )}
    </section>
  )
}

function Profile({ profile }: { profile: CompanyProfile }) {
  const t = useT()
  const mayChange = useMay('company', 'Update')
  const [typed, setTyped] = useState<ProfileValues>()
  const { picture, choose } = useLogoChoice()
  const seen = typed ?? profile
  return (
    <>
      {!mayChange && (
        <Alert
          type="info"
          showIcon
          className={`${page.below16} ${styles.alert}`}
          message={t('company:readOnly')}
        />
      )}
      <Card>
        {mayChange ? (
          <ProfileForm profile={profile} isDirty={typed !== undefined} onTyped={setTyped} />
        ) : (
          <dl className={styles.facts}>
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
        <BrandPreview title={seen.LogoName || seen.CompanyName} logo={picture?.url ?? profile.LogoUrl} />
      </Card>
      {mayChange && <Broadcast />}
    </>
  )
}
