import { energyText, formatEnergy, formatShare } from '../../../../contract/kernel/numbers.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import {
  MAX_UNEXPLAINED_SHARE,
  cellOf,
  SOURCES,
  type Source,
  type Use,
  USES,
} from '../../../../contract/energy/balance.ts'
import { callQuery, type ResultsOf } from '../../../data/api.ts'
import { BeingComputed } from '../../../domain/energy/being-computed.tsx'
import { BalanceTable } from '../../../domain/energy/balance-table.tsx'
import { useT } from '../../../lib/i18n/i18n.ts'
import type { Period } from '../../../ui/inputs/period-picker/period.ts'
import { PlainCard } from '../../../ui/page/plain-card.tsx'
import { ListSkeleton, LoadFailed, EmptyState } from '../../../ui/page/states.tsx'
import { AmountValue } from '../../../ui/tags/power-value.tsx'
import page from '../../../ui/page/page.module.css'
import styles from '../electricity.module.css'
import { SOURCE_COLORS, USE_COLORS } from '../../../ui/chart/energy-colors.ts'
import { plainPart } from '../../../ui/page/lazy.tsx'
import { useThemeMode } from '../../../ui/theme/theme-mode.ts'

const Charts = plainPart(() => import('./balance-charts.tsx'), {
  fallback: (
    <>
      <div className={styles.sankey} />
      <div className={styles.ring} />
    </>
  ),
})

interface BalancePictureProps {
  flows: readonly { From: Source; To: Use; kWh: number }[]
}

function BalancePicture({ flows }: BalancePictureProps) {
  const t = useT()
  const mode = useThemeMode()
  const { links, nodes, used, whole } = useMemo(() => {
    const kwh = new Map(flows.map(({ From, To, kWh }) => [cellOf(From, To), kWh]))
    const of = (from: Source, to: Use) => kwh.get(cellOf(from, to)) ?? 0
    const sources = SOURCES.filter((from) => USES.some((to) => of(from, to) > 0))
    const uses = USES.filter((to) => SOURCES.some((from) => of(from, to) > 0))
    const usedSlices = sources.flatMap((from) => {
      const kWh = of(from, 'consumption')
      return kWh > 0 ? [{ name: t(`balance:sources.${from}`), color: SOURCE_COLORS[from][mode], kWh }] : []
    })
    return {
      links: sources.flatMap((from) =>
        uses.flatMap((to) =>
          of(from, to) > 0 ? [{ source: `from.${from}`, target: `to.${to}`, value: of(from, to) }] : [],
        ),
      ),
      nodes: [
        ...sources.map((from) => ({
          key: `from.${from}`,
          label: t(`balance:sources.${from}`),
          color: SOURCE_COLORS[from][mode],
        })),
        ...uses.map((to) => ({
          key: `to.${to}`,
          label: t(`balance:uses.${to}`),
          color: USE_COLORS[to][mode],
        })),
      ],
      used: usedSlices,
      whole: usedSlices.reduce((sum, { kWh }) => sum + kWh, 0),
    }
  }, [flows, mode, t])
  if (links.length === 0) return null
  return (
    <figure className={page.field}>
      <div className={styles.drawn} aria-hidden="true">
        <Charts links={links} nodes={nodes} usedSlices={used} mode={mode} />
      </div>
      {used.length > 0 && (
        <figcaption className={page.wideRow}>
          <span className={page.hint}>{t('balance:usedFrom')}</span>
          <ul className={page.wideRow}>
            {used.map(({ name, color, kWh }) => (
              <li key={name} className={page.tightRow}>
                <span className={page.swatch} style={{ background: color }} aria-hidden="true" />
                {name} {formatShare(kWh / whole)}
              </li>
            ))}
          </ul>
        </figcaption>
      )}
    </figure>
  )
}

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
  if (totals.length === 0) return <EmptyState message={t('balance:nothing')} />
  const [unexplained, consumption] = [total('Unexplained') ?? 0, total('Consumption') ?? 0]
  const missing = Points.some(({ Coverage }) => (Coverage?.Missing ?? 0) > 0)
  return (
    <div className={page.stack}>
      <dl className={`${page.tiles} ${page.measures}`}>
        {totals.map(({ field, kWh }) => (
          <div key={field}>
            <dt>{t(`balance:flows.${field}`)}</dt>
            <dd>
              <AmountValue amount={formatEnergy(kWh)} />
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
        <p className={unexplained > consumption * MAX_UNEXPLAINED_SHARE ? page.warning : page.hint}>
          {t('balance:unexplained', { energy: energyText(unexplained) })}
        </p>
      )}
      {PassThrough > 0 && (
        <p className={page.hint}>{t('balance:passThrough', { energy: energyText(PassThrough) })}</p>
      )}
    </div>
  )
}
