import { useSearchParams } from 'react-router'
import { GROUPINGS, type Grouping } from '../../../contract/procedures/meter-data.ts'
import { MEASURES, type Measure } from '../../domain/energy/measures.ts'
import { ORDERS, RANKED, type Order, type RankedBy } from './ranked-lines.ts'
import type { DayRange } from '../../ui/inputs/period-picker/period.ts'

/** What the bars stand for. */
const BARS = ['hour', 'day', 'month'] as const
export type Bars = (typeof BARS)[number]

/** Which part lies open beneath the chart. */
export const PARTS = ['ranking', 'tree', 'flow', 'meters'] as const
export type Part = (typeof PARTS)[number]

const oneOf = <T extends string>(all: readonly T[], text: string | null): T | undefined =>
  all.find((one) => one === text)

/** Of more days than this the bars are months, whatever days they begin with. */
const MOST_DAYS = 1_100

/**
 * The bars that a range may be divided into, the usual one first: neither a single one nor more than can be seen, and months
 * only of whole years, because a month is answered whole.
 */
export function barsFor({ first, last, unit }: DayRange): readonly [Bars, ...Bars[]] {
  const days = last - first + 1
  if (days <= 1) return ['hour']
  if (days <= 2) return ['hour', 'day']
  if (days <= 31) return ['day', 'hour']
  if (unit === 'year') return ['month', 'day']
  return days <= MOST_DAYS ? ['day'] : ['month']
}

export interface EnergyAddress {
  by: Grouping
  measure: Measure
  part: Part
  bars: Bars
  /** What is ranked, and by what. */
  rank: RankedBy
  order: Order
  /** Ids of the meters that are shown, each as itself; empty for the home as a whole. */
  meters: readonly string[]
  change: (
    next: Partial<Record<'by' | 'measure' | 'part' | 'bars' | 'rank' | 'order', string>> & {
      meters?: readonly string[]
    },
  ) => void
}

/** What is shown and how, as it stands in the address: `?by=room&measure=cost&bars=day&meters=a,b&part=tree`. */
export function useEnergyAddress(days: DayRange): EnergyAddress {
  const [params, setParams] = useSearchParams()
  const allowed = barsFor(days)
  return {
    by: oneOf(GROUPINGS, params.get('by')) ?? 'home',
    measure: oneOf(MEASURES, params.get('measure')) ?? 'kwh',
    part: oneOf(PARTS, params.get('part')) ?? 'ranking',
    bars: oneOf(allowed, params.get('bars')) ?? allowed[0],
    rank: oneOf(RANKED, params.get('rank')) ?? 'machine',
    order: oneOf(ORDERS, params.get('order')) ?? 'amount',
    meters: params.get('meters')?.split(',').filter(Boolean) ?? [],
    change: (next) =>
      setParams(
        (old) => {
          const all = new URLSearchParams(old)
          for (const [name, value] of Object.entries(next)) {
            const text = typeof value === 'string' ? value : (value ?? []).join(',')
            if (text) all.set(name, text)
            else all.delete(name)
          }
          return all
        },
        { replace: true },
      ),
  }
}
