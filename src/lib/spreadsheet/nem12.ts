import Papa from 'papaparse/papaparse.js'
import type { DecodedText } from './decode-text.ts'
import { detectLayout } from './delimiter.ts'
import { FileRefused } from './file-fault.ts'
import {
  addRow,
  createRecordRows,
  openedRecords,
  LONG_HEADING,
  type OpenedFile,
  type RecordRows,
  type SkipReason,
  skipRecord,
} from './grid.ts'

/** Meter data of Australia's market are in its standard time all year. */
const MARKET_OFFSET = '+10:00'
const DAY_MINUTES = 1_440
const DAY_MS = 86_400_000
const INTERVAL_LENGTHS = [5, 15, 30]

/** Record types, by the first value of a line. */
const RECORD = {
  header: '100',
  meter: '200',
  accumulated: '250',
  intervals: '300',
  quality: '400',
  index: '500',
  end: '900',
}

/** Meter and unit of the records that follow. */
interface MeterRecord {
  meter: string
  unit: string
  direction: string
  intervalMinutes: number
}

/** A day of intervals, before the quality records that may follow it. */
interface DayRecord extends MeterRecord {
  line: number
  text: string
  date: string
  /** NaN if a value is not a number. */
  values: number[]
  qualities: string[]
}

/** State of reading a file from record to record. */
interface ReadState {
  rows: RecordRows
  meter: MeterRecord | SkipReason
  day: DayRecord | undefined
  hasEnd: boolean
}

/**
 * Reads a file of interval data as Australia's market operator defines it (MDFF, NEM12): a row for each interval.
 *
 * errors  FileRefused: `nem13` for accumulated data
 */
export function readNem12({ text, encoding }: DecodedText): OpenedFile {
  const state: ReadState = {
    rows: createRecordRows(LONG_HEADING),
    meter: 'noMeter',
    day: undefined,
    hasEnd: false,
  }
  let line = 0
  const layout = detectLayout(text)
  Papa.parse<string[]>(layout.text, {
    delimiter: ',',
    newline: layout.lineEnd,
    skipEmptyLines: false,
    step: ({ data }) => {
      line++
      readRecord(
        state,
        data.map((value) => value.trim()),
        line,
      )
    },
  })
  addDay(state)
  if (!state.hasEnd) skipRecord(state.rows, line, 'cutOff', '')
  if (state.rows.grid.length === 1) throw new FileRefused('empty')
  return openedRecords(state.rows, 'nem12', encoding)
}

function readRecord(state: ReadState, values: readonly string[], line: number): void {
  const [type = ''] = values
  if (values.every((value) => value === '')) return
  if (type === RECORD.accumulated || (type === RECORD.header && values[1]?.toUpperCase() === 'NEM13'))
    throw new FileRefused('nem13')
  const skip = (reason: SkipReason) => skipRecord(state.rows, line, reason, values.join(','))
  if (type === RECORD.quality) {
    if (!setQualities(state.day, values)) skip('intervalRange')
    return
  }
  if (type !== RECORD.index) addDay(state)
  if (type === RECORD.meter) {
    state.meter = meterOf(values)
    if (typeof state.meter === 'string') skip(state.meter)
  } else if (type === RECORD.intervals) {
    const day = typeof state.meter === 'string' ? state.meter : dayOf(values, state.meter, line)
    if (typeof day === 'string') skip(day)
    else state.day = day
  } else if (type === RECORD.end) state.hasEnd = true
  else if (type === RECORD.index) skip('indexRead')
  else if (type !== RECORD.header) skip('unknownRecord')
}

/** Units as a person writes them; others are kept as stated. */
const UNITS: Readonly<Record<string, string>> = { KWH: 'kWh', WH: 'Wh', MWH: 'MWh', GWH: 'GWh' }
/** Direction by the first character of a register's suffix; other registers measure reactive or apparent energy. */
const DIRECTIONS: Readonly<Record<string, string>> = { E: 'import', B: 'export' }

/** Meter record: 200, NMI, configuration, register, suffix, data stream, serial number, unit, minutes of an interval, next reading. */
function meterOf(values: readonly string[]): MeterRecord | SkipReason {
  const [, nmi = '', , , suffix = '', , , unit = '', minutes = ''] = values
  if (nmi === '') return 'noMeter'
  const intervalMinutes = Number(minutes)
  if (!INTERVAL_LENGTHS.includes(intervalMinutes)) return 'intervalLength'
  return {
    meter: `${nmi} ${suffix}`.trim(),
    unit: UNITS[unit.toUpperCase()] ?? unit,
    direction: DIRECTIONS[suffix.charAt(0).toUpperCase()] ?? '',
    intervalMinutes,
  }
}

/** Actual, estimated, final substituted, null, substituted or varying, and the method. */
const QUALITY = /^[AEFNSV]\d{0,2}$/i
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/

/** Interval record: 300, date, a value for each interval, quality, reason code and text, times of its update. */
function dayOf(values: readonly string[], meter: MeterRecord, line: number): DayRecord | SkipReason {
  const date = dateOf(values[1] ?? '')
  if (date === undefined) return 'notDate'
  const count = DAY_MINUTES / meter.intervalMinutes
  const quality = values[count + 2] ?? ''
  if (!QUALITY.test(quality)) return 'valueCount'
  const figures = values.slice(2, count + 2)
  return {
    ...meter,
    line,
    text: values.join(','),
    date,
    values: figures.map((figure) => (NUMBER.test(figure) ? Number(figure) : Number.NaN)),
    qualities: figures.map(() => quality.charAt(0).toUpperCase()),
  }
}

/** ISO date of `20260601`; undefined if there is no such date. */
function dateOf(text: string): string | undefined {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? []
  if (year === undefined) return undefined
  const date = `${year}-${month}-${day}`
  const timestamp = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(timestamp) && new Date(timestamp).toISOString().startsWith(date) ? date : undefined
}

/** Quality record: 400, first and last interval from 1, quality. Returns whether the day has these intervals. */
function setQualities(day: DayRecord | undefined, values: readonly string[]): boolean {
  const [first, last, quality = ''] = [Number(values[1]), Number(values[2]), values[3]]
  const isValid =
    day !== undefined &&
    Number.isInteger(first) &&
    Number.isInteger(last) &&
    first >= 1 &&
    last >= first &&
    last <= day.values.length &&
    QUALITY.test(quality)
  if (isValid) day.qualities.fill(quality.charAt(0).toUpperCase(), first - 1, last)
  return isValid
}

/** Adds the rows of the day whose records were read; of intervals without a value, each run is one skipped record. */
function addDay(state: ReadState): void {
  const { day, rows } = state
  state.day = undefined
  if (!day) return
  const [times, end] = [timesOf(day.intervalMinutes), nextDate(day.date)]
  let runReason: SkipReason | undefined
  for (const [index, value] of day.values.entries()) {
    const quality = day.qualities[index] as string
    const from = `${day.date}T${times[index]}`
    const reason = quality === 'N' ? 'noValue' : Number.isNaN(value) ? 'notNumber' : undefined
    if (reason && reason !== runReason) skipRecord(rows, day.line, reason, `${from} ${day.text}`)
    runReason = reason
    if (reason) continue
    const to = index + 1 < times.length ? `${day.date}T${times[index + 1]}` : `${end}T${times[0]}`
    addRow(rows, day.line, [
      from,
      to,
      day.meter,
      value,
      day.unit,
      day.direction,
      quality === 'V' ? '' : quality,
    ])
  }
}

const timesByLength = new Map<number, string[]>()

/** Times of day at which intervals begin, `08:15:00+10:00`. */
function timesOf(intervalMinutes: number): string[] {
  const known = timesByLength.get(intervalMinutes)
  if (known) return known
  const times = Array.from({ length: DAY_MINUTES / intervalMinutes }, (_, index) => {
    const clock = new Date(index * intervalMinutes * 60_000).toISOString().slice(11, 19)
    return `${clock}${MARKET_OFFSET}`
  })
  timesByLength.set(intervalMinutes, times)
  return times
}

const nextDate = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
