import { Card } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { insight } from '../../../contract/energy/insight-calls.ts'
import { callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { BeingComputed } from '../../domain/energy/being-computed.tsx'
import { useFormatDate } from '../../ui/page/format-when.ts'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import page from '../../ui/page/page.module.css'
import { BudgetForm } from './budget-form.tsx'
import { NoPrice } from '../../domain/tariff/no-price.tsx'
import { PeriodOutlook } from './period-outlook.tsx'

/** What the running month and the running bill will come to, and what the home means to use at most. */
export function ForecastCard({ homeId, zone }: { homeId: string; zone: string }) {
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
  // A bill by the calendar month is the month, with what it costs.
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
