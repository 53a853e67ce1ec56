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

/** Unit in which a quantity is shown and entered, by the unit in which it is reported: power is in kW everywhere. */
export const shownUnit = (unit: string): string => (unit === 'W' ? 'kW' : unit)

/** A reported value in its shown unit. */
export const inShownUnit = (value: number, unit: string): number => (unit === 'W' ? value / 1000 : value)

/** A value entered in the shown unit, as it is reported. */
export const fromShownUnit = (value: number, unit: string): number =>
  // Without the digits that a product of binary fractions adds.
  unit === 'W' ? Math.round(value * 1e6) / 1e3 : value

/**
 * A measured value and its unit as every screen, alarm and message shows them.
 *
 * unit    as it is reported; '' for none
 * format  of any quantity but power
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

/** Decimals that keep a limit what was entered: 0.01 W is 0.00001 kW (§4: values of conditions have two decimals). */
const LIMIT_DECIMALS = 2
const LIMIT_DECIMALS_KW = 5

/** A limit that a person entered, unrounded, and its unit. */
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
