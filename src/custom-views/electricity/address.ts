import { GROUPINGS, type Grouping } from '../../../contract/energy/meter-data-calls.ts'
import { ENERGY_MEASURES, type EnergyMeasure } from '../../domain/energy/measures.ts'
import { ORDERS, RANKED, type Order, type RankedBy } from './ranked-lines.ts'
import { oneOf, putParam, useAddressParams } from '../../ui/page/use-address.ts'
import type { DayRange } from '../../ui/inputs/period-picker/period.ts'

const BARS = ['hour', 'day', 'month'] as const
export type Bars = (typeof BARS)[number]

/** Part that is open below the chart. */
export const PARTS = ['ranking', 'tree', 'flow', 'meters'] as const
export type EnergyPart = (typeof PARTS)[number]

/** Above this number of days, bars are months whatever day the range begins on. */
const MAX_DAYS = 1_100

/**
 * Possible bar widths of a range, the default first: more than one bar, but not too many; months only for whole years, because the gateway
 * returns months as a whole.
 */
export function barsFor({ first, last, unit }: DayRange): readonly [Bars, ...Bars[]] {
  const days = last - first + 1
  if (days <= 1) return ['hour']
  if (days <= 2) return ['hour', 'day']
  if (days <= 31) return ['day', 'hour']
  if (unit === 'year') return ['month', 'day']
  return days <= MAX_DAYS ? ['day'] : ['month']
}

/** Default ranking for each grouping of the chart; machines for the whole home. */
const RANKED_BY: Readonly<Record<Grouping, RankedBy>> = {
  home: 'machine',
  source: 'machine',
  band: 'machine',
  meter: 'meter',
  room: 'room',
  use: 'use',
  category: 'category',
}

interface InAddress {
  by: Grouping
  measure: EnergyMeasure
  part: EnergyPart
  bars: Bars
  rank: RankedBy
  order: Order
  /** Ids of the chosen meters; empty for the home as a whole. */
  meters: readonly string[]
}

export interface EnergyAddress extends InAddress {
  change: (
    next: Partial<Record<'by' | 'measure' | 'part' | 'bars' | 'rank' | 'order', string>> & {
      meters?: readonly string[]
    },
  ) => void
}

/** State in the address: `?by=room&measure=cost&bars=day&meters=a,b&part=tree`. */
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
