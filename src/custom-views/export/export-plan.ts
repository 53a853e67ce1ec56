import type { ExportColumn, ExportField, ExportPlan } from '../../lib/export/table.ts'
import type { TKey, TValues } from '../../lib/i18n/i18n.ts'
import { type Detail, type ExportOptions, fieldsFor, fieldsOf, QUALITIES, READING_STATES } from './options.ts'

/** Facts of an export other than its options. */
export interface ExportSubject {
  HomeName: string
  zone: string
  meters: ExportPlan['meters']
  /** Days of the export as they are in the names of its files. */
  days: string
  /** Number of decimals of rounded values. */
  decimals: number
}

type Translate = (key: TKey, values?: TValues) => string

/** Meaning of the times of a JSON file, in English as its other names. */
const STATED_TIMES: Readonly<Record<Detail, Readonly<Record<string, string>>>> = {
  raw: { Stamp: 'time of reading' },
  quarter: { Stamp: 'start of interval', Interval: '15 min' },
  hour: { Stamp: 'start of interval', Interval: '1 hour' },
  day: { Stamp: 'start of interval', Interval: '1 day' },
  month: { Stamp: 'start of interval', Interval: '1 month' },
}

/** Plan of an export. Its headings state unit, zone, and which end of an interval a time is, so that the file can be imported. */
export function createExportPlan(options: ExportOptions, subject: ExportSubject, t: Translate): ExportPlan {
  const { detail, format, oneWorkbook, rounded } = options
  const { HomeName, zone, meters, days, decimals } = subject
  return {
    format,
    oneWorkbook,
    zone,
    fields: fieldsOf(detail),
    columns: fieldsFor(detail, options.columns).map((field) => columnOf(field, detail, t)),
    ...timeHeadings(detail, zone, t),
    ...(rounded && { decimals }),
    name: `${HomeName} ${days}`,
    meters,
    about: { HomeName, Resolution: detail, ...STATED_TIMES[detail] },
  }
}

function timeHeadings(detail: Detail, zone: string, t: Translate) {
  if (detail === 'raw')
    return { timeHeading: t('export:headings.time', { zone }), isoHeading: t('export:headings.iso') }
  const length = t(`export:lengths.${detail}`)
  return {
    timeHeading: t('export:headings.start', { length, zone }),
    isoHeading: t('export:headings.startIso', { length }),
  }
}

function columnOf(field: ExportField, detail: Detail, t: Translate): ExportColumn {
  const heading = t(`export:headings.${detail === 'raw' && field === 'kWh' ? 'kWhSince' : field}`)
  if (field === 'Quality')
    return {
      field,
      heading,
      marks: QUALITIES.map((name) => ({ name, word: t(`export:qualities.${name}`) })),
    }
  if (field === 'State')
    return {
      field,
      heading,
      marks: READING_STATES.map((name) => ({ name, word: t(`export:states.${name}`) })),
    }
  return detail === 'raw' && field === 'kWh'
    ? { field, heading, unit: 'kWh since the previous reading' }
    : { field, heading }
}
