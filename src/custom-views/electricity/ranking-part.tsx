import { useMemo } from 'react'
import { LoadFailed, ListSkeleton } from '../../ui/page/states.tsx'
import page from '../../ui/page/page.module.css'
import { figureOf, totalOf } from '../../domain/energy/totals.ts'
import { useSeriesNames, type NamedMeter } from '../../domain/energy/use-names.ts'
import { useEndedRooms } from './use-ended-rooms.ts'
import type { EnergyAddress } from './address.ts'
import { homeOf, type MeterNode } from './meter-forest.ts'
import { keysOf, rankedLines } from './ranked-lines.ts'
import { Ranking, RankingControls } from './ranking.tsx'
import { useRanked, type RankingQuery, type RankedSeries } from './use-ranked.ts'

interface Props {
  query: RankingQuery
  address: EnergyAddress
  meters: ReadonlyMap<string, NamedMeter>
  forest: readonly MeterNode[]
  ofMeters: RankedSeries
}

export function RankingPart({ query, address, meters, forest, ofMeters }: Props) {
  const { homeId, now, period, used } = query
  const { rank, order, measure } = address
  const isOfMeters = rank === 'machine' || rank === 'meter'
  const by = isOfMeters ? 'meter' : rank
  const divided = useRanked(query, by, undefined, !isOfMeters)
  const ranked = isOfMeters ? ofMeters : divided.ranked
  const { nameOf, colorOf } = useSeriesNames(homeId, by, meters, useEndedRooms(homeId, by))
  const { series } = ranked
  const lines = useMemo(
    () => series && rankedLines(keysOf(rank, forest, series), ranked, measure, order, now),
    [rank, forest, series, ranked, measure, order, now],
  )
  const whole = isOfMeters
    ? homeOf(forest, measure)
    : (series ?? []).reduce((sum, { Points }) => sum + (figureOf(totalOf(Points), measure) ?? 0), 0)
  return (
    <>
      <RankingControls address={address} isCompared={used !== undefined} />
      {lines ? (
        <div className={!isOfMeters && divided.query.isPlaceholderData ? page.stale : undefined}>
          <Ranking
            lines={lines}
            whole={whole}
            nameOf={nameOf}
            // If the chart is grouped otherwise, its colors mean something else.
            colorOf={address.by === by ? colorOf : undefined}
            measure={measure}
            span={period}
            choose={(key) => address.change(isOfMeters ? { meters: [key] } : { by })}
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
