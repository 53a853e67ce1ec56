import { Select } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { meterData } from '../../../contract/energy/meter-data-calls.ts'
import type { ImportedMeter } from '../../../contract/meters/import-calls.ts'
import { dayOf, firstDayOf, monthOfDay, startOfDay } from '../../../contract/time/periods.ts'
import { callQuery } from '../../data/api.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { seriesColor } from '../../ui/chart/energy-colors.ts'
import { formatAxis } from '../../../contract/kernel/numbers.ts'
import { TimeChart } from '../../ui/chart/time-chart.tsx'
import page from '../../ui/page/page.module.css'
import { useNow } from '../../ui/page/use-now.ts'
import styles from './meter-import.module.css'
import { lineText } from './problem-list.tsx'
import type { FileLine, ImportedDay } from './reading/messages.ts'
import type { Import } from './use-import.ts'

interface Props {
  homeId: string
  zone: string
  meters: readonly ImportedMeter[]
  nameOf: (uid: string) => string
  callReader: Import['callReader']
}

/** A limit that is far above all bars would flatten them: it is drawn from this share of it on. */
const MIN_SHARE_OF_LIMIT = 0.1

/** A month of a meter, day by day: what is stored, and what the file would add. A bar leads to its lines of the file. */
export function DayChart({ homeId, zone, meters, nameOf, callReader }: Props) {
  const t = useT()
  const language = useLanguage()
  const [uid, setUid] = useState(meters[0]?.PeripheralUID)
  const [month, setMonth] = useState<number>()
  const [picked, setPicked] = useState<number>()
  const days = useDays(uid, zone, callReader)
  if (uid === undefined || !days || days.length === 0) return null
  const months = [...new Set(days.map(({ day }) => monthOfDay(day)))]
  const shownMonth = month !== undefined && months.includes(month) ? month : monthOfHighest(days)
  return (
    <section className={page.stack} aria-label={t('meterImport:chart.title')}>
      <div className={`${page.wideRow} ${styles.choices}`}>
        {meters.length > 1 && (
          <Select
            aria-label={t('meterImport:meter')}
            classNames={{ popup: { root: styles.options ?? '' } }}
            value={uid}
            onChange={(next: string) => {
              setUid(next)
              setPicked(undefined)
            }}
            options={meters.map(({ PeripheralUID }) => ({
              value: PeripheralUID,
              label: nameOf(PeripheralUID),
            }))}
          />
        )}
        {months.length > 1 && (
          <Select
            aria-label={t('meterImport:month')}
            value={shownMonth}
            onChange={(next) => {
              setMonth(next)
              setPicked(undefined)
            }}
            options={months.map((value) => ({
              value,
              label: formatWhen(startOfDay(firstDayOf(value), zone), language, zone, 'month'),
            }))}
          />
        )}
      </div>
      <MonthChart
        homeId={homeId}
        zone={zone}
        uid={uid}
        limitKw={meters.find(({ PeripheralUID }) => PeripheralUID === uid)?.LimitKw ?? null}
        month={shownMonth}
        days={days}
        onPick={(at) => setPicked(dayOf(at, zone))}
      />
      <Select
        className={styles.dayChoice ?? ''}
        aria-label={t('meterImport:chart.lines')}
        placeholder={t('meterImport:chart.lines')}
        value={picked ?? null}
        onChange={setPicked}
        options={days
          .filter(({ day }) => monthOfDay(day) === shownMonth)
          .map(({ day }) => ({
            value: day,
            label: formatWhen(startOfDay(day, zone), language, zone, 'day'),
          }))}
      />
      {picked !== undefined && (
        <DayLines key={picked} uid={uid} zone={zone} day={picked} callReader={callReader} />
      )}
    </section>
  )
}

/** Month with the day of the most energy, which a wrong unit shows first. */
const monthOfHighest = (days: readonly ImportedDay[]): number =>
  monthOfDay(days.reduce((highest, each) => (each.kWh > highest.kWh ? each : highest)).day)

function useDays(
  uid: string | undefined,
  zone: string,
  callReader: Props['callReader'],
): ImportedDay[] | undefined {
  const [days, setDays] = useState<ImportedDay[]>()
  useEffect(() => {
    if (uid === undefined) return
    let isCurrent = true
    setDays(undefined)
    // Without the days the import works as well: their chart is left out.
    callReader('days', { uid, zone }).then(
      (read) => isCurrent && setDays(read),
      () => undefined,
    )
    return () => void (isCurrent = false)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows stay the same while the result is shown
  }, [uid])
  return days
}

function MonthChart(props: {
  homeId: string
  zone: string
  uid: string
  limitKw: number | null
  month: number
  days: readonly ImportedDay[]
  onPick: (at: number) => void
}) {
  const { homeId, zone, uid, limitKw, month, days, onPick } = props
  const t = useT()
  const now = useNow()
  const [from, to] = [startOfDay(firstDayOf(month), zone), startOfDay(firstDayOf(month + 1), zone)]
  const stored = useQuery(
    callQuery(meterData.getEnergySeries, {
      HomeID: homeId,
      From: from,
      To: to,
      Resolution: 'day',
      By: 'meter',
      PeripheralUIDs: [uid],
    }),
  )
  const series = useMemo(() => {
    const [first, end] = [firstDayOf(month), firstDayOf(month + 1)]
    const times = Array.from({ length: end - first }, (_, at) => startOfDay(first + at, zone))
    const coming = new Map(days.map(({ day, kWh }) => [day, kWh]))
    const points = new Map(stored.data?.Series[0]?.Points.map(({ Timestamp, kWh }) => [Timestamp, kWh]))
    const values = times.map((_, at) => coming.get(first + at) ?? null)
    const highest = Math.max(0, ...values.map((value) => value ?? 0))
    const limit = limitKw === null ? 0 : limitKw * 24
    return [
      {
        key: 'stored',
        label: t('meterImport:chart.stored'),
        color: seriesColor(1),
        draw: 'bars' as const,
        stack: 'stored',
        times,
        values: times.map((time) => points.get(time) ?? null),
      },
      {
        key: 'coming',
        label: t('meterImport:chart.coming'),
        color: seriesColor(0),
        draw: 'bars' as const,
        stack: 'coming',
        times,
        values,
      },
      ...(highest >= limit * MIN_SHARE_OF_LIMIT && limit > 0
        ? [
            {
              key: 'limit',
              label: t('meterImport:chart.limit'),
              color: seriesColor(3),
              draw: 'steps' as const,
              times,
              values: times.map(() => limit),
            },
          ]
        : []),
    ]
  }, [month, zone, days, stored.data, limitKw, t])
  return (
    <TimeChart
      label={t('meterImport:chart.title')}
      zone={zone}
      from={from}
      to={to}
      resolution="day"
      now={now}
      height={220}
      axes={[{ unit: 'kWh', fromZero: true, format: formatAxis }]}
      series={series}
      onPick={onPick}
    />
  )
}

/** Lines of the file that make up a day. */
function DayLines(props: { uid: string; zone: string; day: number; callReader: Props['callReader'] }) {
  const { uid, zone, day, callReader } = props
  const t = useT()
  const [lines, setLines] = useState<FileLine[]>()
  useEffect(() => {
    let isCurrent = true
    callReader('lines', { uid, zone, day }).then(
      (read) => isCurrent && setLines(read),
      () => isCurrent && setLines([]),
    )
    return () => void (isCurrent = false)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows stay the same while the result is shown
  }, [uid, day])
  if (!lines) return null
  return (
    <div
      className={`${page.scroll} ${page.scrollBox}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
      tabIndex={0}
      role="region"
      aria-label={t('meterImport:chart.lines')}
    >
      <table className={styles.preview}>
        <tbody>
          {lines.map(({ line, sheet, cells }) => (
            <tr key={lineText({ line, sheet })}>
              <th scope="row">{lineText({ line, sheet })}</th>
              {cells.slice(0, 100).map((cell, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- cells keep their order
                <td key={index}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
