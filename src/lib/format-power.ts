const figures = new Map<number, Intl.NumberFormat>()

/** Fixed decimals with grouped thousands, one formatter per number of decimals. */
function fixed(value: number, decimals: number): string {
  let format = figures.get(decimals)
  if (!format) {
    format = new Intl.NumberFormat('en-US', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      // What rounds to zero has no sign.
      signDisplay: 'negative',
    })
    figures.set(decimals, format)
  }
  return format.format(value)
}

/**
 * Power as screens show it (§5): under 1 three decimals, under 100 two, otherwise rounded down; zero or empty is "0".
 *
 * value    any power figure in the unit shown beside it; the screens show kW
 * special  negative power (feeding in) follows its magnitude; a figure that rounds up to the next step is shown by
 *          that step's rule, so 0.9999 reads "1.00"
 */
export function formatPower(value: number | null | undefined): string {
  if (!value || !Number.isFinite(value)) return '0'
  const size = Math.abs(value)
  const sign = value < 0 ? '-' : ''
  if (Math.round(size * 1000) < 1000) return size < 0.0005 ? '0' : sign + fixed(size, 3)
  if (Math.round(size * 100) < 10_000) return sign + fixed(size, 2)
  return sign + fixed(Math.max(100, Math.floor(size)), 0)
}

/** A reading other than power, with the decimals of the personal setting (§3 DecimalPrecision); "–" when there is none. */
export const formatReading = (value: number | null | undefined, decimals: number): string =>
  value === null || value === undefined || !Number.isFinite(value) ? '–' : fixed(value, decimals)
