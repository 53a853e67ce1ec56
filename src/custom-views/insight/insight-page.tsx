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
import { IntensityCard } from './intensity-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { FindingsList } from './findings-list.tsx'
import { FindingsSaving } from './findings-saving.tsx'
import { useQuery } from '@tanstack/react-query'
import { insight } from '../../../contract/energy/insight-calls.ts'
import { callQuery } from '../../data/api.ts'
import { BeingComputed } from '../../domain/energy/being-computed.tsx'
import { useFormatDate } from '../../ui/page/format-when.ts'
import { BudgetForm } from './budget-form.tsx'
import { NoPrice } from '../../domain/tariff/no-price.tsx'
import { PeriodOutlook } from './period-outlook.tsx'

const FindingsTab = ({ homeId, zone }: { homeId: string; zone: string }) => (
  <div className={page.stack}>
    <FindingsSaving homeId={homeId} />
    <FindingsList homeId={homeId} zone={zone} />
  </div>
)

/** Insights on a home's energy: possible savings, changes, load profile, and forecast. */
export default function InsightPage() {
  const t = useT()
  const { HomeID = '' } = useParams()
  const zone = useTimeZone(HomeID)
  const { tab, setTab } = useInsightAddress()
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
            onChange={setTab}
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

/** Forecast of the current month and bill, and the budget. */
function ForecastCard({ homeId, zone }: { homeId: string; zone: string }) {
  const t = useT()
  const date = useFormatDate()
  const query = useQuery(callQuery(insight.getForecast, { HomeID: homeId }))
  const { data } = query
  if (!data)
    return (
      <Card title={t('insight:forecast.title')}>
        {query.error ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <ListSkeleton rows={10} />
        )}
      </Card>
    )
  const { HasBalance, Month, Bill, Budget, PeakDays, ComputedPercent } = data
  // If the bill covers the calendar month, one forecast shows both.
  const isMonth = Month.From === Bill.From && Month.Through === Bill.Through
  return (
    <div className={page.stack}>
      <BeingComputed percent={ComputedPercent} isSum={false} />
      {HasBalance && <p className={page.hint}>{t('insight:forecast.bought')}</p>}
      {!isMonth && (
        <PeriodOutlook
          title={t('insight:forecast.month', { from: date(Month.From), through: date(Month.Through) })}
          forecast={Month}
          budget={Budget?.Period === 'month' ? Budget : null}
          zone={zone}
        />
      )}
      <PeriodOutlook
        title={t(isMonth ? 'insight:forecast.month' : 'insight:forecast.bill', {
          from: date(Bill.From),
          through: date(Bill.Through),
        })}
        forecast={Bill}
        budget={Budget?.Period === 'bill' || isMonth ? Budget : null}
        zone={zone}
        noPrice={<NoPrice homeId={homeId} of="forecast" peakDays={PeakDays} />}
      />
      <BudgetForm key={JSON.stringify(Budget)} homeId={homeId} budget={Budget} />
    </div>
  )
}
