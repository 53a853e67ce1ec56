import {
  amountText,
  formatLimit,
  formatPower,
  formatShare,
  powerText,
} from '../../../contract/kernel/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { bills } from '../../../contract/tariffs/bill-calls.ts'
import { isWholeDemand } from '../../../contract/energy/demand.ts'
import { usePeaksAtLeast } from '../../domain/energy/use-month-coverage.ts'
import { callQuery } from '../../data/api.ts'
import { useSubject } from '../../data/session.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { mayOpen } from '../../navigation/may-open.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import page from '../../ui/page/page.module.css'
import { Figure, NoValue } from '../../ui/tags/power-value.tsx'
import { SkeletonBox } from '../../ui/page/skeleton.tsx'
import styles from './electricity.module.css'

const MINUTE = 60_000

type Demand = ResultsOf<typeof bills.getDemand>

interface Props {
  homeId: string
  /** Month as `2026-10`; undefined for the current one. */
  month: string | undefined
  /** Whether the other figures are of selected meters: the demand is always of the whole site. */
  isFiltered: boolean
}

/** Maximum demand of a month against the contract capacity, and of the current one also the present demand; leads to the months before. */
export function DemandFigures(props: Props) {
  const { homeId, month } = props
  const { data, isLoading } = useQuery({
    ...callQuery(bills.getDemand, { HomeID: homeId, ...(month !== undefined && { Month: month }) }),
    refetchInterval: month === undefined && MINUTE,
  })
  if (isLoading) return <SkeletonBox className={styles.bone} />
  return data ? <DemandCard {...props} data={data} /> : null
}

/** Present demand, and whether it covers all meters. */
function PresentDemand({ data }: { data: Demand }) {
  const t = useT()
  const { Rolling, Limit, Reporting, Meters } = data
  const [peak] = data.Peaks
  const isComplete = isWholeDemand(data)
  const kwText =
    Rolling !== null && !isComplete
      ? t('electricity:demand.atLeast', { kw: powerText(Rolling) })
      : powerText(Rolling)
  return (
    <>
      <span className={warningIf(Rolling, Limit)}>{t('electricity:demand.now', { kw: kwText })}</span>
      {Meters > 0 && !isComplete && (
        <span className={page.warning}>
          {t('electricity:demand.partly', { reporting: Reporting, total: Meters })}
        </span>
      )}
      {peak && Rolling !== null && Rolling > peak.kW && (
        <span className={page.small}>{t('electricity:demand.aboveFinished')}</span>
      )}
    </>
  )
}

const warningIf = (kw: number | null | undefined, limit: number | null | undefined) =>
  kw != null && limit != null && kw > limit ? page.warning : page.small

function DemandCard({ homeId, month, isFiltered, data }: Props & { data: Demand }) {
  const t = useT()
  const date = useFormatDate()
  const subject = useSubject()
  const isPeakPartial = usePeaksAtLeast(homeId, data.Month)
  const [peak] = data.Peaks
  const contract = peak?.Limit ?? data.Limit
  const content = (
    <>
      <span className={page.small}>
        {month === undefined
          ? t('electricity:demand.peak')
          : t('electricity:demand.peakOf', { month: date(month) })}
      </span>
      {isFiltered && <span className={page.small}>{t('electricity:demand.whole')}</span>}
      {peak && isPeakPartial && <span className={page.small}>{t('energy:atLeast')}</span>}
      {peak ? (
        <Figure value={formatPower(peak.kW)} unit="kW" large />
      ) : (
        <NoValue why={t('electricity:demand.noPeak')} />
      )}
      <span className={warningIf(peak?.kW, contract)}>
        {contract == null
          ? t('electricity:demand.noContract')
          : t('electricity:demand.ofContract', {
              share: formatShare(peak ? peak.kW / contract : undefined),
              contract: amountText(formatLimit(contract, 'kW')),
            })}
      </span>
      {month === undefined && <PresentDemand data={data} />}
    </>
  )
  const className = `${page.card} ${styles.total}`
  return mayOpen('Tariff', subject) === true ? (
    <Link
      className={className}
      to={`${pathTo('Tariff', { HomeID: homeId })}?tab=demand${month === undefined ? '' : `&month=${month}`}`}
    >
      {content}
    </Link>
  ) : (
    <div className={className}>{content}</div>
  )
}
