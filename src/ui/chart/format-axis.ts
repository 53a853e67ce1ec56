const MOST_DECIMALS = 6

/**
 * What stands beside an axis: no more decimals than it takes to tell ticks a step apart; what rounds to nothing has no sign.
 *
 * step  between two ticks; without it, as many decimals as a figure of that size is read with
 */
export function formatAxis(value: number, step?: number): string {
  const decimals = step !== undefined && step > 0 ? decimalsOf(step) : Math.abs(value) < 10 ? 2 : 1
  const text = value.toLocaleString('en-US', { maximumFractionDigits: decimals })
  return text === '-0' ? '0' : text
}

/** How many decimals a step is written with, e.g. 1 for 2.5. */
function decimalsOf(step: number): number {
  for (let decimals = 0; decimals < MOST_DECIMALS; decimals++) {
    const shifted = step * 10 ** decimals
    if (Math.abs(shifted - Math.round(shifted)) < 1e-6 * shifted) return decimals
  }
  return MOST_DECIMALS
}
