import { amountText, formatLimit, NO_VALUE, powerText } from '../../../contract/kernel/numbers.ts'
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
import { SkeletonBox } from '../../ui/page/skeleton.tsx'
import styles from './electricity.module.css'

const MINUTE = 60_000

/** Present demand, maximum of this month, and contract capacity; unknown ones are a dash. */
export function DemandFigures({ homeId }: { homeId: string }) {
  const { data, isLoading } = useQuery({
    ...callQuery(bills.getDemand, { HomeID: homeId }),
    refetchInterval: MINUTE,
  })
  if (isLoading) return <SkeletonBox className={styles.demandBone} />
  if (!data) return null
  return <DemandFigureList homeId={homeId} data={data} />
}

function DemandFigureList({ homeId, data }: { homeId: string; data: ResultsOf<typeof bills.getDemand> }) {
  const t = useT()
  const subject = useSubject()
  const atLeast = usePeaksAtLeast(homeId, data.Month)
  const [peak] = data.Peaks
  const isComplete = isWholeDemand(data)
  const atLeastOf = (key: string) => (key === 'now' ? !isComplete : key === 'peak' && atLeast)
  const isOver = (value: number | null | undefined, limit: number | null | undefined) =>
    value != null && limit != null && value > limit
  const demandRows = [
    ['now', data.Rolling, isOver(data.Rolling, data.Limit)],
    ['peak', peak?.kW, isOver(peak?.kW, peak?.Limit)],
  ] as const
  return (
    <section className={styles.demand} aria-label={t('electricity:demand.title')}>
      <dl>
        {demandRows.map(([key, value, isExceeded]) => (
          <div key={key}>
            <dt>{t(`electricity:demand.${key}`)}</dt>
            <dd className={isExceeded ? page.warning : undefined}>
              {value != null && atLeastOf(key)
                ? t('electricity:demand.atLeast', { kw: powerText(value) })
                : powerText(value)}
            </dd>
          </div>
        ))}
        <div>
          <dt>{t('electricity:demand.contract')}</dt>
          <dd>{data.Limit == null ? NO_VALUE : amountText(formatLimit(data.Limit, 'kW'))}</dd>
        </div>
      </dl>
      {data.Meters > 0 && !isComplete && (
        <p className={page.warning}>
          {t('electricity:demand.partly', { reporting: data.Reporting, total: data.Meters })}
        </p>
      )}
      {peak && data.Rolling !== null && data.Rolling > peak.kW && (
        <p className={page.small}>{t('electricity:demand.aboveFinished')}</p>
      )}
      {mayOpen('Tariff', subject) === true && (
        <Link to={`${pathTo('Tariff', { HomeID: homeId })}?tab=demand`}>{t('electricity:demand.more')}</Link>
      )}
    </section>
  )
}
