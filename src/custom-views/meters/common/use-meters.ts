import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { meterCorrections } from '../../../../contract/meters/correction-calls.ts'
import {
  meterData,
  type HistoryRow,
  type HistoryStatus,
} from '../../../../contract/energy/meter-data-calls.ts'
import type { Sample } from '../../../../contract/meters/intervals.ts'
import { knownIntervals } from '../../../../contract/energy/coverage.ts'
import { virtualMeter } from '../../../../contract/meters/virtual-meter.ts'
import { nextStart, dayOf, startOf, startOfDay } from '../../../../contract/time/periods.ts'
import { call, callKey, callQuery } from '../../../data/api.ts'
import { MIN_REFETCH_MS } from '../../../domain/energy/use-meters.ts'
import { isVirtual } from '../../../domain/energy/use-names.ts'
import { totalOf, type Total } from '../../../domain/energy/totals.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import type { Place } from './place.ts'
import { branchesOf, type MeterBranch, type TreeMeter } from '../../../../contract/meters/meter-tree.ts'

const DAY = 86_400_000

const PAGE = 200
export const useCorrections = (HomeID: string) =>
  useInfiniteQuery({
    queryKey: callKey(meterCorrections.listMeterCorrection, { HomeID }),
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(
        meterCorrections.listMeterCorrection,
        { HomeID, Limit: PAGE, ...(pageParam !== undefined && { Before: pageParam }) },
        { signal },
      ),
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.CreatedAt),
  })

const QUARANTINED_PAGE = 1_000
export const useQuarantined = (HomeID: string) =>
  useInfiniteQuery({
    queryKey: callKey(meterCorrections.listQuarantinedReading, { HomeID }),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: Cursor, signal }) =>
      call(
        meterCorrections.listQuarantinedReading,
        { HomeID, Limit: QUARANTINED_PAGE, ...(Cursor !== undefined && { Cursor }) },
        { signal },
      ),
    getNextPageParam: (page) => page.NextCursor ?? undefined,
  })

export const useVirtualMeters = (HomeID: string) =>
  useQuery(callQuery(virtualMeter.operations.list, { HomeID }))

/** Energy of the virtual meters in a home's tree today and this month; empty while it loads. */
export function useVirtualTotals({ homeId, zone, tree }: Pick<Place, 'homeId' | 'zone' | 'tree'>): Totals[] {
  const now = useNow()
  const ids = [...tree.keys()].filter(isVirtual)
  const from = startOf('month', now, zone)
  const today = dayOf(now, zone)
  const { data } = useQuery({
    ...callQuery(meterData.getEnergySeries, {
      HomeID: homeId,
      From: from,
      To: nextStart('month', from, zone),
      Resolution: 'day',
      By: 'meter',
      PeripheralUIDs: ids,
    }),
    enabled: ids.length > 0,
    refetchInterval: MIN_REFETCH_MS,
  })
  return useMemo(
    () =>
      (data?.Series ?? []).map(({ Key, Points }) => ({
        PeripheralUID: Key,
        DailyKwh: Points.find(({ Timestamp }) => dayOf(Timestamp, zone) === today)?.kWh ?? null,
        MonthlyKwh: totalOf(Points).kWh,
        // Marks it as having reported: unlike for a new meter, missing data then makes the remainder unknown.
        LastUpdateTimestamp: from,
      })),
    [data, zone, today, from],
  )
}

/** Maximum epoch ms of a `Date`. */
const END = 8.64e15

/**
 * Stored readings of a meter from the day before to the day after a time, ascending, with the nearest reading on either side at any
 * distance.
 */
export function useReadings(
  HomeID: string,
  PeripheralUID: string | undefined,
  at: number | undefined,
  zone: string,
) {
  const start = at === undefined ? 0 : startOfDay(dayOf(at, zone), zone)
  return useQuery({
    queryKey: [...callKey(meterData.getHistoryStatusData), HomeID, PeripheralUID, start],
    enabled: PeripheralUID !== undefined && at !== undefined,
    queryFn: async ({ signal }): Promise<Sample[]> => {
      const [from, to] = [start - DAY, start + 2 * DAY]
      const meter = PeripheralUID ?? ''
      const queryOf = (input: { From: number; To: number; Cursor?: number; Limit: number }) =>
        call(meterData.getHistoryStatusData, { HomeID, PeripheralUID: meter, ...input }, { signal })
      const rows: HistoryRow[] = []
      for (let Cursor: number | null = from; Cursor !== null;) {
        const page: Awaited<ReturnType<typeof queryOf>> = await queryOf({
          From: from,
          To: to,
          Cursor,
          Limit: 10_000,
        })
        rows.push(...page.Rows)
        Cursor = page.NextCursor
      }
      rows.push(...(await queryOf({ From: to, To: END, Limit: 1 })).Rows)
      const [first] = rows
      if (!first)
        return lastOf(
          await call(meterData.getLastHistoryStatusData, { HomeID, PeripheralUIDs: [meter] }, { signal }),
        )
      const { StartTime } = first
      const previous =
        StartTime === null ? [] : (await queryOf({ From: StartTime, To: StartTime + 1, Limit: 1 })).Rows
      return [...previous, ...rows].map(({ Timestamp, AccumulatePower }) => ({
        timestamp: Timestamp,
        kwh: AccumulatePower,
      }))
    },
  })
}

/** The last reading of a meter; empty before its first. */
const lastOf = ([status]: readonly HistoryStatus[]): Sample[] =>
  status && status.LastUpdateTimestamp !== null && status.AccumulatePower !== null
    ? [{ timestamp: status.LastUpdateTimestamp, kwh: status.AccumulatePower }]
    : []

/** Energy of a span, and of the whole days that it touches, in kWh; null if unknown. */
export interface SpanEnergy {
  span: number | null
  days: number | null
}

/**
 * Energy of a meter between two times, both whole quarter hours. Whole days are fetched as days and only the rest as quarters, so that a
 * year costs little more than an hour.
 */
export function useSpanEnergy(
  HomeID: string,
  PeripheralUID: string | undefined,
  span: { from: number; to: number } | undefined,
  zone: string,
) {
  const { from, to } = span ?? { from: 0, to: 0 }
  const first = startOfDay(dayOf(from, zone), zone)
  const end = startOfDay(dayOf(to - 1, zone) + 1, zone)
  const queryOf = (Resolution: 'day' | 'quarter', From: number, To: number) => ({
    ...callQuery(meterData.getEnergySeries, {
      HomeID,
      From,
      To,
      Resolution,
      PeripheralUIDs: [PeripheralUID ?? ''],
    }),
    enabled: PeripheralUID !== undefined && span !== undefined && to > from && To > From,
  })
  const [days, head, tail] = useQueries({
    queries: [queryOf('day', first, end), queryOf('quarter', first, from), queryOf('quarter', to, end)],
  })
  const error = days?.error ?? head?.error ?? tail?.error ?? null
  const isEnabled = span !== undefined && PeripheralUID !== undefined && to > from
  const ready = isEnabled && days?.data && (from === first || head?.data) && (to === end || tail?.data)
  const sum = (answer: typeof days) => totalOf(answer?.data?.Series[0]?.Points ?? [])
  const totalSum = sum(days)
  const [before, tailSum] = [sum(head), sum(tail)]
  const isSpanKnown = knownOf(totalSum) > knownOf(before) + knownOf(tailSum)
  return {
    error,
    retry: () => {
      for (const query of [days, head, tail]) if (query?.error) void query.refetch()
    },
    data: ready
      ? ({
          days: totalSum.kWh,
          span: isSpanKnown
            ? Math.max(0, (totalSum.kWh ?? 0) - (before.kWh ?? 0) - (tailSum.kWh ?? 0))
            : null,
        } satisfies SpanEnergy)
      : undefined,
  }
}

/** Number of intervals with known energy. */
const knownOf = ({ Coverage }: Total): number => knownIntervals(Coverage)

/** A row of the tree: a meter, or the remainder of a meter that its submeters do not cover. */
export interface MeterRow {
  key: string
  kind: 'meter' | 'remainder'
  PeripheralUID: string
  depth: number
  /** kWh; null if unknown. */
  today: number | null
  month: number | null
}

/** Recent energy of a meter and the time of its last report; null before the first. */
type Totals = Pick<HistoryStatus, 'PeripheralUID' | 'DailyKwh' | 'MonthlyKwh' | 'LastUpdateTimestamp'>

/**
 * Rows of a home's meters from the top down, each followed by its submeters and their remainder. A negative remainder indicates
 * wrong wiring or wrong parents and is shown as it is. It is unknown if a submeter has counted before and is silent now, because
 * the remainder would include that meter's energy.
 *
 * meters  sorted by name
 */
export function meterRows(meters: readonly TreeMeter[], statuses: readonly Totals[]): MeterRow[] {
  const totals = new Map(statuses.map((status) => [status.PeripheralUID, status]))
  const rows: MeterRow[] = []
  const add = ({ PeripheralUID, below }: MeterBranch, depth: number) => {
    const total = totals.get(PeripheralUID)
    const [today, month] = [total?.DailyKwh ?? null, total?.MonthlyKwh ?? null]
    rows.push({ key: PeripheralUID, kind: 'meter', PeripheralUID, depth, today, month })
    if (below.length === 0) return
    for (const child of below) add(child, depth + 1)
    const less = (ownTotal: number | null, field: 'DailyKwh' | 'MonthlyKwh') =>
      below.reduce<number | null>((remaining, child) => {
        const total = totals.get(child.PeripheralUID)
        const part = total?.[field] ?? (total?.LastUpdateTimestamp ? null : 0)
        return remaining === null || part === null ? null : remaining - part
      }, ownTotal)
    rows.push({
      key: `${PeripheralUID}/rest`,
      kind: 'remainder',
      PeripheralUID,
      depth: depth + 1,
      today: less(today, 'DailyKwh'),
      month: less(month, 'MonthlyKwh'),
    })
  }
  for (const branch of branchesOf(meters)) add(branch, 0)
  return rows
}
