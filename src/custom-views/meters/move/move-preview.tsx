import { formatEnergy } from '../../../../contract/kernel/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import { dayOf, formatMonth, monthOf, monthOfDay, startOfMonth } from '../../../../contract/time/periods.ts'
import { callQuery } from '../../../data/api.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../../ui/page/format-when.ts'
import page from '../../../ui/page/page.module.css'
import { useNow } from '../../../ui/page/use-now.ts'
import { AmountValue } from '../../../ui/tags/power-value.tsx'
import type { Place } from '../common/place.ts'
import { monthsMoved, type DatedEntry, valuesOfMonth } from './history-after-move.ts'

/** Number of months that are compared, and of those that are listed. */
const MAX_CHECKED_MONTHS = 24
const MAX_LISTED = 6

interface Props<Value> {
  place: Place
  id: string
  previousHistory: readonly DatedEntry<Value>[]
  now: readonly DatedEntry<Value>[]
  nameOf: (value: Value) => string
}

/** Months in which energy moves elsewhere, and the month before them: the meter's energy and its place. */
export function MovePreview<Value>({ place, id, previousHistory, now, nameOf }: Props<Value>) {
  const t = useT()
  const date = useFormatDate()
  const today = dayOf(useNow(), place.zone)
  const last = monthOfDay(today)
  const first = last - MAX_CHECKED_MONTHS
  const months = monthsMoved(previousHistory, now, { first, last })
  const energy = useQuery({
    ...callQuery(meterData.getEnergySeries, {
      HomeID: place.homeId,
      From: startOfMonth(first, place.zone),
      To: startOfMonth(last + 1, place.zone),
      Resolution: 'month',
      PeripheralUIDs: [id],
    }),
    enabled: months.length > 0,
  }).data
  if (months.length === 0) return <p className={page.hint}>{t('meters:move.nothing')}</p>
  const kWhOf = (month: number) =>
    energy?.Series[0]?.Points.find(({ Timestamp }) => monthOf(Timestamp, place.zone) === month)?.kWh ?? null
  const nameInMonth = (history: readonly DatedEntry<Value>[], month: number) =>
    valuesOfMonth(history, month).map(nameOf).join(' → ')
  return (
    <section className={`${page.box} ${page.padded}`} aria-label={t('meters:move.preview')}>
      <h3>{t('meters:move.preview')}</h3>
      <table className={`${page.table} ${page.amounts}`}>
        <thead>
          <tr>
            <th scope="col">{t('meters:move.month')}</th>
            <th scope="col">{t('meters:move.energy')}</th>
            <th scope="col">{t('meters:move.was')}</th>
            <th scope="col">{t('meters:move.now')}</th>
          </tr>
        </thead>
        <tbody>
          {months.slice(0, MAX_LISTED).map((month) => (
            <tr key={month}>
              <th scope="row">{date(formatMonth(month))}</th>
              <td>
                <AmountValue amount={formatEnergy(kWhOf(month))} />
              </td>
              <td>{nameInMonth(previousHistory, month)}</td>
              <td>{nameInMonth(now, month)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {months.length > MAX_LISTED && (
        <p className={page.hint}>{t('meters:move.earlier', { count: months.length - MAX_LISTED })}</p>
      )}
    </section>
  )
}
