import {
  ENERGY_FIELDS,
  INTERVAL_COUNTS,
  READING_FIELDS,
  type ExportField,
  type Format,
} from '../../lib/export/table.ts'
import { knownIntervals } from '../../../contract/energy/coverage.ts'
import { ReadingState, type Coverage } from '../../../contract/energy/meter-data-calls.ts'

/** Resolution of the rows: stored readings, or sums of energy. */
export const DETAILS = ['raw', 'quarter', 'hour', 'day', 'month'] as const
export type Detail = (typeof DETAILS)[number]

export const FORMATS = ['xlsx', 'csv', 'json'] as const satisfies readonly Format[]

/** Selectable columns; most are one field, `quality` stands for several. */
export const COLUMNS = [
  'kWh',
  'Cost',
  'CarbonKg',
  'quality',
  'AccumulatePower',
  'Power',
  'AvgElectricCurrent',
  'Voltage',
  'PowerFactor',
] as const
export type ColumnChoice = (typeof COLUMNS)[number]

const QUALITY: readonly ExportField[] = [...INTERVAL_COUNTS, 'Resets']

export const fieldsOf = (detail: Detail): readonly ExportField[] =>
  detail === 'raw' ? READING_FIELDS : ENERGY_FIELDS

/** Selectable columns of a detail, in file order. */
export const columnsFor = (detail: Detail): ColumnChoice[] =>
  COLUMNS.filter((column) =>
    column === 'quality' ? detail !== 'raw' : fieldsOf(detail).includes(column as ExportField),
  )

/** Field with the reliability of a row, which is in every file. */
const markOf = (detail: Detail): ExportField => (detail === 'raw' ? 'State' : 'Quality')

/** Fields of the selected columns, with the reliability of a row after its values. */
export const fieldsFor = (detail: Detail, columns: readonly ColumnChoice[]): ExportField[] => [
  ...columns.filter((column) => column !== 'quality'),
  markOf(detail),
  ...(columns.includes('quality') ? QUALITY : []),
]

/** Export options in the address; omitted ones have defaults. */
export interface ExportOptions {
  detail: Detail
  format: Format
  /** Empty for all. */
  meters: readonly string[]
  columns: readonly ColumnChoice[]
  oneWorkbook: boolean
  rounded: boolean
}

const parseChoice = <T extends string>(list: readonly T[], text: string | null): T | undefined =>
  list.find((choice) => choice === text)

/** Reads the options from the address; drops columns that the detail does not have. */
export function readOptions(params: URLSearchParams, may: (detail: Detail) => boolean): ExportOptions {
  const requestedDetail = parseChoice(DETAILS, params.get('detail')) ?? 'quarter'
  const detail = may(requestedDetail) ? requestedDetail : (DETAILS.find(may) ?? requestedDetail)
  const requestedColumns = params.get('columns')?.split(' ')
  const columns = columnsFor(detail).filter((column) => requestedColumns?.includes(column) ?? true)
  return {
    detail,
    format: parseChoice(FORMATS, params.get('format')) ?? 'xlsx',
    meters: params.get('meters')?.split(' ').filter(Boolean) ?? [],
    columns: columns.length > 0 ? columns : columnsFor(detail),
    oneWorkbook: params.get('files') !== 'each',
    rounded: params.get('rounded') === '1',
  }
}

/** Writes changed options into the address; omits defaults. */
export function writeOptions(params: URLSearchParams, change: Partial<ExportOptions>): URLSearchParams {
  const all = new URLSearchParams(params)
  const put = (name: string, value: string | undefined) => (value ? all.set(name, value) : all.delete(name))
  if (change.detail) put('detail', change.detail === 'quarter' ? undefined : change.detail)
  if (change.format) put('format', change.format === 'xlsx' ? undefined : change.format)
  if (change.meters) put('meters', change.meters.join(' '))
  if (change.columns) put('columns', change.columns.join(' '))
  if (change.oneWorkbook !== undefined) put('files', change.oneWorkbook ? undefined : 'each')
  if (change.rounded !== undefined) put('rounded', change.rounded ? '1' : undefined)
  return all
}

/**
 * Data quality of an interval; if several apply, the last of these is used.
 *
 * between     a part was distributed between two readings of a meter that reports less often than every 15 minutes, but on time
 * estimated   a part was distributed over a gap in the readings
 * corrected   a part was entered by a user, or imported
 * incomplete  a part is unknown: the figure is too low
 * unfinished  the interval has not ended: the figure is provisional
 * missing     nothing is known
 */
export const QUALITIES = [
  'measured',
  'between',
  'estimated',
  'corrected',
  'incomplete',
  'unfinished',
  'missing',
] as const

/** States of a stored reading, which decide whether it counts. */
export const READING_STATES = ReadingState.options

export function qualityOf(coverage: Coverage, hasEnded: boolean): (typeof QUALITIES)[number] {
  const { Between, Estimated, Corrected, Missing } = coverage
  if (Missing > 0 && knownIntervals(coverage) === 0) return 'missing'
  if (!hasEnded) return 'unfinished'
  if (Missing > 0) return 'incomplete'
  if (Corrected > 0) return 'corrected'
  if (Estimated > 0) return 'estimated'
  return Between > 0 ? 'between' : 'measured'
}
