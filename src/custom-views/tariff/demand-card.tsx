import {
  amountText,
  formatLack,
  formatLimit,
  formatPower,
  powerText,
} from '../../../contract/kernel/numbers.ts'
import { DownOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Button, Card } from 'antd'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { bills, type DemandPeak } from '../../../contract/tariffs/bill-calls.ts'
import { isWholeDemand } from '../../../contract/energy/demand.ts'
import {
  dayOf,
  formatDay,
  formatMonth,
  monthOf,
  monthOfDay,
  parseDay,
} from '../../../contract/time/periods.ts'
import { pathTo } from '../../navigation/paths.ts'
import { callQuery } from '../../data/api.ts'
import { useDevices, useTimeZone } from '../../data/homes.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { usePeaksAtLeast, useMonthCoverage } from '../../domain/energy/use-month-coverage.ts'
import { NoValue } from '../../ui/tags/power-value.tsx'
import page from '../../ui/page/page.module.css'
import styles from './tariff.module.css'
import { useTariffAddress } from './use-tariff.ts'
import { unmeasuredShare } from '../../../contract/energy/coverage.ts'
import { isPartly } from '../../ui/chart/partly.ts'

const MINUTE = 60_000
/** Maximum number of meters listed for a peak; the rest are combined. */
const MAX_NAMED = 5

/** Month `delta` months after `month`, e.g. `2026-10`. */
const stepMonth = (month: string, delta: number): string =>
  formatMonth(monthOfDay(parseDay(`${month}-01`)) + delta)

/** Demand now and forecast for the end of the current 15 minutes against the contract, and the peaks of a month. */
export function DemandCard({ homeId }: { homeId: string }) {
  const t = useT()
  const date = useFormatDate()
  const zone = useTimeZone(homeId)
  const now = useNow()
  const { detail, setDetail } = useTariffAddress()
  const selectedMonth = detail('month')
  const query = useQuery({
    ...callQuery(bills.getDemand, {
      HomeID: homeId,
      ...(selectedMonth !== undefined && { Month: selectedMonth }),
    }),
    refetchInterval: MINUTE,
    placeholderData: keepPreviousData,
  })
  const { data } = query
  const running = zone === undefined ? undefined : formatMonth(monthOf(now, zone))
  const month = selectedMonth ?? running ?? data?.Month ?? ''
  const setMonth = (next: string) => setDetail('month', next === running ? undefined : next)
  const isComplete = data !== undefined && isWholeDemand(data)
  /** Present demand; a sum over some of the meters is a lower bound. */
  const demandNow = (value: number | null) =>
    value === null || isComplete ? powerText(value) : t('tariff:demand.atLeast', { kw: powerText(value) })
  const exceedsLimit = data && data.Limit !== null && data.Forecast !== null && data.Forecast > data.Limit
  return (
    <Card title={t('tariff:demand.title')}>
      {data ? (
        <div className={`${page.stack} ${page.tightStack}`}>
          <p className={page.note}>{t('tariff:demand.why')}</p>
          <dl className={`${page.tiles} ${page.measures}`}>
            <div>
              <dt>{t('tariff:demand.rolling')}</dt>
              <dd>{demandNow(data.Rolling)}</dd>
            </div>
            <div>
              <dt>{t('tariff:demand.forecast')}</dt>
              <dd className={exceedsLimit ? page.fault : undefined}>{demandNow(data.Forecast)}</dd>
            </div>
            <div>
              <dt>
                {data.Band
                  ? t('tariff:demand.limitIn', { band: t(`tariff:bands.${data.Band}`) })
                  : t('tariff:demand.limit')}
              </dt>
              <dd>
                {data.Limit === null ? (
                  <NoValue why={t('dashboard:kpi.noContract')} />
                ) : (
                  amountText(formatLimit(data.Limit, 'kW'))
                )}
              </dd>
            </div>
          </dl>
          {exceedsLimit && (
            <p className={page.fault} role="alert">
              {t(`tariff:demand.${isComplete ? 'over' : 'overAtLeast'}`, {
                by: formatPower((data.Forecast ?? 0) - (data.Limit ?? 0)),
              })}
            </p>
          )}
          {data.Meters > 0 && (
            <p className={data.Reporting < data.Meters ? `${page.note} ${page.warning}` : page.note}>
              {t('tariff:demand.reporting', { reporting: data.Reporting, total: data.Meters })}
            </p>
          )}
          <div className={page.spread}>
            <h3>{t('tariff:demand.peaks', { month: date(month) })}</h3>
            <span className={`${page.row} ${styles.row}`}>
              <Button
                icon={<LeftOutlined />}
                aria-label={t('tariff:demand.monthBefore')}
                onClick={() => setMonth(stepMonth(month, -1))}
              />
              <Button
                icon={<RightOutlined />}
                aria-label={t('tariff:demand.monthAfter')}
                disabled={running === undefined || month >= running}
                onClick={() => setMonth(stepMonth(month, 1))}
              />
            </span>
          </div>
          {query.isPlaceholderData ? (
            <ListSkeleton rows={5} />
          ) : data.Peaks.length === 0 ? (
            <EmptyState message={t('tariff:demand.noPeaks')} />
          ) : (
            <>
              {zone !== undefined && <PeakCoverage homeId={homeId} month={data.Month} />}
              <ol className={page.rows}>
                {data.Peaks.map((peak) => (
                  <Peak
                    key={peak.Timestamp}
                    homeId={homeId}
                    month={data.Month}
                    peak={peak}
                    scaleKw={Math.max(...data.Peaks.flatMap(({ kW, Limit }) => [kW, Limit ?? 0]))}
                  />
                ))}
              </ol>
              {data.Peaks.some(({ Limit }) => Limit !== null) && (
                <p className={page.hint}>{t('tariff:demand.line')}</p>
              )}
            </>
          )}
        </div>
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton />
      )}
    </Card>
  )
}

interface PeakProps {
  homeId: string
  month: string
  peak: DemandPeak
  /** Demand at the end of the bars. */
  scaleKw: number
}

/** A peak as a bar against its contract capacity; opens the meters that it consisted of. */
function Peak({ homeId, month, peak, scaleKw }: PeakProps) {
  const t = useT()
  const date = useFormatDate()
  const atLeast = usePeaksAtLeast(homeId, month)
  const language = useLanguage()
  const zone = useTimeZone(homeId)
  const at = formatWhen(peak.Timestamp, language, zone, 'near')
  const devices = useDevices(homeId).data?.Peripherals ?? []
  const nameOf = (uid: string) =>
    devices.find((device) => device.PeripheralUID === uid)?.PeripheralName ?? uid
  const kw = powerText(peak.kW)
  const part = (name: string, kW: number) =>
    t('tariff:demand.part', { name, kw: formatPower(kW), share: Math.round((kW / peak.kW) * 100) })
  const namedMeters = peak.Meters.slice(0, MAX_NAMED)
  const remainingKw = peak.kW - namedMeters.reduce((sum, { kW }) => sum + kW, 0)
  const parts = [
    ...namedMeters.map(({ PeripheralUID, kW }) => part(nameOf(PeripheralUID), kW)),
    // A smaller remainder is rounding.
    ...(remainingKw > peak.kW / 200 ? [part(t('tariff:demand.rest'), remainingKw)] : []),
  ]
  const day = zone === undefined ? undefined : formatDay(dayOf(peak.Timestamp, zone))
  return (
    <li>
      <details className={styles.peak}>
        <summary>
          <span>{[at, peak.Band && t(`tariff:bands.${peak.Band}`)].filter(Boolean).join(' · ')}</span>
          <DemandBar kw={peak.kW} limit={peak.Limit} scaleKw={scaleKw} />
          <strong className={`${page.numbers} ${page.end}`}>
            {atLeast ? t('tariff:demand.atLeast', { kw }) : kw}
            {peak.Limit !== null && peak.kW > peak.Limit && (
              <span className={page.fault}>
                {' '}
                {t('tariff:demand.beyond', { by: formatPower(peak.kW - peak.Limit) })}
              </span>
            )}
          </strong>
          <DownOutlined aria-hidden />
        </summary>
        <ul className={`${page.wideRow} ${page.small} ${page.figures}`}>
          {parts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        {day !== undefined && (
          <Link
            className={page.touch ?? ''}
            to={`${pathTo('Electricity', { HomeID: homeId })}?${new URLSearchParams({ range: day, by: 'meter' })}`}
          >
            {t('tariff:demand.day', { day: date(day) })}
          </Link>
        )}
      </details>
    </li>
  )
}

/** Bar of a demand, in another colour beyond the contract capacity, which is a line. */
function DemandBar({ kw, limit, scaleKw }: { kw: number; limit: number | null; scaleKw: number }) {
  const share = (value: number) => `${(value / scaleKw) * 100}%`
  return (
    <span className={styles.demandBar} aria-hidden="true">
      <span style={{ width: share(Math.min(kw, limit ?? kw)) }} />
      {limit !== null && (
        <>
          <span className={styles.beyond} style={{ width: share(Math.max(0, kw - limit)) }} />
          <span className={styles.contract} style={{ insetInlineStart: share(limit) }} />
        </>
      )}
    </span>
  )
}

/** Note that the peaks of a month may have been higher if data is missing, because a mean hides its parts. */
export function PeakCoverage({ homeId, month }: { homeId: string; month: string }) {
  const t = useT()
  const now = useNow()
  const { span, coverage } = useMonthCoverage(homeId, month)
  const share = unmeasuredShare(coverage)
  if (!isPartly(share, span, now)) return null
  return (
    <p className={`${page.note} ${page.warning}`}>
      {t('tariff:demand.mayBeHigher', { month, share: formatLack(share) })}
    </p>
  )
}
