import { Button, Card, InputNumber } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { homeTariff } from '../../../contract/tariffs/home-tariff-calls.ts'
import { PEAK_DAYS_A_YEAR, PEAK_DAYS_FROM, PEAK_DAYS_THROUGH } from '../../../contract/tariffs/peak-days.ts'
import { callQuery } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { useTimeZone } from '../../data/homes.ts'
import { useMay } from '../../data/session.ts'
import { formatDate, formatWhen } from '../../../contract/time/format-time.ts'
import { t as tNow, useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { DayField } from '../../ui/inputs/day-field/day-field.tsx'
import page from '../../ui/page/page.module.css'
import styles from './tariff.module.css'
import { faultsOf } from './faults.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'

/** Days that Taipower announced as peak days for plans with variable peak hours, by year. */
export function PeakDaysCard({ homeId }: { homeId: string }) {
  const t = useT()
  const zone = useTimeZone(homeId)
  const language = useLanguage()
  const may = useMay('electricity', 'Update')
  const [year, setYear] = useState(() => new Date(gatewayNow()).getFullYear())
  const [added, setAdded] = useState('')
  const query = useQuery(callQuery(homeTariff.listPeakDay, { Year: year }))
  const { busy, refused, run } = useAction(homeTariff.updatePeakDay, { feedback: 'fields' })
  const { Days = [], CompleteThrough = null } = query.data ?? {}
  const dated = (days: readonly string[]) => days.map((Date) => ({ Date }))
  const save = (days: readonly string[], through: string | null) =>
    run({ Year: year, Days: dated(days), CompleteThrough: through, Seen: dated(Days) }, () =>
      tNow('tariff:saved'),
    )
  const summer = { min: `${year}-${PEAK_DAYS_FROM}`, max: `${year}-${PEAK_DAYS_THROUGH}` }
  return (
    <Card
      title={t('tariff:peakDays.title')}
      extra={
        <InputNumber
          aria-label={t('tariff:peakDays.year')}
          min={2000}
          max={2100}
          value={year}
          onChange={(next) => next && setYear(next)}
        />
      }
    >
      <div className={`${page.stack} ${page.tightStack}`}>
        <p className={page.note}>{t('tariff:peakDays.intro')}</p>
        {query.data ? (
          <>
            <p className={Days.length < PEAK_DAYS_A_YEAR ? page.warning : page.note}>
              {t('tariff:peakDays.known', { known: Days.length, needed: PEAK_DAYS_A_YEAR })}
            </p>
            <ul className={page.rows} aria-label={t('tariff:peakDays.title')}>
              {Days.map((day) => {
                const date = formatDate(day, language)
                return (
                  <li key={day} className={page.spread}>
                    <span>
                      {date} ({formatWhen(Date.parse(day), language, 'UTC', 'weekday')})
                    </span>
                    {may && (
                      <Button
                        disabled={busy}
                        aria-label={t('tariff:peakDays.removeDay', { date })}
                        onClick={() =>
                          void save(
                            Days.filter((other) => other !== day),
                            CompleteThrough,
                          )
                        }
                      >
                        {t('tariff:peakDays.remove')}
                      </Button>
                    )}
                  </li>
                )
              })}
            </ul>
          </>
        ) : query.error ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <ListSkeleton rows={6} />
        )}
        {faultsOf(refused).map(({ path, text }) => (
          <p key={path} className={page.fault} role="alert">
            {text}
          </p>
        ))}
        {may && query.data && (
          <>
            <form
              className={`${page.fields} ${styles.form}`}
              onSubmit={(event) => {
                event.preventDefault()
                if (added)
                  void save([...Days.filter((day) => day !== added), added], CompleteThrough).then(
                    (saved) => saved && setAdded(''),
                  )
              }}
            >
              <label>
                {t('tariff:peakDays.date')}
                <DayField zone={zone} {...summer} value={added} change={setAdded} />
              </label>
              <Button htmlType="submit" disabled={!added} loading={busy}>
                {t('tariff:peakDays.add')}
              </Button>
            </form>
            <div className={`${page.fields} ${styles.form}`}>
              <label>
                {t('tariff:peakDays.through')}
                <DayField
                  zone={zone}
                  {...summer}
                  clears
                  value={CompleteThrough ?? ''}
                  change={(day) => void save(Days, day || null)}
                />
              </label>
            </div>
            <p className={page.hint}>{t('tariff:peakDays.throughWhy')}</p>
          </>
        )}
      </div>
    </Card>
  )
}
