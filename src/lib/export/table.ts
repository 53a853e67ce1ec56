import { offsetAt } from '../../../contract/time/periods.ts'

/** Fields of an energy interval, and of a stored reading, in the order in which they travel to the writer. */
export const ENERGY_FIELDS = [
  'kWh',
  'Cost',
  'CarbonKg',
  'Measured',
  'Between',
  'Estimated',
  'Corrected',
  'Missing',
  'Withheld',
  'Resets',
  'Quality',
] as const
export const READING_FIELDS = [
  'AccumulatePower',
  'kWh',
  'Power',
  'AvgElectricCurrent',
  'Voltage',
  'PowerFactor',
  'State',
] as const
export type ExportField = (typeof ENERGY_FIELDS)[number] | (typeof READING_FIELDS)[number]

/** Fields that are counts: whole in every file. */
/** What is said of the intervals of a row. */
export const INTERVAL_COUNTS = [
  'Measured',
  'Between',
  'Estimated',
  'Corrected',
  'Missing',
  'Withheld',
] as const satisfies readonly ExportField[]
const COUNTS: ReadonlySet<ExportField> = new Set([...INTERVAL_COUNTS, 'Resets'])

/** What a code stands for: its wire name, which JSON has, and its word in the person's language. */
export interface QualityMark {
  name: string
  word: string
}

/** One column: its heading in the person's language, unit included. */
export interface ExportColumn {
  field: ExportField
  heading: string
  /** Of a field whose numbers are codes, the places in this list; a column without is one of numbers. */
  marks?: readonly QualityMark[]
}

export type Format = 'csv' | 'xlsx' | 'json'

/** What is written, decided before the first row. */
export interface ExportPlan {
  format: Format
  /** Of a workbook only: every meter on a sheet of one file, instead of a file for each. */
  oneWorkbook: boolean
  /** The home's clock. */
  zone: string
  /** Of the row's values: its timestamp comes first, then one for each of these. */
  fields: readonly ExportField[]
  /** Those of them that are written. */
  columns: readonly ExportColumn[]
  timeHeading: string
  isoHeading: string
  /** Places after the point; undefined leaves numbers as they are. */
  decimals?: number | undefined
  /** The name of the file, or of the archive that holds several, without its ending. */
  name: string
  meters: readonly { PeripheralUID: string; PeripheralName: string }[]
  /** What a JSON file says of itself beside its rows. */
  about: Readonly<Record<string, string>>
}

/**
 * Rows of one meter on their way to the writer: for each a timestamp and the plan's fields, one after the other; NaN where
 * there is no value.
 */
export type Rows = Float64Array<ArrayBuffer>

/** A value as it is written: counts whole, others with the places that were chosen. */
export function formatCell(value: number, field: ExportField, decimals: number | undefined): number {
  if (decimals === undefined || COUNTS.has(field)) return value
  return Number(value.toFixed(decimals))
}

/** What the clock on the wall shows, as the epoch ms of a clock in UTC that shows the same. */
export const wallClock = (timestamp: number, zone: string): number => timestamp + offsetAt(timestamp, zone)

/** `2025-10-01 08:15:00` on the home's clock. */
export const formatWall = (timestamp: number, zone: string): string =>
  new Date(wallClock(timestamp, zone)).toISOString().slice(0, 19).replace('T', ' ')

/** `2025-10-01T08:15:00+08:00`: the moment and the home's clock in one (ISO 8601); milliseconds where there are any. */
export function formatIso(timestamp: number, zone: string): string {
  const offset = Math.round(offsetAt(timestamp, zone) / 60_000)
  const text = new Date(timestamp + offset * 60_000).toISOString()
  const sign = offset < 0 ? '-' : '+'
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return `${text.slice(0, timestamp % 1000 === 0 ? 19 : 23)}${sign}${two(hours)}:${two(minutes)}`
}
