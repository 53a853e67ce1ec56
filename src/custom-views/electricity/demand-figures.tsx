import {
  amountText,
  formatLimit,
  formatPower,
  formatShare,
  NO_VALUE,
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
import page from '../../ui/page/page.module.css'
import { Figure } from '../../ui/tags/power-value.tsx'
import { SkeletonBox } from '../../ui/page/skeleton.tsx'
import styles from './electricity.module.css'

const MINUTE = 60_000

/** Maximum demand of this month against the contract capacity, with the present one; leads to the months before. */
export function DemandFigures({ homeId }: { homeId: string }) {
  const { data, isLoading } = useQuery({
    ...callQuery(bills.getDemand, { HomeID: homeId }),
    refetchInterval: MINUTE,
  })
  if (isLoading) return <SkeletonBox className={styles.bone} />
  return data ? <DemandCard homeId={homeId} data={data} /> : null
}

function DemandCard({ homeId, data }: { homeId: string; data: ResultsOf<typeof bills.getDemand> }) {
  const t = useT()
  const subject = useSubject()
  const isPeakPartial = usePeaksAtLeast(homeId, data.Month)
  const { Rolling, Limit, Reporting, Meters } = data
  const [peak] = data.Peaks
  const isComplete = isWholeDemand(data)
  const kwText = (kw: number | null | undefined, isAtLeast: boolean) =>
    kw != null && isAtLeast ? t('electricity:demand.atLeast', { kw: powerText(kw) }) : powerText(kw)
  const warningIf = (kw: number | null | undefined, limit: number | null | undefined) =>
    kw != null && limit != null && kw > limit ? page.warning : page.small
  const contract = peak?.Limit ?? Limit
  const content = (
    <>
      <span className={page.small}>{t('electricity:demand.peak')}</span>
      {peak && isPeakPartial && <span className={page.small}>{t('energy:atLeast')}</span>}
      <Figure value={peak ? formatPower(peak.kW) : NO_VALUE} unit="kW" large />
      <span className={warningIf(peak?.kW, contract)}>
        {contract == null
          ? t('electricity:demand.noContract')
          : t('electricity:demand.ofContract', {
              share: formatShare(peak ? peak.kW / contract : undefined),
              contract: amountText(formatLimit(contract, 'kW')),
            })}
      </span>
      <span className={warningIf(Rolling, Limit)}>
        {t('electricity:demand.now', { kw: kwText(Rolling, !isComplete) })}
      </span>
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
  const className = `${page.card} ${styles.total}`
  return mayOpen('Tariff', subject) === true ? (
    <Link className={className} to={`${pathTo('Tariff', { HomeID: homeId })}?tab=demand`}>
      {content}
    </Link>
  ) : (
    <div className={className}>{content}</div>
  )
}
