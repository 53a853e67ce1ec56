import {
  ENERGY_FIELDS,
  INTERVAL_COUNTS,
  READING_FIELDS,
  type ExportField,
  type Format,
} from '../../lib/export/table.ts'

/** How fine the rows are: every stored reading, or energy summed up. */
export const DETAILS = ['raw', 'quarter', 'hour', 'day', 'month'] as const
export type Detail = (typeof DETAILS)[number]

export const FORMATS = ['xlsx', 'csv', 'json'] as const satisfies readonly Format[]

/** A choice of the page and the fields it stands for; how well intervals are known, in detail, takes several. */
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

/** What the rows of a detail can have. */
export const fieldsOf = (detail: Detail): readonly ExportField[] =>
  detail === 'raw' ? READING_FIELDS : ENERGY_FIELDS

/** The columns a person can choose for a detail, in the order of the file. */
export const columnsFor = (detail: Detail): ColumnChoice[] =>
  COLUMNS.filter((column) =>
    column === 'quality' ? detail !== 'raw' : fieldsOf(detail).includes(column as ExportField),
  )

/** The field that says how far a row can be trusted; it is in every file. */
export const markOf = (detail: Detail): ExportField => (detail === 'raw' ? 'State' : 'Quality')

/** The fields that chosen columns stand for, and how far a row can be trusted behind what it is of. */
export const fieldsFor = (detail: Detail, columns: readonly ColumnChoice[]): ExportField[] => [
  ...columns.filter((column) => column !== 'quality'),
  markOf(detail),
  ...(columns.includes('quality') ? QUALITY : []),
]

/** What the address says of an export; what it leaves out has a plain meaning. */
export interface ExportOptions {
  detail: Detail
  format: Format
  /** Empty: all of them. */
  meters: readonly string[]
  columns: readonly ColumnChoice[]
  oneWorkbook: boolean
  rounded: boolean
}

const one = <T extends string>(list: readonly T[], text: string | null): T | undefined =>
  list.find((each) => each === text)

/** Reads the options from the address; columns that the detail does not have are left out. */
export function readOptions(params: URLSearchParams, may: (detail: Detail) => boolean): ExportOptions {
  const asked = one(DETAILS, params.get('detail')) ?? 'quarter'
  const detail = may(asked) ? asked : (DETAILS.find(may) ?? asked)
  const wanted = params.get('columns')?.split(' ')
  const columns = columnsFor(detail).filter((column) => wanted?.includes(column) ?? true)
  return {
    detail,
    format: one(FORMATS, params.get('format')) ?? 'xlsx',
    meters: params.get('meters')?.split(' ').filter(Boolean) ?? [],
    columns: columns.length > 0 ? columns : columnsFor(detail),
    oneWorkbook: params.get('files') !== 'each',
    rounded: params.get('rounded') === '1',
  }
}

/** Writes changed options into the address; what is as usual is left out. */
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
