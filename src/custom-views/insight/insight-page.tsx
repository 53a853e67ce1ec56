import { Card, Tabs } from 'antd'
import { useParams } from 'react-router'
import { useTimeZone } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMeters } from '../../domain/energy/use-meters.ts'
import { AddDevicesLink } from '../../ui/page/page-links.tsx'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import page from '../../ui/page/page.module.css'
import { TABS, useInsightAddress, type Tab } from './address.ts'
import { ChangeCard } from './change-card.tsx'
import { FindingsTab } from './findings-tab.tsx'
import { ForecastCard } from './forecast-card.tsx'
import { IntensityCard } from './intensity-card.tsx'
import { ProfileCard } from './profile-card.tsx'

/** What a home's energy says: what could be saved, why it changed, when it is used, and what the month will come to. */
export default function InsightPage() {
  const t = useT()
  const { HomeID = '' } = useParams()
  const zone = useTimeZone(HomeID)
  const { tab, go } = useInsightAddress()
  const query = useMeters(HomeID)
  return (
    <section className={page.page} key={HomeID}>
      <header className={page.intro}>
        <h1>{t('shell:pages.Insight')}</h1>
        <p className={page.note}>{t('insight:intro')}</p>
      </header>
      {query.data && zone !== undefined ? (
        query.data.length === 0 ? (
          <Card>
            <EmptyState
              drawing="meter"
              why={t('insight:noMeters')}
              next={<AddDevicesLink homeId={HomeID} />}
            />
          </Card>
        ) : (
          <Tabs
            activeKey={tab}
            destroyOnHidden
            onChange={go}
            items={TABS.map((key) => ({
              key,
              label: t(`insight:tabs.${key}`),
              children: key === tab && <Panel tab={key} homeId={HomeID} zone={zone} />,
            }))}
          />
        )
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Card>
          <ListSkeleton rows={10} />
        </Card>
      )}
    </section>
  )
}

function Panel({ tab, homeId, zone }: { tab: Tab; homeId: string; zone: string }) {
  switch (tab) {
    case 'findings':
      return <FindingsTab homeId={homeId} zone={zone} />
    case 'change':
      return <ChangeCard homeId={homeId} zone={zone} />
    case 'profile':
      return (
        <div className={page.stack}>
          <ProfileCard homeId={homeId} zone={zone} />
          <IntensityCard homeId={homeId} />
        </div>
      )
    case 'forecast':
      return <ForecastCard homeId={homeId} zone={zone} />
  }
}
