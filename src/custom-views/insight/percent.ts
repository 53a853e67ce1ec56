import { percentageOf } from '../../../contract/energy/coverage.ts'

interface Side {
  kWh: number
  Complete: number
}

/** By which part a period differs from another; undefined where too little of either is known, or there is nothing to be a part of. */
export function changeInPercent(now: Side, base: Side): { share: number; isExact: boolean } | undefined {
  const said = percentageOf(now.Complete, base.Complete)
  // Of what was bought less than nothing is no part.
  if (said === 'none' || !(base.kWh > 0)) return undefined
  return { share: (now.kWh - base.kWh) / base.kWh, isExact: said === 'plain' }
}
