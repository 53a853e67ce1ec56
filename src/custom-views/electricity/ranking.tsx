import { formatShare } from '../../../contract/kernel/numbers.ts'
import { useState, useMemo } from 'react'
import { ENERGY_MEASURES, type EnergyMeasure } from '../../domain/energy/measures.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { ChartView } from '../../ui/chart/model.ts'
import type { SeriesColor } from '../../ui/chart/energy-colors.ts'
import { PlainSelect } from '../../ui/plain/plain-choice.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { EmptyState, LoadFailed, ListSkeleton } from '../../ui/page/states.tsx'
import { useThemeMode } from '../../ui/theme/theme-mode.ts'
import { AmountValue } from '../../ui/tags/power-value.tsx'
import page from '../../ui/page/page.module.css'
import styles from './electricity.module.css'
import { Change } from '../../domain/energy/change.tsx'
import { MissingDataNote } from '../../domain/energy/missing-data.tsx'
import { ENERGY_UNITS, formatMeasure } from '../../domain/energy/use-figures.ts'
import type { EnergyAddress } from './address.ts'
import { RANKED, type RankedLine, keysOf, rankedLines } from './ranked-lines.ts'
import { figureOf, totalOf } from '../../domain/energy/totals.ts'
import { useSeriesNames, type NamedMeter } from '../../domain/energy/use-names.ts'
import { useEndedRooms } from './use-energy.ts'
import { homeOf, type MeterNode } from './meter-forest.ts'
import { useRanked, type RankingQuery, type RankedSeries } from './use-ranked.ts'

interface Props {
  lines: readonly RankedLine[]
  /** Total that shares are relative to. */
  total: number
  nameOf: (key: string) => string
  /** Colors of the chart above; undefined if it shows something else, then all bars have one color. */
  colorOf: ((key: string) => SeriesColor) | undefined
  measure: EnergyMeasure
  span: ChartView
  choose: (key: string) => void
}

const MAX_SHOWN = 10

/** Consumers of energy, the greatest first and unknown ones last, with their share of the home and their change. */
function Ranking({ lines, total: whole, nameOf, colorOf, measure, span, choose }: Props) {
  const t = useT()
  const mode = useThemeMode()
  const [all, setAll] = useState(false)
  if (lines.every(({ value }) => value === null))
    return <EmptyState message={t(`energy:noData.${measure}`)} />
  return (
    <>
      <ol className={styles.ranking}>
        {(all ? lines : lines.slice(0, MAX_SHOWN)).map(({ key, total, value, change }) => {
          const share = whole > 0 && value !== null ? value / whole : undefined
          return (
            <li key={key}>
              <button type="button" className={styles.rank} onClick={() => choose(key)}>
                <span className={styles.named}>
                  <span className={`${page.ellipsis} ${styles.name}`}>{nameOf(key)}</span>
                  <MissingDataNote coverage={total.Coverage} span={span} />
                  {change && <Change difference={change} measure={measure} />}
                </span>
                <span className={styles.bar} aria-hidden="true">
                  <span
                    style={{ width: `${Math.max(0, share ?? 0) * 100}%`, background: colorOf?.(key)[mode] }}
                  />
                </span>
                <AmountValue amount={formatMeasure(measure, value)} />
                <span className={styles.share}>{formatShare(share)}</span>
              </button>
            </li>
          )
        })}
      </ol>
      {!all && lines.length > MAX_SHOWN && (
        <PlainButton onClick={() => setAll(true)}>{t('energy:showAll', { count: lines.length })}</PlainButton>
      )}
    </>
  )
}

/** Controls for the subject and order of a ranking; by change only with a comparison. */
function RankingControls({ address, isCompared }: { address: EnergyAddress; isCompared: boolean }) {
  const t = useT()
  const { rank, order, measure } = address
  return (
    <div className={`${page.wideRow} ${styles.controls}`}>
      <PlainSelect
        label={t('electricity:ranking.of')}
        value={rank}
        onChange={(next) => address.change({ rank: next })}
        options={RANKED.map((value) => ({ value, label: t(`electricity:ranking.${value}`) }))}
      />
      <PlainSelect<EnergyMeasure | 'change'>
        label={t('electricity:ranking.by')}
        value={order === 'change' && isCompared ? 'change' : measure}
        onChange={(next) =>
          address.change(next === 'change' ? { order: 'change' } : { order: '', measure: next })
        }
        options={[
          ...ENERGY_MEASURES.map((value) => ({ value, label: ENERGY_UNITS[value] })),
          { value: 'change', label: t('electricity:ranking.change'), disabled: !isCompared },
        ]}
      />
    </div>
  )
}

interface RankingPartProps {
  query: RankingQuery
  address: EnergyAddress
  meters: ReadonlyMap<string, NamedMeter>
  forest: readonly MeterNode[]
  ofMeters: RankedSeries
}

export function RankingPart({ query, address, meters, forest, ofMeters }: RankingPartProps) {
  const { homeId, now, period, usedPeriod } = query
  const { rank, order, measure } = address
  const isOfMeters = rank === 'machine' || rank === 'meter'
  const grouping = isOfMeters ? 'meter' : rank
  const divided = useRanked(query, grouping, undefined, !isOfMeters)
  const ranked = isOfMeters ? ofMeters : divided.ranked
  const { nameOf, colorOf } = useSeriesNames(homeId, grouping, meters, useEndedRooms(homeId, grouping))
  const { series } = ranked
  const lines = useMemo(
    () => series && rankedLines(keysOf(rank, forest, series), ranked, measure, order, now),
    [rank, forest, series, ranked, measure, order, now],
  )
  const total = isOfMeters
    ? homeOf(forest, measure)
    : (series ?? []).reduce((sum, { Points }) => sum + (figureOf(totalOf(Points), measure) ?? 0), 0)
  return (
    <>
      <RankingControls address={address} isCompared={usedPeriod !== undefined} />
      {lines ? (
        <div className={!isOfMeters && divided.query.isPlaceholderData ? page.stale : undefined}>
          <Ranking
            lines={lines}
            total={total}
            nameOf={nameOf}
            // If the chart is grouped otherwise, its colors mean something else.
            colorOf={address.by === grouping ? colorOf : undefined}
            measure={measure}
            span={period}
            choose={(key) => address.change(isOfMeters ? { meters: [key] } : { by: grouping })}
          />
        </div>
      ) : divided.query.error ? (
        <LoadFailed error={divided.query.error} retry={() => void divided.query.refetch()} />
      ) : (
        <ListSkeleton rows={6} />
      )}
    </>
  )
}
