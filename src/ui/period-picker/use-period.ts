import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import {
  COMPARISONS,
  comparedRange,
  periodOf,
  resolvePeriod,
  type Comparison,
  type Period,
  type PeriodChoice,
  type Preset,
} from './period.ts'

export interface ChosenPeriod {
  value: PeriodChoice
  onChange: (next: PeriodChoice) => void
  period: Period
  /** What it is compared with, if anything. */
  compared: Period | undefined
}

const isComparison = (text: string | null): text is Comparison => COMPARISONS.some((one) => one === text)

/** The period as it stands in the address, e.g. `?range=2025-10&compare=lastYear`; `fallback` while it holds none. */
export function usePeriod(zone: string, now: number, fallback: Preset = 'today'): ChosenPeriod {
  const [params, setParams] = useSearchParams()
  const asked = params.get('compare')
  const compare = isComparison(asked) ? asked : 'off'
  const range = params.get('range') ?? fallback
  const found = resolvePeriod(range, fallback, now, zone)
  const { first, last, unit } = found.days
  // The same periods as long as their days are: what is asked with them is not asked again at every tick of the clock.
  const { period, compared } = useMemo(() => {
    const days = { first, last, unit }
    const before = comparedRange(days, compare)
    return { period: periodOf(days, zone), compared: before && periodOf(before, zone) }
  }, [first, last, unit, compare, zone])
  return {
    value: { range, compare },
    onChange: (next) =>
      setParams((old) => {
        const all = new URLSearchParams(old)
        all.set('range', next.range)
        if (next.compare === 'off') all.delete('compare')
        else all.set('compare', next.compare)
        return all
      }),
    period,
    compared,
  }
}
