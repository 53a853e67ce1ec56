import { Card } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { bills, type DemandPeak } from '../../../contract/procedures/bills.ts'
import { callQuery } from '../../providers/api.ts'
import { useDevices, useTimeZone } from '../../providers/homes.ts'
import { useLanguage, useT } from '../../providers/i18n.ts'
import { ListSkeleton, LoadFailed, Nothing } from '../../ui/crud/states.tsx'
import styles from './tariff.module.css'
import { useFigures } from './use-tariff.ts'

const MINUTE = 60_000

/** Demand now and at the end of the running 15 minutes against the contract, and the month's peaks. */
export function DemandCard({ homeId }: { homeId: string }) {
  const t = useT()
  const figure = useFigures()
  const query = useQuery({
    ...callQuery(bills.getDemand, { HomeID: homeId }),
    staleTime: MINUTE / 2,
    refetchInterval: MINUTE,
  })
  const { data } = query
  const kw = (value: number | null) => (value === null ? '–' : `${figure(value)} kW`)
  const over = data && data.Limit !== null && data.Forecast !== null && data.Forecast > data.Limit
  return (
    <Card title={t('tariff:demand.title')}>
      {data ? (
        <div className={styles.stack}>
          <dl className={styles.figures}>
            <div>
              <dt>{t('tariff:demand.rolling')}</dt>
              <dd>{kw(data.Rolling)}</dd>
            </div>
            <div>
              <dt>{t('tariff:demand.forecast')}</dt>
              <dd className={over ? styles.dearer : undefined}>{kw(data.Forecast)}</dd>
            </div>
            <div>
              <dt>
                {data.Band
                  ? t('tariff:demand.limitIn', { band: t(`tariff:bands.${data.Band}`) })
                  : t('tariff:demand.limit')}
              </dt>
              <dd>{kw(data.Limit)}</dd>
            </div>
          </dl>
          {over && (
            <p className={styles.fault} role="alert">
              {t('tariff:demand.over', { by: figure((data.Forecast ?? 0) - (data.Limit ?? 0)) })}
            </p>
          )}
          {data.Meters > 0 && (
            <p className={data.Reporting < data.Meters ? styles.warning : styles.note}>
              {t('tariff:demand.reporting', { reporting: data.Reporting, total: data.Meters })}
            </p>
          )}
          <h3>{t('tariff:demand.peaks', { month: data.Month })}</h3>
          {data.Peaks.length === 0 ? (
            <Nothing why={t('tariff:demand.noPeaks')} />
          ) : (
            <ol className={styles.list}>
              {data.Peaks.map((peak) => (
                <Peak key={peak.Timestamp} homeId={homeId} peak={peak} />
              ))}
            </ol>
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

function Peak({ homeId, peak }: { homeId: string; peak: DemandPeak }) {
  const t = useT()
  const figure = useFigures()
  const language = useLanguage()
  const zone = useTimeZone(homeId)
  const at = new Date(peak.Timestamp).toLocaleString(language, {
    ...(zone !== undefined && { timeZone: zone }),
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const devices = useDevices(homeId).data?.Peripherals ?? []
  const nameOf = (uid: string) => devices.find((one) => one.PeripheralUID === uid)?.PeripheralName ?? uid
  const parts = peak.Meters.map(({ PeripheralUID, kW }) => `${nameOf(PeripheralUID)} ${figure(kW)} kW`)
  return (
    <li className={styles.item}>
      <span>
        {at} {peak.Band && t(`tariff:bands.${peak.Band}`)}
        <br />
        <small className={styles.note}>{parts.join(' · ')}</small>
      </span>
      <strong className={styles.number}>
        {figure(peak.kW)} kW
        {peak.Limit !== null && peak.kW > peak.Limit && (
          <span className={styles.dearer}>
            {' '}
            {t('tariff:demand.beyond', { by: figure(peak.kW - peak.Limit) })}
          </span>
        )}
      </strong>
    </li>
  )
}
