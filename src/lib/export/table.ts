import { offsetAt } from '../../../contract/time/periods.ts'

/** Fields of an energy interval, and of a stored reading, in the order in which they are sent to the writer. */
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

/** Units of the fields, which JSON files state; columns of other files have them in their headings. */
export const FIELD_UNITS: Readonly<Partial<Record<ExportField, string>>> = {
  AccumulatePower: 'kWh',
  kWh: 'kWh',
  Cost: 'NT$',
  CarbonKg: 'kg CO2e',
  Power: 'W',
  AvgElectricCurrent: 'A',
  Voltage: 'V',
  Measured: 'intervals',
  Between: 'intervals',
  Estimated: 'intervals',
  Corrected: 'intervals',
  Missing: 'intervals',
  Withheld: 'intervals',
  Resets: 'resets',
}

/** Counts of the intervals of a row, by quality. */
export const INTERVAL_COUNTS = [
  'Measured',
  'Between',
  'Estimated',
  'Corrected',
  'Missing',
  'Withheld',
] as const satisfies readonly ExportField[]
/** Fields that are counts: whole numbers in every file. */
const COUNTS: ReadonlySet<ExportField> = new Set([...INTERVAL_COUNTS, 'Resets'])

/** Meaning of a code: its wire name, which JSON files contain, and its text in the user's language. */
export interface QualityMark {
  name: string
  word: string
}

/** A column: its heading in the user's language, including the unit. */
export interface ExportColumn {
  field: ExportField
  heading: string
  /** Unit in a JSON file, if it is not that of the field. */
  unit?: string
  /** Names of the codes, by code; absent for numeric columns. */
  marks?: readonly QualityMark[]
}

export type Format = 'csv' | 'xlsx' | 'json'

/** Contents of an export, fixed before the first row. */
export interface ExportPlan {
  format: Format
  /** For workbooks only: one file with a sheet per meter, instead of a file per meter. */
  oneWorkbook: boolean
  /** Time zone of the home. */
  zone: string
  /** Values of a row: it starts with its timestamp, then has one number per field. */
  fields: readonly ExportField[]
  /** Subset of `fields` that is written. */
  columns: readonly ExportColumn[]
  timeHeading: string
  isoHeading: string
  /** Number of decimal places; undefined leaves numbers unchanged. */
  decimals?: number | undefined
  /** Name of the file, or of the archive of several files, without its extension. */
  name: string
  meters: readonly { PeripheralUID: string; PeripheralName: string }[]
  /** Facts about all rows that JSON files state. */
  about: Readonly<Record<string, string>>
}

/** Rows of one meter, sent to the writer as one array: for each a timestamp and the plan's fields; NaN if there is no value. */
export type Rows = Float64Array<ArrayBuffer>

/** A value as written: counts are whole numbers, others are rounded to `decimals`. */
export function formatCell(value: number, field: ExportField, decimals: number | undefined): number {
  if (decimals === undefined || COUNTS.has(field)) return value
  return Number(value.toFixed(decimals))
}

/** Local time as epoch ms at which a UTC clock shows the same. */
export const wallClock = (timestamp: number, zone: string): number => timestamp + offsetAt(timestamp, zone)

/** Local time, `2025-10-01 08:15:00`. */
export const formatWall = (timestamp: number, zone: string): string =>
  new Date(wallClock(timestamp, zone)).toISOString().slice(0, 19).replace('T', ' ')

/** Local time with offset, `2025-10-01T08:15:00+08:00` (ISO 8601); with milliseconds if not zero. */
export function formatIso(timestamp: number, zone: string): string {
  const offset = Math.round(offsetAt(timestamp, zone) / 60_000)
  const text = new Date(timestamp + offset * 60_000).toISOString()
  const sign = offset < 0 ? '-' : '+'
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  const padTwoDigits = (value: number) => String(value).padStart(2, '0')
  return `${text.slice(0, timestamp % 1000 === 0 ? 19 : 23)}${sign}${padTwoDigits(hours)}:${padTwoDigits(minutes)}`
}
