import { MAX_IMPORT_ROWS } from '../../../../contract/meters/import-calls.ts'
import type { ImportFault } from '../../../../contract/meters/meter-import.ts'
import { DAY_MS } from '../../../../contract/time/periods.ts'
import type { Cell, Grid, SkipReason } from '../../../lib/spreadsheet/grid.ts'
import {
  directionOf,
  CLOCK_HEAD,
  type Direction,
  isCounted,
  isNamedAsSensor,
  isNotComplete,
  isOtherSensor,
  isOtherUnit,
  UNITS,
  unitOf,
} from './headings.ts'
import { isTotal } from './column-roles.ts'
import type { TableLayout } from './layout.ts'
import { createTableEnd, repeatOfHeadings } from './table-end.ts'
import { areParts, type DecimalMark, isNumber, parseNumber, splitUnit } from './numbers.ts'
import {
  hasClock,
  readTimeOfDay,
  readWall,
  splitRange,
  cellText,
  type TimeFault,
  type TimeFormat,
  type Wall,
} from './time.ts'

/** Reason why a cell is not read, by the reader or by the rule shared with the gateway. */
export type RowFault =
  | TimeFault
  | SkipReason
  | ImportFault
  | 'empty'
  | 'notNumber'
  | 'unknownMeter'
  | 'incomplete'
  | 'notCounter'
  | 'tooLong'
  | 'repeatedHeading'
  | 'summary'
  | 'moreCells'
  | 'statedIncomplete'
  | 'isCounter'
  | 'glitch'
  | 'sentinel'
  | 'uneven'
  | 'ambiguousHour'
  | 'replaced'
export interface RowProblem {
  /** Line and column of the table that was read, from 0; in messages to the page those of the file, line from 1. */
  line: number
  column: number
  /** Sheet, if several were read as one table. */
  sheet?: string
  reason: RowFault
  value: string
}

/** Maximum number of problems listed. */
const MAX_NAMED_FAULTS = 1_000
const MAX_SHOWN_CHARACTERS = 60
/** Maximum number of series in a file: more are not names of meters. */
const MAX_SERIES = 1_000

/** The first problems of a file, and their number. */
export interface Problems {
  listed: RowProblem[]
  count: number
}

export function addProblem(
  problems: Problems,
  line: number,
  column: number,
  reason: RowFault,
  value: string,
) {
  problems.count++
  if (problems.listed.length < MAX_NAMED_FAULTS)
    problems.listed.push({ line, column, reason, value: value.slice(0, MAX_SHOWN_CHARACTERS) })
}

/** Cells of a file that are one meter's: of a column, a name in the column of meters, a direction and a unit. */
export interface SeriesSource {
  column: number
  heading: string
  meterText: string
  direction: Direction | undefined
  /** Text in the column of directions or registers. */
  directionText: string
  unitText: string
  /** Sign of the figures in the file, if those of both signs are two series. */
  sign?: '+' | '−'
}

/** Series whose returned energy only a word states that may be part of a name, such as Export Office. */
export interface OpenDirections {
  /** Texts with these words. */
  texts: readonly string[]
  /** Texts among them that are directions, by the other headings of the file. */
  likely: readonly string[]
}

/** Figures of a file as parallel arrays of `count` entries, in the order of the file; the unit is that of the file. */
export interface RawRows {
  count: number
  series: Int32Array
  lines: Int32Array
  columns: Int16Array
  /** Local time of the row, as epoch ms of a clock in UTC. */
  walls: Float64Array
  /** UTC offset that the cell states; NaN without. Absent if no cell states one. */
  offsets: Float64Array | undefined
  /** Abbreviations of zones that have several meanings, as the cells have them. */
  zoneLetters: Set<string>
  /** Whether the file says of every reading that the gateway has validated it. */
  areValidated: boolean
  /** Whether a time is 24:00. */
  hasEndOfDay: boolean
  /** Local time at which the interval ends, where the file has a column for it. */
  ends: Float64Array | undefined
  /** Time that has passed since the local time in `walls`, in ms; absent unless the file counts hours that pass. */
  elapsed: Float64Array | undefined
  /** Largest difference from a regular step, if the times were rounded to it. */
  offStepMs: number | undefined
  /** First and last local time of all lines, also of those without a value. */
  firstWall: number
  lastWall: number
  values: Float64Array
  /** Rows whose time is a date alone, in a file with times of day. */
  dateOnly: number[]
  sources: SeriesSource[]
  /** Number of cells by a unit that is no energy, such as kvarh in a column of units; they are not read. */
  otherUnits: Map<string, number>
  /** Names in the column of meters that may be those of other sensors. */
  openNames: Set<string>
  /** Series whose direction is open. */
  openDirections: OpenDirections | undefined
  /** Series with figures of both signs although they state one direction; they are not read. */
  bothSigns: readonly string[]
  problems: Problems
  isTooMany: boolean
  /** Line of another row of headings, behind which the columns may mean something else; nothing is read from there on. */
  secondTable: number | undefined
}

const hasEnds = ({ endColumn, endClockColumn, isRange }: TableLayout['time']): boolean =>
  endColumn !== null || endClockColumn !== null || isRange

function createRawRows({ time, matrix }: TableLayout, capacity: number): RawRows {
  return {
    count: 0,
    series: new Int32Array(capacity),
    lines: new Int32Array(capacity),
    columns: new Int16Array(capacity),
    walls: new Float64Array(capacity),
    offsets: undefined,
    areValidated: true,
    zoneLetters: new Set(),
    hasEndOfDay: false,
    ends: hasEnds(time) ? new Float64Array(capacity) : undefined,
    elapsed: matrix?.isElapsed || time.numbered?.isElapsed ? new Float64Array(capacity) : undefined,
    offStepMs: undefined,
    firstWall: Infinity,
    lastWall: -Infinity,
    values: new Float64Array(capacity),
    dateOnly: [],
    sources: [],
    otherUnits: new Map(),
    openNames: new Set(),
    openDirections: undefined,
    bothSigns: [],
    problems: { listed: [], count: 0 },
    isTooMany: false,
    secondTable: undefined,
  }
}

/** Reads the figures of a file. Lines without any value, e.g. between blocks, are skipped. */
export function scanRows(grid: Grid, layout: TableLayout, format: TimeFormat, mark: DecimalMark): RawRows {
  const { first, time, matrix, maxCells = Infinity } = layout
  const cellsPerLine = matrix ? matrix.columns.length : layout.values.length
  const capacity = Math.min(MAX_IMPORT_ROWS, (grid.length - first) * Math.max(1, cellsPerLine))
  const raw = createRawRows(layout, capacity)
  const seriesOf = createSeriesIndex(raw, layout)
  const cells = matrix
    ? matrix.columns.map(({ column, ms }) => ({ column, ms, heading: '' }))
    : layout.values.map(({ column, heading }) => ({ column, ms: 0, heading }))
  const isWide = cells.length > 1
  const incompleteOf = createIncompleteText(layout)
  const withMeter = createMeterAbove(layout)
  const dateAbove = createDateAbove(layout)
  const tables = createTableEnd(layout)

  for (let line = first; line < grid.length; line++) {
    const row = withMeter(grid[line] as readonly Cell[])
    if (row.every((cell) => cell === '' || cellText(cell) === '')) continue
    const total = layout.totalColumns.find((column) => isTotal(cellText(row[column])))
    if (total !== undefined) {
      addProblem(raw.problems, line, total, 'summary', cellText(row[total]))
      continue
    }
    const wall = readTime(row, layout, format, dateAbove(row))
    const heading = typeof wall === 'string' ? repeatOfHeadings(row, layout) : undefined
    raw.secondTable = tables.beginsAt(row, line, heading, typeof wall === 'string')
    if (raw.secondTable !== undefined) return raw
    if (typeof wall === 'string') {
      const fault = heading === 'same' ? 'repeatedHeading' : wall
      addProblem(raw.problems, line, time.column, fault, cellText(row[time.column]))
      continue
    }
    const part = row.length > maxCells ? partOfFigure(row, maxCells) : -1
    if (part >= 0) {
      addProblem(raw.problems, line, part, 'moreCells', cellText(row[part]))
      continue
    }
    raw.firstWall = Math.min(raw.firstWall, wall.utc)
    raw.lastWall = Math.max(raw.lastWall, wall.utc)
    const end = raw.ends ? readEnd(row, layout, format, wall) : undefined
    if (typeof end === 'string') {
      addProblem(
        raw.problems,
        line,
        time.endColumn ?? time.endClockColumn ?? 0,
        end,
        cellText(row[time.endColumn ?? -1]),
      )
      continue
    }
    for (const { column, ms, heading } of cells) {
      const cell = row[column]
      const incomplete = incompleteOf(row, column)
      if (incomplete !== undefined) {
        addProblem(raw.problems, line, column, 'statedIncomplete', incomplete)
        continue
      }
      if (cell === undefined || cell === '' || cellText(cell) === '') {
        // In a table with several columns of values, an empty cell is a gap, not a problem.
        if (!isWide) addProblem(raw.problems, line, column, 'empty', '')
        continue
      }
      const parsed = parseCell(cell, mark)
      if (parsed === undefined) {
        addProblem(raw.problems, line, column, 'notNumber', cellText(cell))
        continue
      }
      if (raw.count >= capacity) return { ...raw, isTooMany: true }
      const found = seriesOf(row, column, heading, parsed.unit)
      if (found === 'otherUnit') continue
      if (found === undefined) {
        addProblem(
          raw.problems,
          line,
          layout.meterColumn ?? column,
          'unknownMeter',
          cellText(row[layout.meterColumn ?? -1]),
        )
        continue
      }
      if (time.isTimed && wall.utc % DAY_MS === 0 && !hasClock(cellText(row[time.column]), format))
        raw.dateOnly.push(raw.count)
      const { index: series, factor } = found
      const value = parsed.value * factor
      if (raw.areValidated)
        raw.areValidated = layout.qualityColumns.some((each) => isCounted(cellText(row[each])))
      push(raw, { line, column, series, wall, ms: ms + numberedMs(row, time), end, value })
    }
  }
  return raw
}

/** Date above a line without one, if it holds for the line: as that of several times of day, or of each meter once below a merged cell. */
function createDateAbove({ time: { column, clockColumn }, isDateMerged, meterColumn }: TableLayout) {
  if (clockColumn === null && !isDateMerged) return () => ''
  const meters = new Set<string>()
  let date = ''
  return (row: readonly Cell[]): string => {
    const own = cellText(row[column])
    if (own !== '') {
      date = own
      meters.clear()
    }
    if (!isDateMerged) return date
    const meter = cellText(row[meterColumn ?? -1])
    if (meter === '' || meters.has(meter)) return ''
    meters.add(meter)
    return date
  }
}

/** Line with the name of its meter, which a merged cell above contains. */
function createMeterAbove({ meterColumn, isMeterMerged }: TableLayout) {
  let meter: Cell = ''
  return (row: readonly Cell[]): readonly Cell[] => {
    if (!isMeterMerged || meterColumn === null) return row
    const own = row[meterColumn] ?? ''
    if (cellText(own) !== '') meter = own
    const isBlank = row.every((cell) => cell === '')
    return cellText(own) !== '' || isBlank ? row : row.with(meterColumn, meter)
  }
}

/**
 * Text by which a line says that a value is unknown or only a part. As many columns of qualities as of values are about one each, else
 * each is about the whole line.
 */
function createIncompleteText({ qualityColumns, values, matrix }: TableLayout) {
  const isPaired = !matrix && values.length > 1 && qualityColumns.length === values.length
  const ownColumns = new Map(
    values.map(({ column }, at) => [column, isPaired ? qualityColumns.slice(at, at + 1) : qualityColumns]),
  )
  return (row: readonly Cell[], column: number): string | undefined => {
    for (const each of ownColumns.get(column) ?? qualityColumns) {
      const text = cellText(row[each])
      if (text !== '' && isNotComplete(text)) return text
    }
    return undefined
  }
}

/** Column of a cell that may be the second part of a figure that contains a comma; -1 without one. */
function partOfFigure(row: readonly Cell[], maxCells: number): number {
  const wide = row.findIndex((cell, column) => column >= maxCells && isNumber(cell))
  return wide >= 0
    ? wide
    : row.findIndex((cell, column) => areParts(cellText(row[column - 1]), cellText(cell)))
}

/** Figure of a cell; one with a unit of its own is in kWh or kW. */
function parseCell(
  cell: Cell,
  mark: DecimalMark,
): { value: number; unit: 'kWh' | 'kW' | undefined } | undefined {
  const split = splitUnit(cell)
  const value = parseNumber(split?.figure ?? cell, mark)
  if (value === undefined) return undefined
  const unit = split && unitOf(split.unit)
  if (!unit) return { value, unit: undefined }
  return { value: value * UNITS[unit].factor, unit: UNITS[unit].isPower ? 'kW' : 'kWh' }
}

/** Time since midnight of a numbered interval. */
function numberedMs(row: readonly Cell[], { numbered }: TableLayout['time']): number {
  if (!numbered) return 0
  return (Number(cellText(row[numbered.column])) - numbered.from) * numbered.step
}

function push(
  raw: RawRows,
  entry: {
    line: number
    column: number
    series: number
    wall: Wall
    ms: number
    end: number | undefined
    value: number
  },
): void {
  const at = raw.count++
  raw.series[at] = entry.series
  raw.lines[at] = entry.line
  raw.columns[at] = entry.column
  raw.walls[at] = entry.wall.utc + (raw.elapsed ? 0 : entry.ms)
  if (raw.elapsed) raw.elapsed[at] = entry.ms
  raw.values[at] = entry.value
  if (raw.ends && entry.end !== undefined) raw.ends[at] = entry.end
  if (entry.wall.offset !== undefined && !raw.offsets)
    raw.offsets = new Float64Array(raw.walls.length).fill(Number.NaN)
  if (raw.offsets) raw.offsets[at] = entry.wall.offset ?? Number.NaN
  if (entry.wall.letters !== undefined) raw.zoneLetters.add(entry.wall.letters)
  if (entry.wall.isEndOfDay) raw.hasEndOfDay = true
}

/**
 * Local time of a line; `empty` if the date or the time of day is missing.
 *
 * lastDate  date above, if it holds for lines without one, as below a merged cell
 */
export function readTime(
  row: readonly Cell[],
  { time: { column, clockColumn, numbered, isRange }, headings }: Pick<TableLayout, 'time' | 'headings'>,
  format: TimeFormat,
  lastDate = '',
): Wall | TimeFault | 'empty' {
  const own = cellText(row[column])
  const whole = own === '' ? lastDate : own
  const text = startOf(whole, isRange)
  if (text === '') return 'empty'
  if (numbered && !/^\d{1,3}$/.test(cellText(row[numbered.column]))) return 'notTime'
  const wall = readWall(text, format)
  if (clockColumn === null || typeof wall === 'string') return wall
  const clock = startOf(cellText(row[clockColumn]), isRange)
  if (clock === '') return 'empty'
  const ms = clockOf(clock, headings[clockColumn] ?? '')
  return ms === undefined ? 'notTime' : { ...wall, utc: wall.utc + ms, isEndOfDay: ms === DAY_MS }
}

const startOf = (text: string, isRange: boolean): string =>
  (isRange ? splitRange(text)?.[0] : undefined) ?? text

const clockOf = (text: string, heading: string): number | undefined =>
  readTimeOfDay(text, CLOCK_HEAD.test(heading) || /^\d{4}$/.test(text))

/** Local time of the end of a line's interval. */
function readEnd(
  row: readonly Cell[],
  { time, headings }: TableLayout,
  format: TimeFormat,
  start: Wall,
): number | RowFault {
  const { endColumn, endClockColumn, isRange } = time
  if (isRange) {
    const end = splitRange(cellText(row[time.clockColumn ?? time.column]))?.[1] ?? ''
    const ms = readTimeOfDay(end)
    const wall = ms === undefined ? readWall(end, format) : undefined
    if (typeof wall === 'string') return wall
    if (wall) return wall.utc
    const day = Math.floor(start.utc / DAY_MS) * DAY_MS
    return day + (ms ?? 0) + (day + (ms ?? 0) <= start.utc ? DAY_MS : 0)
  }
  const dateText = endColumn === null ? '' : cellText(row[endColumn])
  if (endColumn !== null && dateText === '') return 'empty'
  const date =
    endColumn === null
      ? { utc: Math.floor(start.utc / DAY_MS) * DAY_MS, offset: start.offset }
      : readWall(dateText, format)
  if (typeof date === 'string') return date
  // As a clock that shows the offset of the start.
  const shift = date.offset !== undefined && start.offset !== undefined ? start.offset - date.offset : 0
  if (endClockColumn === null) return date.utc + shift
  const ms = clockOf(cellText(row[endClockColumn]), headings[endClockColumn] ?? '')
  if (ms === undefined) return 'notTime'
  const end = date.utc + ms + shift
  return endColumn === null && end <= start.utc ? end + DAY_MS : end
}

const BARE_UNIT =
  /^[[(]?(?:[kmg]?wh?|[kmg]?w[-·]h|kwhr|度數?|千瓦小?時|瓩小?時|瓦小?時|百萬瓦時|瓩|千瓦)[\])]?$/i

/**
 * Index of the series of a cell, and the factor to its unit if the unit changes within the series; undefined if the line names no meter,
 * or the file has too many series.
 */
function createSeriesIndex({ sources, otherUnits, openNames }: RawRows, layout: TableLayout) {
  const { meterColumn, meterParts, unitColumn, directionColumn, matrix } = layout
  /** Whether a name is that of a sensor of something else; one whose unit is of energy may be that of a meter. */
  const isSensor = (name: string, heading: string, unitText: string) => {
    if (!isOtherSensor(name)) return false
    if (!isNamedAsSensor(name)) return true
    if (unitOf(unitText)) return false
    if (unitOf(heading) === undefined && !layout.hasFileUnit) return true
    openNames.add(name)
    return !layout.areNamesRead
  }
  const indexes = new Map<string, number>()
  /** Series by the cells of their lines as they are in the file. */
  const known = new Map<string, { index: number; factor: number }>()
  return (
    row: readonly Cell[],
    column: number,
    heading: string,
    cellUnit: string | undefined,
  ): { index: number; factor: number } | 'otherUnit' | undefined => {
    const place = matrix ? -1 : column
    const meter =
      meterParts.length === 0
        ? row[meterColumn ?? -1]
        : [meterColumn ?? -1, ...meterParts]
            .map((each) => cellText(row[each]))
            .join(' ')
            .trim()
    const unit = cellUnit ?? (unitColumn === null ? undefined : row[unitColumn])
    const direction = directionColumn === null ? undefined : row[directionColumn]
    const cells = `${place}\n${meter}\n${unit}\n${direction}`
    const found = known.get(cells)
    if (found) return found
    const [meterText, unitText, directionText] = [cellText(meter), cellText(unit), cellText(direction)]
    const isOther = isSensor(meterText, heading, unitText)
    if (isOtherUnit(unitText) || isOther) {
      const text = isOther ? meterText : unitText
      otherUnits.set(text, (otherUnits.get(text) ?? 0) + 1)
      return 'otherUnit'
    }
    if (meterColumn !== null && meterText === '') return undefined
    // A meter's unit may change; a unit with other words, such as kWh received, is that of another register.
    const bareUnit = BARE_UNIT.test(unitText) ? unitOf(unitText) : undefined
    const quantity = bareUnit ? `power ${UNITS[bareUnit].isPower}` : unitText
    const key = [place, meterText, directionText, quantity].join('\n')
    let index = indexes.get(key)
    if (index === undefined) {
      if (sources.length >= MAX_SERIES) return undefined
      index =
        sources.push({
          column,
          heading,
          meterText,
          direction: directionOf(directionText) ?? directionOf(heading),
          directionText,
          unitText,
        }) - 1
      indexes.set(key, index)
    }
    const own = unitOf(sources[index]?.unitText ?? '')
    const entry = { index, factor: bareUnit && own ? UNITS[bareUnit].factor / UNITS[own].factor : 1 }
    known.set(cells, entry)
    return entry
  }
}

/** Rows of each series by time: `order[from … to - 1]` are the indexes of its rows. */
export interface SeriesOrder {
  order: Uint32Array
  spans: readonly { from: number; to: number }[]
  /** Rows without a plausible time, which are in no span. */
  excluded: readonly number[]
}

/** Sorts the rows of each series by a time; files are mostly sorted already, in either direction. */
export function orderBySeries(
  raw: RawRows,
  times: Float64Array,
  isPlausible: (time: number) => boolean,
): SeriesOrder {
  const counts = new Uint32Array(raw.sources.length + 1)
  const excluded: number[] = []
  for (let at = 0; at < raw.count; at++)
    if (isPlausible(times[at] as number)) counts[(raw.series[at] as number) + 1]!++
    else excluded.push(at)
  for (let series = 1; series < counts.length; series++) counts[series]! += counts[series - 1] as number
  const next = counts.slice()
  const order = new Uint32Array(raw.count - excluded.length)
  for (let at = 0; at < raw.count; at++)
    if (isPlausible(times[at] as number)) order[next[raw.series[at] as number]!++] = at
  const spans = raw.sources.map((_, series) => {
    const [from, to] = [counts[series] as number, counts[series + 1] as number]
    let isSorted = true
    for (let place = from + 1; place < to && isSorted; place++)
      isSorted = (times[order[place] as number] as number) >= (times[order[place - 1] as number] as number)
    if (!isSorted)
      order.subarray(from, to).sort((a, b) => (times[a] as number) - (times[b] as number) || a - b)
    return { from, to }
  })
  return { order, spans, excluded }
}
