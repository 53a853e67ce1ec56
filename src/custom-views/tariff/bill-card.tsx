import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Alert, Button, Card } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bills } from '../../../contract/procedures/bills.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { dayOf, formatDay, parseDay } from '../../../contract/rules/periods.ts'
import type { Band, Capacity } from '../../../contract/rules/tariff.ts'
import { callQuery } from '../../providers/api.ts'
import { useTimeZone } from '../../providers/homes.ts'
import { useT } from '../../providers/i18n.ts'
import { ListSkeleton, LoadFailed, Nothing } from '../../ui/crud/states.tsx'
import { useNow } from '../../ui/use-now.ts'
import styles from './tariff.module.css'
import { formatPrice, useFigures } from './use-tariff.ts'

type Line = ResultsOf<typeof bills.getBill>['Lines'][number]

/** The bill of one period, line by line; the arrows go to the one before and after. */
export function BillCard({ homeId }: { homeId: string }) {
  const t = useT()
  const zone = useTimeZone(homeId)
  const now = useNow()
  const today = zone === undefined ? undefined : dayOf(now, zone)
  const [chosen, choose] = useState<string>()
  const date = chosen ?? (today === undefined ? undefined : formatDay(today))
  const query = useQuery({
    ...callQuery(bills.getBill, { HomeID: homeId, Date: date ?? '2026-01-01' }),
    enabled: date !== undefined,
    staleTime: 60_000,
  })
  const { data } = query
  const running = data && today !== undefined && parseDay(data.Through) >= today
  return (
    <Card
      title={data ? t('tariff:bill.of', { from: data.From, through: data.Through }) : t('tariff:tabs.bill')}
      extra={
        <span className={styles.row}>
          <Button
            icon={<LeftOutlined />}
            aria-label={t('tariff:bill.before')}
            disabled={!data}
            onClick={() => data && choose(formatDay(parseDay(data.From) - 1))}
          />
          <Button
            icon={<RightOutlined />}
            aria-label={t('tariff:bill.after')}
            disabled={!data || running}
            onClick={() => data && choose(formatDay(parseDay(data.Through) + 1))}
          />
        </span>
      }
    >
      {data ? (
        <Bill bill={data} running={running === true} />
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton />
      )}
    </Card>
  )
}

function Bill({ bill, running }: { bill: ResultsOf<typeof bills.getBill>; running: boolean }) {
  const t = useT()
  const figure = useFigures()
  if (bill.Lines.length === 0) return <Nothing why={t('tariff:bill.none')} />
  return (
    <div className={styles.stack}>
      {running && <Alert type="info" showIcon message={t('tariff:bill.running')} />}
      {bill.DaysWithoutTariff > 0 && (
        <Alert
          type="warning"
          showIcon
          message={t('tariff:bill.without', { count: bill.DaysWithoutTariff })}
        />
      )}
      <p className={!running && bill.Known < 1 ? styles.warning : styles.note}>
        {t('tariff:bill.counted', { kwh: figure(bill.kWh), known: knownShare(bill.Known) })}
      </p>
      <table className={styles.lines}>
        <thead>
          <tr>
            <th scope="col">{t('tariff:bill.item')}</th>
            <th scope="col">{t('tariff:bill.reckoning')}</th>
            <th scope="col">{t('tariff:bill.amount')}</th>
          </tr>
        </thead>
        <tbody>
          {bill.Lines.map((line, i) => (
            <BillRow key={i} line={line} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={2}>{t('tariff:bill.total')}</td>
            <td>NT$ {figure(bill.Total)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

/** In per cent; a part is never said to be all. */
const knownShare = (known: number): string => (Math.floor(known * 1000) / 10).toFixed(1)

function BillRow({ line }: { line: Line }) {
  const t = useT()
  const figure = useFigures()
  const detail = useDetail()
  const factor = line.Factor === 1 ? '' : ` × ${Number(line.Factor.toFixed(4))}`
  return (
    <tr>
      <td>
        {t(`tariff:items.${line.Item}`)} {detail(line)}
        <br />
        <small className={styles.note}>
          {line.Season && t(`tariff:seasons.${line.Season}`)}{' '}
          {t('tariff:bill.table', { date: line.ValidFrom })}
        </small>
      </td>
      <td>
        {line.Quantity.toLocaleString('en-US')} {t(`tariff:units.${line.Unit}`)} × {formatPrice(line.Price)}
        {factor}
      </td>
      <td>{figure(line.Amount)}</td>
    </tr>
  )
}

/** What a line is about, beside its item. */
function useDetail() {
  const t = useT()
  return ({ Item, Detail }: Line): string => {
    if (Item === 'energy' || Item === 'overCapacity') return t(`tariff:bands.${Detail as Band}`)
    if (Item === 'capacity') return t(`tariff:capacities.${Detail as Capacity}`)
    if (Item === 'tier' || Item === 'surcharge') return t('tariff:bill.from', { kwh: Detail })
    return Item === 'powerFactor' ? `${Detail} %` : ''
  }
}
