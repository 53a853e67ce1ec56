import { Button, Card, InputNumber, Switch } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { homeTariff, type OffPeakEntry } from '../../../contract/tariffs/home-tariff-calls.ts'
import { OFF_PEAK_YEARS } from '../../../contract/tariffs/peak-days.ts'
import { callQuery } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { useTimeZone } from '../../data/homes.ts'
import { formatDate, formatWhen } from '../../../contract/time/format-time.ts'
import { t as tNow, useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { DayField } from '../../ui/inputs/day-field/day-field.tsx'
import page from '../../ui/page/page.module.css'
import styles from './tariff.module.css'
import { faultsOf } from './faults.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'

/** Full-day off-peak days of a year; a company may add and remove days. */
export function OffPeakCard({ homeId }: { homeId: string }) {
  const t = useT()
  const zone = useTimeZone(homeId)
  const may = useMay('electricity', 'Update')
  const [year, setYear] = useState(() => new Date(gatewayNow()).getFullYear())
  const [added, setAdded] = useState('')
  const query = useQuery(callQuery(homeTariff.listOffPeakDay, { Year: year }))
  const { busy, refused, run } = useAction(homeTariff.updateOffPeakDay, { feedback: 'fields' })
  const days = query.data ?? []
  const plainDays = (entries: readonly Pick<OffPeakEntry, 'Date' | 'IsOffPeak'>[]) =>
    entries.map(({ Date, IsOffPeak }) => ({ Date, IsOffPeak }))
  const save = (next: readonly Pick<OffPeakEntry, 'Date' | 'IsOffPeak'>[]) =>
    run({ Year: year, Days: plainDays(next), Seen: plainDays(ownDays) }, () => tNow('tariff:saved'))
  const ownDays = days.filter(({ IsOwn }) => IsOwn)
  const otherOwnDays = (date: string) => ownDays.filter((day) => day.Date !== date)
  /** A day that again equals the official list is removed from the company's own entries. */
  const toggleDay = ({ Date, Holiday, IsOffPeak }: OffPeakEntry) => {
    const isListed = Holiday !== null
    return save(
      IsOffPeak === isListed ? [...otherOwnDays(Date), { Date, IsOffPeak: !IsOffPeak }] : otherOwnDays(Date),
    )
  }
  return (
    <Card
      title={t('tariff:offPeak.title')}
      extra={
        <InputNumber
          aria-label={t('tariff:offPeak.year')}
          min={2000}
          max={2100}
          value={year}
          onChange={(next) => next && setYear(next)}
        />
      }
    >
      <div className={`${page.stack} ${page.tightStack}`}>
        <p className={page.note}>{t('tariff:offPeak.intro')}</p>
        {!OFF_PEAK_YEARS.includes(year) && <p className={page.fault}>{t('tariff:offPeak.unknown')}</p>}
        {query.data ? (
          <ul className={page.rows}>
            {days.map((day) => (
              <Day key={day.Date} day={day} disabled={!may || busy} turn={() => void toggleDay(day)} />
            ))}
          </ul>
        ) : query.error ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <ListSkeleton rows={10} />
        )}
        {faultsOf(refused).map(({ path, text }) => (
          <p key={path} className={page.fault} role="alert">
            {text}
          </p>
        ))}
        {may && (
          <form
            className={`${page.fields} ${styles.form}`}
            onSubmit={(event) => {
              event.preventDefault()
              if (added)
                void save([...otherOwnDays(added), { Date: added, IsOffPeak: true }]).then(
                  (saved) => saved && setAdded(''),
                )
            }}
          >
            <label>
              {t('tariff:offPeak.date')}
              <DayField
                zone={zone}
                min={`${year}-01-01`}
                max={`${year}-12-31`}
                value={added}
                change={setAdded}
              />
            </label>
            <Button htmlType="submit" disabled={!added} loading={busy}>
              {t('tariff:offPeak.add')}
            </Button>
          </form>
        )}
      </div>
    </Card>
  )
}

function Day({ day, disabled, turn: onToggle }: { day: OffPeakEntry; disabled: boolean; turn: () => void }) {
  const t = useT()
  const language = useLanguage()
  const date = formatDate(day.Date, language)
  const weekday = formatWhen(Date.parse(day.Date), language, 'UTC', 'weekday')
  return (
    <li className={page.spread}>
      <span>
        {date} ({weekday}) {day.Holiday ? t(`tariff:holidays.${day.Holiday}`) : t('tariff:offPeak.own')}
        {day.IsOwn && day.Holiday && <small className={page.note}> {t('tariff:offPeak.changed')}</small>}
      </span>
      <Switch
        aria-label={`${date} ${t('tariff:bands.offPeak')}`}
        checked={day.IsOffPeak}
        disabled={disabled}
        onChange={onToggle}
      />
    </li>
  )
}
