/** A percentage is said plainly where both sides are known so far, and as "about" down to the second. */
const EXACT = 0.98
const ABOUT = 0.8

interface Side {
  kWh: number
  Known: number
}

/** By which part a period differs from another; undefined where too little of either is known, or there is nothing to be a part of. */
export function changeInPercent(now: Side, base: Side): { share: number; isExact: boolean } | undefined {
  const known = Math.min(now.Known, base.Known)
  if (known < ABOUT || base.kWh === 0) return undefined
  return { share: (now.kWh - base.kWh) / base.kWh, isExact: known >= EXACT }
}
