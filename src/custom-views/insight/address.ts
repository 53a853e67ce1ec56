import { useSearchParams } from 'react-router'
import {
  COMPARISON_BASES,
  CHANGE_GROUPINGS,
  MAX_PROFILE_METERS,
  SHAPES,
} from '../../../contract/energy/insight-calls.ts'
import { pathTo } from '../../navigation/paths.ts'

export const TABS = ['findings', 'change', 'profile', 'forecast'] as const
export type Tab = (typeof TABS)[number]

/** Units in which a change can be drawn. */
export const CHANGE_UNITS = ['cost', 'kwh'] as const
export type ChangeUnit = (typeof CHANGE_UNITS)[number]

const oneOf = <T extends string>(all: readonly T[], text: string | null): T =>
  all.find((option) => option === text) ?? (all[0] as T)

export interface InsightAddress {
  tab: Tab
  against: (typeof COMPARISON_BASES)[number]
  by: (typeof CHANGE_GROUPINGS)[number]
  unit: ChangeUnit
  shape: (typeof SHAPES)[number]
  /** Ids of the meters whose load is shown; empty for the home as a whole. */
  meters: readonly string[]
  /** Opens another tab and keeps the period. */
  setTab: (tab: string) => void
  change: (name: 'against' | 'by' | 'unit' | 'shape' | 'meters', value: string) => void
}

/** State in the address: `?tab=profile&range=2026-10&shape=class&meters=a,b`. */
export function useInsightAddress(): InsightAddress {
  const [params, setParams] = useSearchParams()
  const setParam = (name: string, value: string) =>
    setParams(
      (old) => {
        const all = new URLSearchParams(old)
        if (value) all.set(name, value)
        else all.delete(name)
        return all
      },
      { replace: true },
    )
  return {
    tab: oneOf(TABS, params.get('tab')),
    against: oneOf(COMPARISON_BASES, params.get('against')),
    by: oneOf(CHANGE_GROUPINGS, params.get('by')),
    unit: oneOf(CHANGE_UNITS, params.get('unit')),
    shape: oneOf(SHAPES, params.get('shape')),
    meters: params.get('meters')?.split(',').filter(Boolean).slice(0, MAX_PROFILE_METERS) ?? [],
    setTab: (tab) => setParam('tab', tab),
    change: setParam,
  }
}

/** Address of a tab of a home's insight page, for links from other pages. */
export const insightAddress = (HomeID: string, search: Record<string, string>): string =>
  `${pathTo('Insight', { HomeID })}?${new URLSearchParams(search)}`
