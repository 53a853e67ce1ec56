/**
 * Texts of numbers for people: screens, reports, emails and notifications. Files contain unformatted numbers.
 *
 * Functions end in `Text` if their result contains the unit, and return an `FormattedAmount` if the unit is shown apart from the figure.
 */

/** Text for a value that is unknown. */
export const NO_VALUE = '–'

/** Currency; it precedes its figure. */
export const CURRENCY = 'NT$'

/** A figure and its unit, '' for none. */
export interface FormattedAmount {
  figure: string
  unit: string
}

type MaybeNumber = number | null | undefined

const isKnown = (value: MaybeNumber): value is number => typeof value === 'number' && Number.isFinite(value)

const formats = new Map<string, Intl.NumberFormat>()

/** Formats with grouped thousands and a true minus; a value that rounds to zero has no sign. Decimals are padded to `min`. */
function decimalText(value: number, max: number, min = max): string {
  const key = `${min} ${max}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat('en-US', {
      minimumFractionDigits: min,
      maximumFractionDigits: max,
      signDisplay: 'negative',
    })
    formats.set(key, format)
  }
  return format.format(value).replace('-', '−')
}

/** A figure with its unit: "12.3 kWh". "%" has no space; a currency precedes its figure and follows its sign: "−NT$ 1,200". */
export function amountText({ figure, unit }: FormattedAmount): string {
  if (unit === CURRENCY)
    return /^[+−]/.test(figure)
      ? `${figure.slice(0, 1)}${CURRENCY} ${figure.slice(1)}`
      : `${CURRENCY} ${figure}`
  return unit === '' || unit === '%' ? figure + unit : `${figure} ${unit}`
}

/** Adds "+" to the figure of a positive value; a value that is formatted as zero has no sign. */
export const withPlus = (value: number, { figure, unit }: FormattedAmount): FormattedAmount => ({
  figure: value > 0 && /[1-9]/.test(figure) ? `+${figure}` : figure,
  unit,
})

/**
 * Formats live power (§5): below 1 three decimals, below 100 two, otherwise rounded down; zero or no value is "0".
 *
 * value    power in the displayed unit; screens show kW
 * special  negative power (feed-in) is formatted by its absolute value; a value that rounds up to the next range is
 *          formatted by that range's rule, so 0.9999 becomes "1.00"
 */
export function formatPower(value: MaybeNumber): string {
  if (!value || !Number.isFinite(value)) return '0'
  const size = Math.abs(value)
  const sign = value < 0 ? -1 : 1
  if (Math.round(size * 1000) < 1000) return size < 0.0005 ? '0' : decimalText(sign * size, 3)
  if (Math.round(size * 100) < 10_000) return decimalText(sign * size, 2)
  return decimalText(sign * Math.max(100, Math.floor(size)), 0)
}

/** Measured power in kW with its unit; "–" for no value. */
export const powerText = (kw: MaybeNumber): string => (isKnown(kw) ? `${formatPower(kw)} kW` : NO_VALUE)

/** Unit for display and input, by reported unit: power is in kW everywhere. */
export const shownUnit = (unit: string): string => (unit === 'W' ? 'kW' : unit)

/** Converts a reported value to its display unit. */
export const inShownUnit = (value: number, unit: string): number => (unit === 'W' ? value / 1000 : value)

/** Converts a value entered in the display unit to the reported unit. */
export const fromShownUnit = (value: number, unit: string): number =>
  // Round off digits that binary multiplication adds.
  unit === 'W' ? Math.round(value * 1e6) / 1e3 : value

/** Maximum decimals of a limit (§4: values of conditions have two). In kW five, so that 0.01 W is shown as 0.00001 kW. */
const LIMIT_DECIMALS = 2
const LIMIT_DECIMALS_KW = 5

/** A contract, limit, target or setpoint as entered, without padded zeros. `unit` is the reported unit. */
export const formatLimit = (value: number, unit: string): FormattedAmount => ({
  figure: decimalText(inShownUnit(value, unit), unit === 'W' ? LIMIT_DECIMALS_KW : LIMIT_DECIMALS, 0),
  unit: shownUnit(unit),
})

/** A contract or another limit in kW, without its unit. */
export const formatLimitKw = (kw: MaybeNumber): string =>
  isKnown(kw) ? formatLimit(kw, 'kW').figure : NO_VALUE

const MAX_AXIS_DECIMALS = 6

/**
 * Label of an axis: as few decimals as distinguish ticks one step apart.
 *
 * step  between two ticks; without it, decimals that suit the size of the value
 */
export function formatAxis(value: number, step?: number): string {
  const decimals = step !== undefined && step > 0 ? decimalsOf(step) : Math.abs(value) < 10 ? 2 : 1
  return decimalText(value, decimals, 0)
}

/** Number of decimals of a step, e.g. 1 for 2.5. */
function decimalsOf(step: number): number {
  for (let decimals = 0; decimals < MAX_AXIS_DECIMALS; decimals++) {
    const shifted = step * 10 ** decimals
    if (Math.abs(shifted - Math.round(shifted)) < 1e-6 * shifted) return decimals
  }
  return MAX_AXIS_DECIMALS
}

/** Formats a quantity whose unit is shown elsewhere: three significant digits with at most three decimals, an integer from 100. */
export function formatFigure(value: MaybeNumber): string {
  if (!isKnown(value)) return NO_VALUE
  // Rounded first: 99.95 becomes 100, not 100.0.
  const size = Math.abs(Number(value.toPrecision(3)))
  if (value === 0 || size < 0.0005) return '0'
  return decimalText(value, size < 1 ? 3 : size < 10 ? 2 : size < 100 ? 1 : 0)
}

/** Converts to a larger unit from a rounded value on, e.g. kWh to MWh from 100,000. */
const convert = (value: MaybeNumber, unit: string, larger: string, from: number): FormattedAmount => {
  if (!isKnown(value)) return { figure: NO_VALUE, unit: '' }
  return Math.round(Math.abs(value)) >= from
    ? { figure: formatFigure(value / 1000), unit: larger }
    : { figure: formatFigure(value), unit }
}

/** Energy from which MWh are shown, kWh. */
const MIN_MWH = 100_000
/** Emissions from which tonnes are shown, kg. */
const MIN_TONNES = 10_000

/** Energy in kWh, or in MWh from 100,000 kWh. */
export const formatEnergy = (kwh: MaybeNumber): FormattedAmount => convert(kwh, 'kWh', 'MWh', MIN_MWH)
export const energyText = (kwh: MaybeNumber): string => amountText(formatEnergy(kwh))

/** Emissions in kg, or in t from 10,000 kg. */
export const formatCarbon = (kg: MaybeNumber): FormattedAmount => convert(kg, 'kg CO₂e', 't CO₂e', MIN_TONNES)

/** Money without cents. */
export const formatMoney = (ntd: MaybeNumber): FormattedAmount =>
  isKnown(ntd) ? { figure: formatWhole(ntd), unit: CURRENCY } : { figure: NO_VALUE, unit: '' }
export const moneyText = (ntd: MaybeNumber): string => amountText(formatMoney(ntd))

/** An integer, e.g. money in a table whose header contains the currency. */
export const formatWhole = (value: MaybeNumber): string => (isKnown(value) ? decimalText(value, 0) : NO_VALUE)

/** Formats with fixed decimals: device readings and bills, which have the decimals of the personal setting (§3 DecimalPrecision). */
export const formatDecimals = (value: MaybeNumber, decimals: number): string =>
  isKnown(value) ? decimalText(value, decimals) : NO_VALUE

/** A number as entered, without padded zeros. */
export const formatNumber = (value: MaybeNumber, maxDecimals = 2): string =>
  isKnown(value) ? decimalText(value, maxDecimals, 0) : NO_VALUE

/** Unit price in NT$: at least two decimals, at most four. */
export const formatPrice = (price: number): string => decimalText(price, 4, 2)

/** An emission factor with at least three decimals, as published, and with all decimals of a company's own factor. */
export const formatFactor = (factor: number): string => decimalText(factor, 10, 3)

/** Decimals of readings by reported unit. Others have those of the personal setting. */
const READING_DECIMALS: Readonly<Record<string, number>> = { '°C': 1, '%': 0, ppm: 0, V: 0, A: 1 }
/** Decimals of a power factor, which has no unit. */
export const POWER_FACTOR_DECIMALS = 2

/**
 * Formats a measured value and its unit for screens, alarms and messages.
 *
 * unit    reported unit; '' for none
 * format  formatter for quantities without decimals of their own
 */
export function formatReading(
  value: MaybeNumber,
  unit: string,
  format: (value: number) => string,
): FormattedAmount {
  const shown = shownUnit(unit)
  if (!isKnown(value)) return { figure: NO_VALUE, unit: shown }
  if (shown === 'kW') return { figure: formatPower(inShownUnit(value, unit)), unit: shown }
  const decimals = READING_DECIMALS[unit]
  return { figure: decimals === undefined ? format(value) : decimalText(value, decimals), unit: shown }
}

/** A share as a percentage with one decimal: "49.5%". */
export const formatShare = (share: MaybeNumber): string =>
  isKnown(share) ? `${decimalText(share * 100, 1)}%` : NO_VALUE

/** A share of complete data as a percentage, rounded down so that it is never overstated. */
export const formatComplete = (share: number): string => formatShare(Math.floor(share * 1000 + 1e-9) / 1000)

/** A share of missing or estimated data as a percentage; a positive share is never shown as "0.0%". */
export const formatLack = (share: number): string =>
  share > 0 && share < 0.0005 ? '<0.1%' : formatShare(share)

/** A change as a percentage with its sign: "+7.3%", "−1.1%", "0.0%". */
export const formatChange = (share: number): string =>
  withPlus(share, { figure: formatShare(share), unit: '' }).figure

/** Step of the last significant digit. */
const stepOf = (value: number, digits: number): number =>
  value === 0 ? 1 : 10 ** (Math.floor(Math.log10(Math.abs(value))) - digits + 1)

/** Rounds an estimate to two significant digits. */
export function roundEstimate(value: number): number {
  const step = stepOf(value, 2)
  return Math.round(Math.round(value / step) * step * 100) / 100
}

/** An estimate with its unit, and the figures of its range; undefined if it has none, or none after rounding. */
export interface EstimateText {
  amount: string
  range: string | undefined
}

interface Estimate {
  mid: number
  low: number | null
  high: number | null
}

/** Step to which an estimate is rounded: two significant digits; three for energy if its range is narrower than a step of two. */
function estimateStep({ mid, low, high }: Estimate, kind: 'energy' | 'money'): number {
  const isWide = kind === 'money' || low === null || high === null || high - low >= stepOf(mid, 2)
  return stepOf(mid, isWide ? 2 : 3)
}

/** Step at which an estimate still differs visibly from a limit, at most that of the estimate alone, at least 1. */
function comparedStep(estimate: Estimate, kind: 'energy' | 'money', limit: number): number {
  const difference = Math.abs(estimate.mid - limit)
  let step = Math.max(1, estimateStep(estimate, kind))
  while (step > 1 && step > difference) step /= 10
  return step
}

/** Rounds an estimate that is shown next to a limit, so finely that the comparison stays true. */
export function roundCompared(estimate: Estimate, kind: 'energy' | 'money', limit: number): number {
  const step = comparedStep(estimate, kind, limit)
  return Math.round(estimate.mid / step) * step
}

/**
 * Formats an estimate with two significant digits; energy with three if its range is narrower than a step of two.
 *
 * limit    amount next to which the estimate is shown: it is then rounded as by `roundCompared`, and energy is in kWh
 * special  its range is rounded to the same step, in the same unit: "155 MWh", "154–156"
 */
export function formatEstimate(estimate: Estimate, kind: 'energy' | 'money', limit?: number): EstimateText {
  const { mid, low, high } = estimate
  const step = limit === undefined ? estimateStep(estimate, kind) : comparedStep(estimate, kind, limit)
  const isLarge =
    kind === 'energy' && limit === undefined && Math.abs(Math.round(mid / step) * step) >= MIN_MWH
  const by = isLarge ? 1000 : 1
  const decimals = kind === 'money' ? 0 : Math.max(0, -Math.floor(Math.log10(step / by) + 1e-9))
  const figureOf = (value: number) => decimalText((Math.round(value / step) * step) / by, decimals)
  const unit = kind === 'money' ? CURRENCY : isLarge ? 'MWh' : 'kWh'
  const amount = amountText({ figure: figureOf(mid), unit })
  if (low === null || high === null) return { amount, range: undefined }
  const [from, to] = [figureOf(low), figureOf(high)]
  return { amount, range: from === to ? undefined : `${from}–${to}` }
}
