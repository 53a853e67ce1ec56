import { formatShare } from '../../../contract/kernel/numbers.ts'
import { useState, useMemo } from 'react'
import type { EnergyMeasure } from '../../domain/energy/measures.ts'
import { AmountValue, NoValue } from '../../ui/tags/power-value.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import type { ChartView } from '../../ui/chart/model.ts'
import { PlainSelect } from '../../ui/plain/plain-choice.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { usePhone } from '../../ui/page/use-screen.ts'
import { EmptyState, LoadFailed, ListSkeleton } from '../../ui/page/states.tsx'
import page from '../../ui/page/page.module.css'
import styles from './electricity.module.css'
import { ChangeCell } from '../../domain/energy/change.tsx'
import { MissingDataNote } from '../../domain/energy/missing-data.tsx'
import { formatMeasure } from '../../domain/energy/use-figures.ts'
import type { EnergyAddress } from './address.ts'
import { RANKED, type Order, type RankedBy, type RankedLine, keysOf, rankedLines } from './ranked-lines.ts'
import { figureOf, totalOf } from '../../domain/energy/totals.ts'
import { useSeriesNames, type NamedMeter } from '../../domain/energy/use-names.ts'
import { useEndedRooms } from './use-energy.ts'
import { homeOf, type MeterNode } from './meter-forest.ts'
import { useRanked, type RankingQuery, type RankedSeries } from './use-ranked.ts'

interface Props {
  lines: readonly RankedLine[]
  rank: RankedBy
  /** Total that shares are relative to. */
  total: number
  nameOf: (key: string) => string
  measure: EnergyMeasure
  span: ChartView
  choose: (key: string) => void
}

const MAX_SHOWN = 10

/** Consumers of energy, the greatest first and unknown ones last, with their share of the home and their change. */
function Ranking({ lines, rank, total: whole, nameOf, measure, span, choose }: Props) {
  const t = useT()
  const phone = usePhone()
  const [all, setAll] = useState(false)
  if (lines.every(({ value }) => value === null))
    return <EmptyState message={t(`energy:noData.${measure}`)} />
  const largest = Math.max(...lines.map(({ value }) => value ?? 0))
  const isCompared = lines.some(({ change }) => change)
  const soFar = lines.some(({ change }) => change?.soFar)
  return (
    <>
      <table className={`${page.table} ${page.figures} ${page.below12} ${styles.ranking}`}>
        <thead className={phone ? 'visually-hidden' : undefined}>
          <tr>
            <th scope="col" colSpan={2}>
              {t(`electricity:ranking.${rank}`)}
            </th>
            <th scope="col">{t(`energy:measures.${measure}`)}</th>
            <th scope="col">{t('energy:ofHome')}</th>
            {isCompared && (
              <th scope="col" title={soFar ? t('energy:soFarWhy') : undefined}>
                {t(`electricity:ranking.${soFar ? 'changeSoFar' : 'change'}`)}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {(all ? lines : lines.slice(0, MAX_SHOWN)).map(({ key, total, value, change }) => {
            const share = whole > 0 && value !== null ? value / whole : undefined
            return (
              <tr key={key}>
                <th scope="row">
                  <button type="button" className={page.ellipsis} onClick={() => choose(key)}>
                    {nameOf(key)}
                  </button>
                  <MissingDataNote coverage={total.Coverage} span={span} />
                </th>
                <td aria-hidden="true">
                  <span className={page.bar}>
                    <span
                      style={{ width: `${largest > 0 ? (Math.max(0, value ?? 0) / largest) * 100 : 0}%` }}
                    />
                  </span>
                </td>
                <td>
                  <AmountValue amount={formatMeasure(measure, value)} />
                </td>
                <td className={page.muted}>{formatShare(share)}</td>
                {isCompared && (
                  <td>
                    {change ? (
                      <ChangeCell difference={change} measure={measure} />
                    ) : (
                      <NoValue why={t('energy:notComparable')} />
                    )}
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
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
    <div className={`${page.filters} ${page.below12}`}>
      <PlainSelect
        label={t('electricity:ranking.of')}
        value={rank}
        onChange={(next) => address.change({ rank: next })}
        options={RANKED.map((value) => ({ value, label: t(`electricity:ranking.${value}`) }))}
      />
      <PlainSelect<Order>
        label={t('electricity:ranking.by')}
        value={isCompared ? order : 'amount'}
        onChange={(next) => address.change({ order: next === 'change' ? next : '' })}
        options={[
          { value: 'amount', label: t(`energy:measures.${measure}`) },
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
  const { nameOf } = useSeriesNames(homeId, grouping, meters, useEndedRooms(homeId, grouping))
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
            rank={rank}
            total={total}
            nameOf={nameOf}
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
