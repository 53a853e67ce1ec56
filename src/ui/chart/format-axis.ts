const MAX_DECIMALS = 6

/**
 * Label of an axis: as few decimals as distinguish ticks one step apart; a value that rounds to zero has no sign.
 *
 * step  between two ticks; without it, decimals that suit the size of the value
 */
export function formatAxis(value: number, step?: number): string {
  const decimals = step !== undefined && step > 0 ? decimalsOf(step) : Math.abs(value) < 10 ? 2 : 1
  const text = value.toLocaleString('en-US', { maximumFractionDigits: decimals })
  return text === '-0' ? '0' : text
}

/** Number of decimals of a step, e.g. 1 for 2.5. */
function decimalsOf(step: number): number {
  for (let decimals = 0; decimals < MAX_DECIMALS; decimals++) {
    const shifted = step * 10 ** decimals
    if (Math.abs(shifted - Math.round(shifted)) < 1e-6 * shifted) return decimals
  }
  return MAX_DECIMALS
}
