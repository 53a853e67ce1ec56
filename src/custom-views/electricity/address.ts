import { GROUPINGS, type Grouping } from '../../../contract/energy/meter-data-calls.ts'
import { ENERGY_MEASURES, type EnergyMeasure } from '../../domain/energy/measures.ts'
import { ORDERS, RANKED, type Order, type RankedBy } from './ranked-lines.ts'
import { oneOf, putParam, useAddressParams } from '../../ui/page/use-address.ts'
import type { DayRange } from '../../ui/inputs/period-picker/period.ts'

/** What the bars stand for. */
const BARS = ['hour', 'day', 'month'] as const
export type Bars = (typeof BARS)[number]

/** Which part lies open beneath the chart. */
export const PARTS = ['ranking', 'tree', 'flow', 'meters'] as const
export type Part = (typeof PARTS)[number]

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

/** What is ranked as long as nobody chooses: what the chart is divided by, and of a chart of the whole, machines. */
const RANKED_BY: Readonly<Record<Grouping, RankedBy>> = {
  home: 'machine',
  source: 'machine',
  band: 'machine',
  meter: 'meter',
  room: 'room',
  category: 'category',
}

/** What an address says. */
interface InAddress {
  by: Grouping
  measure: EnergyMeasure
  part: Part
  bars: Bars
  /** What is ranked, and by what. */
  rank: RankedBy
  order: Order
  /** Ids of the meters that are shown, each as itself; empty for the home as a whole. */
  meters: readonly string[]
}

export interface EnergyAddress extends InAddress {
  change: (
    next: Partial<Record<'by' | 'measure' | 'part' | 'bars' | 'rank' | 'order', string>> & {
      meters?: readonly string[]
    },
  ) => void
}

/** What is shown and how, as it stands in an address: `?by=room&measure=cost&bars=day&meters=a,b&part=tree`. */
export function readAddress(params: URLSearchParams, days: DayRange): InAddress {
  const allowed = barsFor(days)
  const by = oneOf(GROUPINGS, params.get('by') ?? '') ?? 'home'
  return {
    by,
    measure: oneOf(ENERGY_MEASURES, params.get('measure') ?? '') ?? 'kwh',
    part: oneOf(PARTS, params.get('part') ?? '') ?? 'ranking',
    bars: oneOf(allowed, params.get('bars') ?? '') ?? allowed[0],
    rank: oneOf(RANKED, params.get('rank') ?? '') ?? RANKED_BY[by],
    order: oneOf(ORDERS, params.get('order') ?? '') ?? 'amount',
    meters: params.get('meters')?.split(',').filter(Boolean) ?? [],
  }
}

export function useEnergyAddress(days: DayRange): EnergyAddress {
  const { params, change } = useAddressParams()
  return {
    ...readAddress(params, days),
    change: (next) =>
      change((all) => {
        for (const [name, value] of Object.entries(next))
          putParam(all, name, typeof value === 'string' ? value : (value ?? []).join(','))
      }),
  }
}
