import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import { MAX_UNEXPLAINED_SHARE } from '../../../../contract/energy/balance.ts'
import { callQuery, type ResultsOf } from '../../../data/api.ts'
import { BeingComputed } from '../../../domain/energy/being-computed.tsx'
import { BalanceTable } from '../../../domain/energy/balance-table.tsx'
import { formatShare, useEnergyFormat } from '../../../domain/energy/use-figures.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import type { Period } from '../../../ui/inputs/period-picker/period.ts'
import { PlainCard } from '../../../ui/page/plain-card.tsx'
import { ListSkeleton, LoadFailed, EmptyState } from '../../../ui/page/states.tsx'
import { Figure } from '../../../ui/tags/power-value.tsx'
import { BalancePicture } from './balance-picture.tsx'
import page from '../../../ui/page/page.module.css'
import styles from '../electricity.module.css'

const FLOWS = ['Import', 'Generation', 'Discharge', 'Export', 'Charge', 'Consumption', 'Sold'] as const

interface Props {
  homeId: string
  period: Period
}

/** Energy balance of a site: import, use, sold and stored energy, and the flow from each source. */
export default function BalanceCard({ homeId, period }: Props) {
  const t = useT()
  const query = useQuery({
    ...callQuery(meterData.getEnergyBalance, {
      HomeID: homeId,
      From: period.from,
      To: period.to,
      Resolution: 'day',
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <PlainCard title={t('balance:title')}>
      {query.data ? (
        <div className={query.isPlaceholderData ? page.stale : undefined}>
          <BeingComputed percent={query.data.ComputedPercent} />
          <Balance answer={query.data} />
        </div>
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton rows={4} />
      )}
    </PlainCard>
  )
}

type Answer = ResultsOf<typeof meterData.getEnergyBalance>

function Balance({ answer }: { answer: Answer }) {
  const t = useT()
  const figures = useEnergyFormat()
  const { Points, Flows, PassThrough, SelfConsumption, SelfSufficiency, IsImportMeasured } = answer
  const total = (field: (typeof FLOWS)[number] | 'Unexplained'): number | null =>
    Points.reduce<number | null>((sum, point) => {
      const kWh = point[field]
      return kWh === null ? sum : (sum ?? 0) + kWh
    }, null)
  const totals = FLOWS.flatMap((field) => {
    const kWh = total(field)
    return kWh === null ? [] : [{ field, kWh }]
  })
  if (totals.length === 0) return <EmptyState why={t('balance:nothing')} />
  const [unexplained, used] = [total('Unexplained') ?? 0, total('Consumption') ?? 0]
  const missing = Points.some(({ Coverage }) => (Coverage?.Missing ?? 0) > 0)
  return (
    <div className={page.stack}>
      <dl className={styles.balance}>
        {totals.map(({ field, kWh }) => (
          <div key={field}>
            <dt>{t(`balance:flows.${field}`)}</dt>
            <dd>
              <Figure value={figures(kWh)} unit="kWh" />
            </dd>
          </div>
        ))}
        {SelfConsumption !== null && (
          <div>
            <dt>{t('balance:selfConsumption')}</dt>
            <dd>{formatShare(SelfConsumption)}</dd>
          </div>
        )}
        {SelfSufficiency !== null && (
          <div>
            <dt>{t('balance:selfSufficiency')}</dt>
            <dd>{formatShare(SelfSufficiency)}</dd>
          </div>
        )}
      </dl>
      <div className={styles.flows}>
        <BalancePicture flows={Flows} />
        <div className={page.scroll}>
          <BalanceTable flows={Flows} />
        </div>
      </div>
      {!IsImportMeasured && <p className={page.warning}>{t('balance:importEstimated')}</p>}
      {missing && <p className={page.hint}>{t('balance:missing')}</p>}
      {unexplained > 0 && (
        <p className={unexplained > used * MAX_UNEXPLAINED_SHARE ? page.warning : page.hint}>
          {t('balance:unexplained', { kwh: figures(unexplained) })}
        </p>
      )}
      {PassThrough > 0 && (
        <p className={page.hint}>{t('balance:passThrough', { kwh: figures(PassThrough) })}</p>
      )}
    </div>
  )
}
