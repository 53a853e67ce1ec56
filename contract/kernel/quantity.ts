const figures = new Map<number, Intl.NumberFormat>()

/** Formats with fixed decimals and grouped thousands; caches one formatter per number of decimals. */
function fixed(value: number, decimals: number): string {
  let format = figures.get(decimals)
  if (!format) {
    format = new Intl.NumberFormat('en-US', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      // No minus sign for values that round to zero.
      signDisplay: 'negative',
    })
    figures.set(decimals, format)
  }
  return format.format(value)
}

/**
 * Formats power for screens (§5): below 1 three decimals, below 100 two, otherwise rounded down; zero or no value is "0".
 *
 * value    power in the displayed unit; screens show kW
 * special  negative power (feed-in) is formatted by its absolute value; a value that rounds up to the next range is
 *          formatted by that range's rule, so 0.9999 becomes "1.00"
 */
export function formatPower(value: number | null | undefined): string {
  if (!value || !Number.isFinite(value)) return '0'
  const size = Math.abs(value)
  const sign = value < 0 ? '-' : ''
  if (Math.round(size * 1000) < 1000) return size < 0.0005 ? '0' : sign + fixed(size, 3)
  if (Math.round(size * 100) < 10_000) return sign + fixed(size, 2)
  return sign + fixed(Math.max(100, Math.floor(size)), 0)
}

/** Formats a reading other than power with the decimals of the personal setting (§3 DecimalPrecision); "–" if there is no value. */
export const formatReading = (value: number | null | undefined, decimals: number): string =>
  value === null || value === undefined || !Number.isFinite(value) ? '–' : fixed(value, decimals)

/** Unit for display and input, by reported unit: power is in kW everywhere. */
export const shownUnit = (unit: string): string => (unit === 'W' ? 'kW' : unit)

/** Converts a reported value to its display unit. */
export const inShownUnit = (value: number, unit: string): number => (unit === 'W' ? value / 1000 : value)

/** Converts a value entered in the display unit to the reported unit. */
export const fromShownUnit = (value: number, unit: string): number =>
  // Round off digits that binary multiplication adds.
  unit === 'W' ? Math.round(value * 1e6) / 1e3 : value

/**
 * Formats a measured value and its unit for screens, alarms and messages.
 *
 * unit    reported unit; '' for none
 * format  formatter for quantities other than power
 */
export const formatQuantity = (
  value: number,
  unit: string,
  format: (value: number) => string,
): { figure: string; unit: string } => {
  const shown = shownUnit(unit)
  const figure = shown === 'kW' ? formatPower(inShownUnit(value, unit)) : format(value)
  return { figure, unit: shown }
}

/** Maximum decimals of a limit (§4: values of conditions have two). In kW five, so that 0.01 W is shown as 0.00001 kW. */
const LIMIT_DECIMALS = 2
const LIMIT_DECIMALS_KW = 5

/** Formats an entered limit without rounding it, and its unit. */
export const formatLimit = (
  value: number,
  unit: string,
  language: string,
): { figure: string; unit: string } => ({
  figure: inShownUnit(value, unit).toLocaleString(language, {
    maximumFractionDigits: unit === 'W' ? LIMIT_DECIMALS_KW : LIMIT_DECIMALS,
  }),
  unit: shownUnit(unit),
})
