import { formatComplete, formatFigure, formatNumber } from '../../../contract/kernel/numbers.ts'
import { Card, Tabs, Button, InputNumber, Select } from 'antd'
import { useParams, Link } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTimeZone } from '../../data/homes.ts'
import { useT, t as tNow } from '../../lib/i18n/i18n.ts'
import { useMeters } from '../../domain/energy/use-meters.ts'
import { Page } from '../../ui/page/page.tsx'
import { AddDevicesLink } from '../../ui/page/page-links.tsx'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import page from '../../ui/page/page.module.css'
import { TABS, useInsightAddress, type Tab } from './address.ts'
import { ChangeCard } from './change-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { FindingsList } from './findings-list.tsx'
import { FindingsSaving } from './findings-saving.tsx'
import { insight, type Budget, type EnergyUseIntensity } from '../../../contract/energy/insight-calls.ts'
import { callQuery } from '../../data/api.ts'
import { BeingComputed } from '../../domain/energy/being-computed.tsx'
import { useFormatPeriod } from '../../ui/page/format-when.ts'
import { NoPrice } from '../../domain/tariff/no-price.tsx'
import { budgetText, PeriodOutlook } from './period-outlook.tsx'
import { describeField } from '../../data/failure.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import styles from './insight.module.css'
import { EUI_DAYS } from '../../../contract/energy/eui.ts'
import { pathTo } from '../../navigation/paths.ts'

/** Unit and period of a budget. */
const KINDS = ['kWh-month', 'kWh-bill', 'TWD-bill'] as const
type Kind = (typeof KINDS)[number]

/** Form for a home's budget; read-only without the right to change it. */
function BudgetForm({ homeId, budget }: { homeId: string; budget: Budget | null }) {
  const t = useT()
  const id = useId()
  const may = useMay('electricity', 'Update')
  const { busy, refused, run } = useAction(insight.updateBudget, { feedback: 'fields' })
  const [kind, setKind] = useState<Kind>(budget ? (`${budget.Unit}-${budget.Period}` as Kind) : 'TWD-bill')
  const [amount, setAmount] = useState<number | null>(budget?.Amount ?? null)
  const [Unit, Period] = kind.split('-') as [Budget['Unit'], Budget['Period']]
  const save = (next: Budget | null) =>
    void run({ HomeID: homeId, Budget: next, Seen: budget }, () =>
      tNow(next ? 'insight:budget.saved' : 'insight:budget.removed'),
    )
  return (
    <Card title={t('insight:budget.title')}>
      <div className={page.stack}>
        <p className={page.note}>{t('insight:budget.why')}</p>
        {may ? (
          <form
            className={page.row}
            onSubmit={(event) => {
              event.preventDefault()
              if (amount !== null) save({ Unit, Period, Amount: amount })
            }}
          >
            <Select
              aria-label={t('insight:budget.kind')}
              value={kind}
              popupMatchSelectWidth={false}
              onChange={setKind}
              options={KINDS.map((value) => ({ value, label: t(`insight:budget.kinds.${value}`) }))}
            />
            <label className="visually-hidden" htmlFor={`${id}amount`}>
              {t('insight:budget.amount')}
            </label>
            <InputNumber
              id={`${id}amount`}
              className={styles.amount ?? ''}
              min={0}
              value={amount}
              onChange={setAmount}
              suffix={Unit === 'TWD' ? 'NT$' : 'kWh'}
            />
            <Button type="primary" htmlType="submit" disabled={amount === null || amount <= 0} loading={busy}>
              {t('insight:budget.set')}
            </Button>
            {budget && (
              <Button disabled={busy} onClick={() => save(null)}>
                {t('insight:budget.remove')}
              </Button>
            )}
          </form>
        ) : (
          <p>
            {budget
              ? t('insight:budget.is', {
                  kind: t(`insight:budget.kinds.${budget.Unit}-${budget.Period}` as never),
                  amount: budgetText(budget),
                })
              : t('insight:budget.none')}
          </p>
        )}
        {Object.entries(refused).map(([path, reason]) => (
          <p key={path} className={page.fault} role="alert">
            {describeField(reason, path)}
          </p>
        ))}
      </div>
    </Card>
  )
}

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
    <Page title={t('shell:pages.Insight')} intro={t('insight:intro')} key={HomeID}>
      {query.data && zone !== undefined ? (
        query.data.length === 0 ? (
          <Card>
            <EmptyState
              drawing="meter"
              message={t('insight:noMeters')}
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
    </Page>
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
  const daysText = useFormatPeriod()
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
          title={t('insight:forecast.month', { days: daysText(Month.From, Month.Through) })}
          forecast={Month}
          budget={Budget?.Period === 'month' ? Budget : null}
          zone={zone}
        />
      )}
      <PeriodOutlook
        title={t(isMonth ? 'insight:forecast.month' : 'insight:forecast.bill', {
          days: daysText(Bill.From, Bill.Through),
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

/** Energy use intensity of a site over a year, or the data that is missing. */
function IntensityCard({ homeId }: { homeId: string }) {
  const t = useT()
  const query = useQuery(callQuery(insight.getEnergyUseIntensity, { HomeID: homeId }))
  return (
    <Card title={t('insight:intensity.title')}>
      {query.data ? (
        <>
          <BeingComputed percent={query.data.ComputedPercent} isSum={false} />
          <Intensity homeId={homeId} known={query.data} />
        </>
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton rows={1} />
      )}
    </Card>
  )
}

function Intensity({ homeId, known: intensity }: { homeId: string; known: EnergyUseIntensity }) {
  const t = useT()
  const daysText = useFormatPeriod()
  const { Eui, Complete, Area, Lack, Days, From, Through } = intensity
  if (Lack === 'area')
    return (
      <p className={page.hint}>
        {t('insight:intensity.lacks.area')}{' '}
        <Link to={pathTo('Meters', { HomeID: homeId })}>{t('insight:intensity.toArea')}</Link>
      </p>
    )
  if (Eui === null || Complete === null)
    return (
      <p className={page.hint}>
        {Lack === 'days'
          ? t('insight:intensity.lacks.days', { days: Days, needed: EUI_DAYS })
          : t('insight:intensity.lacks.coverage')}
      </p>
    )
  return (
    <div className={page.column}>
      <strong className={page.figures}>{t('insight:intensity.value', { value: formatFigure(Eui) })}</strong>
      <p className={page.hint}>
        {t('insight:intensity.from', {
          days: daysText(From ?? '', Through ?? ''),
          share: formatComplete(Complete),
          area: formatNumber(Area),
        })}
      </p>
    </div>
  )
}
