import type { ImportKind } from '../../../../contract/meters/meter-import.ts'
import {
  type FactSource,
  type ReadingAnswers,
  type ReadingFact,
  type ReadingFactName,
} from '../../../../contract/meters/import-reading.ts'
import { DAY_MS } from '../../../../contract/time/periods.ts'
import {
  disambiguateNames,
  FILE_NAME,
  safeFileName,
  SHEET_NAME,
  sheetNames,
} from '../../../lib/export/file-names.ts'
import type { Grid, OpenedFile } from '../../../lib/spreadsheet/grid.ts'
import { guessSeriesKind, RESET_SHARE } from './guess-kind.ts'
import {
  DAY_FIRST_WORDS,
  type Direction,
  isCounterHeading,
  isIntervalHeading,
  isPowerHeading,
  intervalOf,
  intervalOfText,
  readHeading,
  stampOf,
  stampOfText,
  type Unit,
  unitOf,
  ignoredReasonOf,
  UNITS,
  zoneOf,
} from './headings.ts'
import { detectTable, type TableLayout, turnGrid } from './layout.ts'
import { addMarkEvidence, type DecimalMark, type MarkEvidence, noMarkEvidence } from './numbers.ts'
import {
  type ClockChanges,
  orderBySeries,
  type RawRows,
  type RowProblem,
  readTime,
  scanRows,
  setEndInstants,
  type SeriesOrder,
  toInstants,
} from './rows.ts'
import { fixedZone, isZoneName, cellText, type TimeFormat, zoneOffset } from './time.ts'

export interface MeterName {
  uid: string
  name: string
}

/** Facts that do not come from the file. */
export interface ReadingContext {
  meters: readonly MeterName[]
  /** Meter of the page that linked here. */
  meter?: string | undefined
  /** Time zone of the site. */
  zone: string
  now: number
  /** Name of the file, which may be that of the meter. */
  fileName?: string | undefined
  /** Facts that were confirmed for an earlier file of the same layout; they apply where the file does not state them. */
  profile?: ReadingAnswers | undefined
}

/** Length of an interval: ms, or a local day or month. */
export type Step = number | 'day' | 'month'

/** Question about a fact that the file leaves open, with an example from it. */
export interface Question {
  fact: ReadingFactName
  /** Text of the file that can be read in several ways. */
  example: string
  options: readonly { value: string; kWh: number | null }[]
  suggested: string
}

/** Figures of one meter in a file. */
export interface Series {
  name: string
  column: number
  direction: Direction | undefined
  unit: Unit
  /** Undefined for counter readings and for rows with their own ends. */
  step: Step | undefined
  rows: number
  /** First and last time in the file, epoch ms. */
  from: number
  through: number
  /** Energy: the sum of intervals, or the increase of a counter. */
  kWh: number
  /** Meter that the file or the site determines; null if the user must choose. */
  uid: string | null
}

/** Meaning of a file, complete except for what its questions ask. */
export interface Reading {
  /** Table that was read: that of the file, or turned so that its times are in a column. */
  grid: Grid
  placeOf: PlaceOf
  /** Records of the file that are no rows of the table. */
  skipped: readonly RowProblem[]
  layout: TableLayout
  raw: RawRows
  order: SeriesOrder
  instants: Float64Array
  zone: string
  stamp: 'begin' | 'end'
  kind: ImportKind
  /** Rows in a repeated hour whose order does not tell which of the two it is. */
  ambiguous: ReadonlySet<number>
  series: readonly Series[]
  facts: readonly ReadingFact[]
  questions: readonly Question[]
}

/** Place in the file: line from 1, column from 0, and the sheet if several were read as one table. */
export interface FilePlace {
  line: number
  column: number
  sheet?: string
}

/** Place in the file of a line and a column, both from 0, of the table that was read. */
export type PlaceOf = (line: number, column: number) => FilePlace

/** Reason why a file cannot be read as energy, with a text of the file. */
export type ReadingFault = 'noTime' | 'noValues' | 'notEnergy' | 'severalTables'
export interface ReadingRefused {
  refused: ReadingFault
  text: string
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const YEAR_MS = 365 * DAY_MS
/** Years of two digits are of this many years before now, if only one reading is. */
const RECENT_MS = 15 * YEAR_MS
const OLDEST = Date.UTC(1990, 0, 1)
/** Minimum share of steps of the usual length, or a multiple of it, between the rows of a meter. */
const MIN_REGULAR_SHARE = 0.9
/** Number of rows by which a counter and energy of intervals are told apart. */
const MAX_JUDGED_ROWS = 5_000
/** Minimum number of rising values that are a counter without any word that says so. */
const MIN_SURE_RISES = 20

/** Collects facts with their sources. */
class Facts {
  readonly list: ReadingFact[] = []
  readonly questions: Question[] = []
  readonly #answers: ReadingAnswers
  readonly #profile: ReadingAnswers
  constructor(answers: ReadingAnswers, profile: ReadingAnswers) {
    this.#answers = answers
    this.#profile = profile
  }
  /** The user's answer, which takes precedence over what the file states, if it is valid. */
  answer<T extends string>(fact: ReadingFactName, find: (value: string) => T | undefined): T | undefined {
    return this.#take(fact, find, this.#answers, 'confirmed')
  }
  /** The answer of the profile, which takes precedence over what the file suggests. */
  profile<T extends string>(fact: ReadingFactName, find: (value: string) => T | undefined): T | undefined {
    return this.#take(fact, find, this.#profile, 'profile')
  }
  #take<T extends string>(
    fact: ReadingFactName,
    find: (value: string) => T | undefined,
    from: ReadingAnswers,
    source: FactSource,
  ): T | undefined {
    const value = from[fact]
    const found = value === undefined ? undefined : find(value)
    if (found !== undefined) this.add(fact, found, source, source === 'profile' ? 'profile' : 'user')
    return found
  }
  add(
    Fact: ReadingFactName,
    Value: string,
    Source: FactSource,
    Evidence: string,
    Text = '',
    Column: string | null = null,
  ): void {
    this.list.push({
      Fact,
      Column: Column === null ? null : Column.slice(0, 80),
      Value: Value.slice(0, 120),
      Source,
      Evidence,
      Text: Text.slice(0, 120),
    })
  }
  /** Asks a question, unless another that decides whether it matters is still open. */
  ask(question: Question): void {
    const isKindOpen = this.questions.some(({ fact }) => fact === 'kind')
    if (!isKindOpen || (question.fact !== 'stamp' && question.fact !== 'interval'))
      this.questions.push(question)
    this.add(question.fact, question.suggested, 'assumed', 'open', question.example)
  }
}

/** Scanned rows by format and mark: answers to other questions do not read the file again. */
export type ScanCache = Map<string, RawRows>

/**
 * Reads the meaning of a file from all of its lines.
 *
 * answers  facts that the user has entered, or confirmed for an earlier file of the same layout
 */
export function readMeaning(
  opened: OpenedFile,
  context: ReadingContext,
  answers: ReadingAnswers,
  cache: ScanCache = new Map(),
): Reading | ReadingRefused {
  const turned = opened.joined ? undefined : turnGrid(opened.grid)
  const file = turned ? { ...opened, grid: turned.grid } : opened
  const layout = detectTable(file.grid, file.isDate1904, file.joined?.column)
  if (!layout) return { refused: 'noTime', text: '' }
  if (!layout.matrix && layout.values.length === 0) {
    const [other] = layout.ignored.filter(({ reason }) => reason !== 'otherColumn' && reason !== 'counting')
    return other ? { refused: 'notEnergy', text: other.heading } : { refused: 'noValues', text: '' }
  }
  const facts = new Facts(answers, context.profile ?? {})
  describeFile(file, layout, facts)
  const evidence = markEvidence(file, layout)
  const mark = decideMark(evidence, layout.title, file.delimiter, facts)
  const format = decideFormat(file, layout, mark, context, facts)
  const key = `${format} ${mark}`
  const raw = cache.get(key) ?? scanRows(file.grid, layout, format, mark)
  cache.set(key, raw)
  if (raw.secondTable !== undefined) return { refused: 'severalTables', text: String(raw.secondTable + 1) }
  if (raw.count === 0) {
    const [other] = raw.otherUnits.keys()
    return other ? { refused: 'notEnergy', text: other } : { refused: 'noValues', text: '' }
  }
  const zone = decideZone(layout, raw, context, facts)
  const { instants, changes } = toInstants(raw, zone)
  const isAmbiguous = new Set(changes.ambiguous)
  for (const at of isAmbiguous) instants[at] = Number.NaN
  setEndInstants(raw, instants, zone)
  const order = orderBySeries(raw, instants, (time) => time >= OLDEST && time <= context.now + 2 * DAY_MS)
  const units = raw.sources.map((source) => unitOfSeries(source, layout))
  const steps = raw.sources.map((_, series) => stepOf(order, instants, layout, series))
  const kind = decideKind({ layout, raw, instants, order, units, steps }, facts)
  const step = kind === 'interval' ? decideStep(steps, raw, layout, facts) : undefined
  const unit = decideUnit({ layout, raw, instants, order, kind, units, steps: step ?? steps }, facts)
  const stamp =
    kind === 'interval'
      ? decideStamp({ layout, raw, order, instants, steps: step ?? steps, zone }, context.zone, facts)
      : 'begin'
  const placeOf: PlaceOf = (line, column) => {
    if (turned && line >= turned.dateRow)
      return { line: turned.dateRow + column + 1, column: line - turned.dateRow }
    const sheet = opened.joined?.sheetOf[line]
    return { line: opened.lineOf?.[line] ?? line + 1, column, ...(sheet !== undefined && { sheet }) }
  }
  const reading = {
    grid: file.grid,
    placeOf,
    skipped: skippedOf(opened),
    layout,
    raw,
    order,
    instants,
    zone,
    stamp,
    kind,
    ambiguous: isAmbiguous,
  }
  const series = describeSeries(
    reading,
    unit,
    step ?? steps,
    { ...context, ...meterNamesOf(file, context) },
    facts,
  )
  describeIgnored(layout, raw, facts)
  return { ...reading, series, facts: facts.list, questions: facts.questions }
}

/** Records that a person should know of; values beside the rows and readings beside intervals are none. */
const skippedOf = ({ skipped }: OpenedFile): RowProblem[] =>
  skipped
    .filter(({ reason }) => reason !== 'outsideRows' && reason !== 'indexRead')
    .map(({ line, reason, text }) => ({ line, column: 0, reason, value: text.slice(0, 60) }))

function describeFile(file: OpenedFile, layout: TableLayout, facts: Facts): void {
  facts.add('container', file.container, 'stated', 'bytes')
  if (file.encoding) facts.add('encoding', file.encoding, 'derived', 'bytes')
  if (file.delimiter !== undefined) facts.add('delimiter', file.delimiter, 'derived', 'sameColumns')
  if (file.joined) facts.add('sheet', [...new Set(file.joined.sheetOf)].join(', '), 'derived', 'sameHeadings')
  else if (file.sheets.length > 1) facts.add('sheet', file.sheets[file.sheet] ?? '', 'derived', 'mostRows')
  facts.add('head', String(layout.first), 'derived', 'firstLineWithTime')
  const layoutName = layout.matrix ? 'matrix' : layout.meterColumn === null ? 'columns' : 'rows'
  facts.add('layout', layoutName, 'derived', layout.matrix ? 'timesInHeadings' : 'columnsOfFigures')
}

/** Columns and units that are not read, after the facts that decide the energy: a trace keeps only the first facts. */
function describeIgnored({ ignored }: TableLayout, { otherUnits }: RawRows, facts: Facts): void {
  for (const { heading, column, reason } of ignored)
    facts.add('ignored', reason, 'derived', 'heading', heading, heading || String(column + 1))
  for (const [unit, count] of otherUnits)
    facts.add(
      'ignored',
      ignoredReasonOf(unit) ?? 'otherQuantity',
      'stated',
      'unitColumn',
      `${unit} (${count})`,
    )
}

function markEvidence({ grid }: OpenedFile, layout: TableLayout): MarkEvidence {
  const columns = layout.matrix
    ? layout.matrix.columns.map(({ column }) => column)
    : layout.values.map(({ column }) => column)
  const evidence = noMarkEvidence()
  for (let line = layout.first; line < grid.length; line++) {
    const cells = grid[line]
    if (cells) for (const column of columns) addMarkEvidence(evidence, cells[column])
  }
  return evidence
}

const oneOf =
  <T extends string>(...values: readonly T[]) =>
  (value: string): T | undefined =>
    values.find((each) => each === value)
const decimalMark = oneOf<DecimalMark>('.', ',')
const kindOf = oneOf<ImportKind>('counter', 'interval')
const stampAnswer = oneOf('begin', 'end')
const unitAnswer = oneOf(...(Object.keys(UNITS) as Unit[]))

const DECIMAL_STATED = /decimal\s*(?:mark|point|separator|symbol)?\s*[:=]?\s*(comma|komma|point|dot|period)/i

function decideMark(
  evidence: MarkEvidence,
  title: string,
  delimiter: string | undefined,
  facts: Facts,
): DecimalMark {
  const answer = facts.answer('decimal', decimalMark) ?? facts.profile('decimal', decimalMark)
  if (answer !== undefined) return answer
  const statedMark = DECIMAL_STATED.exec(title)
  if (statedMark) {
    const mark = /comma|komma|逗/i.test(statedMark[1] ?? '') ? ',' : '.'
    facts.add('decimal', mark, 'stated', 'title', statedMark[0])
    return mark
  }
  const { point, comma, openComma, openPoint, examples } = evidence
  if (point > 0 !== comma > 0) {
    const mark = point > 0 ? '.' : ','
    facts.add('decimal', mark, 'derived', 'everyCell', point > 0 ? examples.point : examples.comma)
    return mark
  }
  // Where commas separate the cells, they are no decimal mark.
  if (point === 0 && comma === 0 && openComma === 0 && openPoint > 0 && delimiter === ',') {
    facts.add('decimal', '.', 'derived', 'delimiter', examples.openPoint)
    return '.'
  }
  const open = examples.openComma ?? examples.openPoint
  if (point === 0 && open === undefined) {
    facts.add('decimal', '.', 'derived', 'wholeNumbers')
    return '.'
  }
  // Spreadsheets write a semicolon between cells where the comma is the decimal mark.
  const isComma =
    point === comma
      ? (openComma > 0 && delimiter === ';') || (openComma === 0 && openPoint === 0)
      : comma > point
  const suggested = openPoint > 0 && openComma === 0 ? '.' : isComma ? ',' : '.'
  facts.ask({
    fact: 'decimal',
    example: open ?? examples.comma ?? '',
    options: [
      { value: '.', kWh: null },
      { value: ',', kWh: null },
    ],
    suggested,
  })
  return suggested
}

/** Format of the dates: the one that reads most lines, then the one in which they follow each other most regularly. */
function decideFormat(
  file: OpenedFile,
  layout: TableLayout,
  mark: DecimalMark,
  context: ReadingContext,
  facts: Facts,
): TimeFormat {
  const [onlyFormat = 'ymd', ...others] = layout.time.formats
  const example = exampleTime(file, layout)
  const formatOf = oneOf(...layout.time.formats)
  const answer = facts.answer('dateOrder', formatOf) ?? facts.profile('dateOrder', formatOf)
  if (answer) return answer
  if (others.length === 0) {
    facts.add('dateOrder', onlyFormat, 'derived', 'everyLine', example)
    return onlyFormat
  }
  let candidates = layout.time.formats.map((format) => judgeFormat(file, layout, format))
  const narrow = (isBetter: (candidate: (typeof candidates)[number]) => boolean, evidence: string) => {
    const better = candidates.filter(isBetter)
    if (better.length === 0 || better.length === candidates.length) return undefined
    candidates = better
    if (candidates.length > 1) return undefined
    facts.add('dateOrder', candidates[0]?.format ?? '', 'derived', evidence, example)
    return candidates[0]?.format
  }
  const mostRead = Math.max(...candidates.map(({ read }) => read))
  const fewestBreaks = () => Math.min(...candidates.map(({ breaks }) => breaks))
  const headings = `${layout.title} ${layout.headings.join(' ')}`
  const isDayFirst = mark === ',' || DAY_FIRST_WORDS.test(headings) || /^\d{1,2}\.\d{1,2}\./.test(example)
  const decided =
    narrow(({ read }) => read === mostRead, 'everyLine') ??
    narrow(({ first, last }) => first >= OLDEST && last <= context.now + 2 * DAY_MS, 'notInFuture') ??
    narrow(({ first }) => first >= context.now - RECENT_MS, 'recent') ??
    narrow(({ breaks }) => breaks === fewestBreaks(), 'regular') ??
    (isDayFirst ? narrow(({ format }) => format === 'dmy' || format === 'dmy2', 'language') : undefined)
  if (decided) return decided
  const isMonthFirst = context.zone.startsWith('America/')
  const suggested =
    candidates.find(({ format }) => format.startsWith(isMonthFirst ? 'mdy' : 'dmy'))?.format ??
    candidates[0]?.format ??
    onlyFormat
  facts.ask({
    fact: 'dateOrder',
    example,
    options: candidates.map(({ format }) => ({ value: format, kWh: null })),
    suggested,
  })
  return suggested
}

function exampleTime({ grid }: OpenedFile, { first, time }: TableLayout): string {
  // A date whose parts differ shows the difference between the readings.
  const texts = grid.slice(first, first + 200).map((line) => cellText(line[time.column]))
  return texts.find((text) => /^(\d+)\D(?!\1\D)\d+/.test(text)) ?? texts[0] ?? ''
}

/** Counts the times that a format reads, and the irregular steps between them. */
function judgeFormat({ grid }: OpenedFile, layout: TableLayout, format: TimeFormat) {
  let [read, first, last] = [0, Infinity, -Infinity]
  let previous: number | undefined
  const steps = new Map<number, number>()
  for (let line = layout.first; line < grid.length; line++) {
    const wall = readTime(grid[line] ?? [], layout, format)
    if (typeof wall === 'string') continue
    read++
    first = Math.min(first, wall.utc)
    last = Math.max(last, wall.utc)
    if (previous !== undefined && wall.utc !== previous) {
      // Days and months of any length count as one step each.
      const days = Math.abs(wall.utc - previous) / DAY_MS
      const step = days >= 28 && days <= 31 ? 30 * DAY_MS : Math.abs(wall.utc - previous)
      steps.set(step, (steps.get(step) ?? 0) + 1)
    }
    previous = wall.utc
  }
  const counts = [...steps.values()]
  const breaks = counts.reduce((sum, count) => sum + count, 0) - Math.max(0, ...counts)
  return { format, read, first, last, breaks }
}

const zoneAnswer = (value: string): string | undefined => (isZoneName(value) ? value : undefined)

function decideZone(layout: TableLayout, raw: RawRows, context: ReadingContext, facts: Facts): string {
  const answer = facts.answer('zone', zoneAnswer)
  if (answer !== undefined) return answer
  if (raw.offsets && !raw.offsets.subarray(0, raw.count).some(Number.isNaN)) {
    // Days and months begin in a local zone: the site's, if it has the offsets that the file states.
    const isSite = raw.walls.subarray(0, raw.count).every((wall, at) => {
      const offset = (raw.offsets as Float64Array)[at] as number
      return offset === 0 || zoneOffset(wall - offset, context.zone) === offset
    })
    const zone = isSite ? context.zone : fixedZone(raw.offsets[0] as number)
    facts.add('zone', zone, 'stated', 'everyTime')
    return zone
  }
  const heads = [layout.time.column, layout.time.clockColumn, layout.time.endColumn]
    .map((column) => (column === null ? '' : (layout.headings[column] ?? '')))
    .join(' ')
  const stated = zoneOf(heads) ?? zoneOf(layout.title)
  if (stated) {
    facts.add('zone', stated, 'stated', 'heading', zoneOf(heads) ? heads.trim() : layout.title)
    return stated
  }
  const profile = facts.profile('zone', zoneAnswer)
  if (profile !== undefined) return profile
  const { changes } = toInstants(raw, context.zone)
  return decideLocalZone(changes, raw, context, facts)
}

/** Zone of a file that names none: the site's, unless its hours on days of a clock change show another. */
function decideLocalZone(
  changes: ClockChanges,
  raw: RawRows,
  { zone, now }: ReadingContext,
  facts: Facts,
): string {
  const standard = fixedZone(
    Math.min(zoneOffset(yearStart(now), zone), zoneOffset(yearStart(now) + YEAR_MS / 2, zone)),
  )
  if (changes.skipped > 0 && changes.twice === 0) {
    facts.add('zone', standard, 'derived', 'skippedHour')
    return standard
  }
  if (changes.once > 0 && changes.twice === 0 && !changes.coversSkipped) {
    facts.ask({
      fact: 'zone',
      example: new Date(raw.walls[0] ?? 0).toISOString().slice(0, 10),
      options: [
        { value: zone, kWh: null },
        { value: standard, kWh: null },
      ],
      suggested: zone,
    })
    return zone
  }
  facts.add('zone', zone, 'derived', changes.twice > 0 ? 'repeatedHour' : 'site')
  return zone
}

const yearStart = (now: number): number => Date.UTC(new Date(now).getUTCFullYear(), 0, 1)

const unitOfSeries = (
  { unitText, heading }: RawRows['sources'][number],
  layout: TableLayout,
): Unit | undefined => unitOf(unitText) ?? readHeading(heading).unit ?? titleUnit(layout)

/** Unit above the table, such as 單位：kWh. */
const titleUnit = ({ title, headings, matrix }: TableLayout): Unit | undefined =>
  unitOf(title) ??
  (matrix
    ? unitOf(headings.filter((_, column) => !matrix.columns.some((each) => each.column === column)).join(' '))
    : undefined)

/** Usual step between the rows of a series; undefined if there is none. */
function stepOf(
  { order, spans }: SeriesOrder,
  instants: Float64Array,
  { matrix }: TableLayout,
  series: number,
): Step | undefined {
  if (matrix) return matrix.step
  const span = spans[series]
  if (!span) return undefined
  const counts = new Map<number, number>()
  for (let place = span.from + 1; place < span.to; place++) {
    const step =
      (instants[order[place] as number] as number) - (instants[order[place - 1] as number] as number)
    if (step > 0) counts.set(calendarStep(step), (counts.get(calendarStep(step)) ?? 0) + 1)
  }
  const [usual] = [...counts].toSorted((a, b) => b[1] - a[1])
  if (!usual) return undefined
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const regular = [...counts].reduce((sum, [step, count]) => sum + (step % usual[0] === 0 ? count : 0), 0)
  if (usual[0] < 28 * DAY_MS && regular < MIN_REGULAR_SHARE * total) return undefined
  if (usual[0] === DAY_MS) return 'day'
  return usual[0] === 30 * DAY_MS ? 'month' : usual[0]
}

/** A day of 23 or 25 hours is a day, and 28 to 31 days are a month. */
function calendarStep(step: number): number {
  if (Math.abs(step - DAY_MS) <= HOUR_MS) return DAY_MS
  return step >= 28 * DAY_MS - HOUR_MS && step <= 31 * DAY_MS + HOUR_MS ? 30 * DAY_MS : step
}

interface Sources {
  layout: TableLayout
  raw: RawRows
  instants: Float64Array
  order: SeriesOrder
  units: readonly (Unit | undefined)[]
  steps: readonly (Step | undefined)[]
}

/** Kind of all figures: that which the headings state, unless the figures contradict it. */
function decideKind({ layout, raw, instants, order, units, steps }: Sources, facts: Facts): ImportKind {
  const answer = facts.answer('kind', kindOf)
  if (answer !== undefined) return answer
  if (layout.matrix || layout.time.endColumn !== null || layout.time.endClockColumn !== null) {
    facts.add('kind', 'interval', 'derived', layout.matrix ? 'timesInHeadings' : 'endOfInterval')
    return 'interval'
  }
  if (units.length > 0 && units.every((unit) => unit !== undefined && UNITS[unit].isPower)) {
    facts.add('kind', 'interval', 'stated', 'unit', units[0])
    return 'interval'
  }
  const [ofInterval] = raw.sources.filter(({ heading }) => isIntervalHeading(heading))
  if (ofInterval || (stampOfText(layout.title) && !raw.sources.some(isCounterSource))) {
    facts.add(
      'kind',
      'interval',
      'stated',
      ofInterval ? 'heading' : 'title',
      ofInterval?.heading ?? layout.title,
    )
    return 'interval'
  }
  const profile = facts.profile('kind', kindOf)
  if (profile !== undefined) return profile
  const judged = raw.sources.map((_, series) => judgeSeries(valuesOf(raw, order, series)))
  const counters = judged.filter((each) => each.kind === 'counter').length
  const known = judged.filter((each) => each.kind !== undefined).length
  const likely: ImportKind = known > 0 && counters * 2 > known ? 'counter' : 'interval'
  // A heading that is the name of the meter does not say what is below it.
  const stated = new Set(
    raw.sources.map(({ heading, meterText }) => readHeading(heading).kind ?? readHeading(meterText).kind),
  )
  stated.delete(undefined)
  const [headingKind] = stated.size === 1 ? stated : []
  const heading =
    raw.sources.find((source) => readHeading(source.heading).kind)?.heading ?? raw.sources[0]?.heading ?? ''
  // A counter that says so may stand still for the whole file.
  const mayStandStill = raw.sources.every((source) => isCounterHeading(source.heading))
  const isContradicted = judged.some(
    ({ kind, isSure, isConstant }) => isSure && kind !== headingKind && !(isConstant && mayStandStill),
  )
  if (headingKind && !isContradicted && (known === 0 || headingKind === likely || mayStandStill)) {
    facts.add('kind', headingKind, 'stated', 'heading', heading)
    return headingKind
  }
  // Energy of uneven intervals is unknown, unlike the readings of a counter at any time.
  if (!headingKind && counters > 0 && steps.every((step) => step === undefined)) {
    facts.add('kind', 'counter', 'derived', 'unevenTimes', heading)
    return 'counter'
  }
  const sure = judged.filter(({ isSure }) => isSure)
  if (
    !headingKind &&
    sure.length > 0 &&
    judged.every((each) => each.kind === undefined || each.kind === likely)
  ) {
    facts.add('kind', likely, 'derived', likely === 'counter' ? 'alwaysRises' : 'riseAndFall', heading)
    return likely
  }
  const sums = (kind: ImportKind) =>
    raw.sources.reduce(
      (sum, _, series) =>
        sum + energyOf(raw, instants, order, series, kind, units[series] ?? 'kWh', steps[series]),
      0,
    )
  facts.ask({
    fact: 'kind',
    example: heading,
    options: [
      { value: 'interval', kWh: sums('interval') },
      { value: 'counter', kWh: sums('counter') },
    ],
    suggested: likely,
  })
  return likely
}

const isCounterSource = ({ heading }: RawRows['sources'][number]): boolean =>
  readHeading(heading).kind === 'counter'

/** Kind of a series by its values; `isSure` if no other is possible. */
function judgeSeries(values: readonly number[]): {
  kind: ImportKind | undefined
  isSure: boolean
  isConstant: boolean
} {
  const kind = guessSeriesKind(values)
  const steps = values.slice(1).map((value, at) => value - (values[at] as number))
  const rises = steps.filter((step) => step > 0).length
  // A counter falls when it is replaced, or passes its highest figure: then by most of its value.
  const falls = steps.filter((step, at) => step < (values[at] as number) * -RESET_SHARE).length
  const smallFalls = steps.filter((step) => step < 0).length - falls
  if (kind === 'counter')
    return { kind, isSure: smallFalls === 0 && falls <= 1 && rises >= MIN_SURE_RISES, isConstant: false }
  // As counter readings, values that never rise would hold no energy, and values that fall often are none.
  const isConstant = rises === 0 && values.some((value) => value > 0)
  return { kind, isConstant, isSure: isConstant || (smallFalls >= 2 && smallFalls * 10 >= values.length) }
}

const valuesOf = (raw: RawRows, { order, spans }: SeriesOrder, series: number): number[] => {
  const span = spans[series]
  if (!span) return []
  return Array.from(
    order.subarray(span.from, Math.min(span.to, span.from + MAX_JUDGED_ROWS)),
    (at) => raw.values[at] as number,
  )
}

/** Energy of a series in kWh, read as one kind; a decrease of a counter counts as zero. */
export function energyOf(
  raw: RawRows,
  instants: Float64Array,
  { order, spans }: SeriesOrder,
  series: number,
  kind: ImportKind,
  unit: Unit,
  step: Step | undefined,
): number {
  const span = spans[series]
  if (!span) return 0
  const { factor, isPower } = UNITS[unit]
  let sum = 0
  for (let place = span.from; place < span.to; place++) {
    const at = order[place] as number
    const value = raw.values[at] as number
    const before = order[place - 1]
    // A line that is in the file twice counts once.
    if (
      place > span.from &&
      before !== undefined &&
      instants[before] === instants[at] &&
      raw.values[before] === value
    )
      continue
    if (kind === 'counter')
      sum += place === span.from ? 0 : Math.max(0, value - (raw.values[order[place - 1] as number] as number))
    else sum += isPower ? value * hoursOf(raw, instants[at] as number, at, step) : value
  }
  return sum * factor
}

function hoursOf(raw: RawRows, instant: number, at: number, step: Step | undefined): number {
  if (raw.endInstants) return ((raw.endInstants[at] as number) - instant) / HOUR_MS
  if (step === 'day') return 24
  if (step === 'month') return 24 * 30
  return (step ?? HOUR_MS) / HOUR_MS
}

const STEP_ANSWERS: Readonly<Record<string, Step>> = {
  1: MINUTE_MS,
  5: 5 * MINUTE_MS,
  10: 10 * MINUTE_MS,
  15: 15 * MINUTE_MS,
  20: 20 * MINUTE_MS,
  30: 30 * MINUTE_MS,
  60: HOUR_MS,
  day: 'day',
  month: 'month',
}
export const STEP_VALUES = Object.keys(STEP_ANSWERS)
const stepName = (step: Step): string => (typeof step === 'number' ? String(step / MINUTE_MS) : step)

/** Steps of all series. A series with a single row has that of the others. */
function decideStep(
  steps: readonly (Step | undefined)[],
  raw: RawRows,
  layout: TableLayout,
  facts: Facts,
): (Step | undefined)[] | undefined {
  if (raw.ends) {
    facts.add('interval', 'ownEnd', 'stated', 'endOfInterval')
    return undefined
  }
  const answer =
    facts.answer('interval', oneOf(...STEP_VALUES)) ?? facts.profile('interval', oneOf(...STEP_VALUES))
  if (answer !== undefined) return steps.map(() => STEP_ANSWERS[answer])
  const known = steps.filter((step) => step !== undefined)
  const stated = statedStep(layout)
  // Rows may be missing, but none may be between two others.
  if (stated && known.every((step) => isStepOf(step, stated.step))) {
    facts.add('interval', stepName(stated.step), 'stated', stated.evidence, stated.text)
    return steps.map(() => stated.step)
  }
  const [usual] = known
  if (usual !== undefined) {
    for (const step of new Set(known)) facts.add('interval', stepName(step), 'derived', 'everyStep')
    return steps.map((step) => step ?? usual)
  }
  facts.ask({
    fact: 'interval',
    example: new Date(raw.walls[0] ?? 0).toISOString().slice(0, 16).replace('T', ' '),
    options: STEP_VALUES.map((value) => ({ value, kWh: null })),
    suggested: '15',
  })
  return steps.map(() => 15 * MINUTE_MS)
}

/** Interval that the heading of the times, or a text above the table, states. */
function statedStep(layout: TableLayout) {
  const heading = timeHeading(layout)
  const ofHeading = intervalOf(heading)
  const step = STEP_ANSWERS[ofHeading ?? intervalOfText(layout.title) ?? '']
  if (step === undefined) return undefined
  return ofHeading === undefined
    ? { step, evidence: 'title', text: layout.title }
    : { step, evidence: 'heading', text: heading }
}

/** Whether times in these steps may be those of intervals, some of which are missing. */
function isStepOf(step: Step, interval: Step): boolean {
  const [ms, intervalMs] = [step, interval].map((each) =>
    each === 'day' ? DAY_MS : each === 'month' ? 30 * DAY_MS : each,
  ) as [number, number]
  return typeof interval === 'number' ? ms % intervalMs === 0 : ms >= intervalMs - HOUR_MS
}

/** Units of all series. */
function decideUnit(
  { layout, raw, instants, order, kind, units, steps }: Sources & { kind: ImportKind },
  facts: Facts,
): Unit[] {
  const answer = facts.answer('unit', unitAnswer)
  if (answer !== undefined) return units.map(() => answer)
  for (const [series, unit] of units.entries()) {
    const { heading, unitText, meterText } = raw.sources[series] as RawRows['sources'][number]
    const text = unitOf(unitText) ? unitText : unitOf(heading) ? heading : layout.title
    if (unit && !(raw.sources.length > 12 && series > 0 && unit === units[0]))
      facts.add(
        'unit',
        unit,
        'stated',
        unitOf(unitText) ? 'unitColumn' : unitOf(heading) ? 'heading' : 'title',
        text,
        heading || meterText || null,
      )
  }
  if (units.every((unit) => unit !== undefined)) return units as Unit[]
  const profile = facts.profile('unit', unitAnswer)
  if (profile !== undefined) return units.map((unit) => unit ?? profile)
  const isPower = raw.sources.some(
    ({ heading }, series) => units[series] === undefined && isPowerHeading(heading),
  )
  const suggested: Unit = isPower ? 'kW' : (units.find((unit) => unit !== undefined) ?? 'kWh')
  const open = units.findIndex((unit) => unit === undefined)
  const first = order.order[order.spans[open]?.from ?? 0] ?? 0
  const options = (Object.keys(UNITS) as Unit[]).filter((unit) => kind === 'interval' || !UNITS[unit].isPower)
  facts.ask({
    fact: 'unit',
    example: String(raw.values[first] ?? ''),
    options: options.map((value) => ({
      value,
      kWh: raw.sources.reduce(
        (sum, _, series) =>
          sum + energyOf(raw, instants, order, series, kind, units[series] ?? value, steps[series]),
        0,
      ),
    })),
    suggested,
  })
  return units.map((unit) => unit ?? suggested)
}

/** Whether the times of a file are the starts or the ends of their intervals. */
function decideStamp(
  { layout, raw, order, instants, steps, zone }: Omit<Sources, 'units'> & { zone: string },
  siteZone: string,
  facts: Facts,
): 'begin' | 'end' {
  const answer = facts.answer('stamp', stampAnswer)
  if (answer !== undefined) return answer
  const { matrix, time, headings } = layout
  if (matrix) {
    facts.add('stamp', matrix.stamp, matrix.isStampStated ? 'stated' : 'derived', 'timesInHeadings')
    return matrix.stamp
  }
  if (raw.ends) {
    facts.add(
      'stamp',
      'begin',
      'stated',
      'endOfInterval',
      headings[time.endColumn ?? time.endClockColumn ?? 0],
    )
    return 'begin'
  }
  const heading = timeHeading(layout)
  const stated = stampOf(heading) ?? stampOfText(layout.title)
  if (stated) {
    facts.add(
      'stamp',
      stated,
      'stated',
      stampOf(heading) ? 'heading' : 'title',
      stampOf(heading) ? heading : layout.title,
    )
    return stated
  }
  const profile = facts.profile('stamp', stampAnswer)
  if (profile !== undefined) return profile
  const [step] = steps
  if (typeof step !== 'number') {
    facts.add('stamp', 'begin', 'derived', 'namesItsDay')
    return 'begin'
  }
  const derived =
    stampOfSpan(raw.firstWall, raw.lastWall, step) ??
    stampOfDays(order, instants, step, zone) ??
    stampOfDays(order, instants, step, siteZone)
  if (derived) {
    facts.add('stamp', derived, 'derived', derived === 'end' ? 'endsAtMidnight' : 'beginsAtMidnight')
    return derived
  }
  facts.ask({
    fact: 'stamp',
    example: clockText(instants[order.order[0] ?? 0] ?? 0, zone),
    options: [
      { value: 'begin', kWh: null },
      { value: 'end', kWh: null },
    ],
    suggested: 'begin',
  })
  return 'begin'
}

const timeHeading = ({ time, headings }: TableLayout): string =>
  [time.column, time.clockColumn]
    .map((column) => (column === null ? '' : (headings[column] ?? '')))
    .join(' ')
    .trim()

/** A file begins and ends with whole days: by local times from 00:00 to 23:45, or from 00:15 to 00:00. */
function stampOfSpan(first: number, last: number, step: number): 'begin' | 'end' | undefined {
  const [firstTime, lastTime] = [timeOfDay(first), timeOfDay(last)]
  if (firstTime === 0 && lastTime !== 0) return 'begin'
  if (firstTime === step && lastTime === 0) return 'end'
  return lastTime === DAY_MS - step ? 'begin' : undefined
}
const timeOfDay = (wall: number): number => ((wall % DAY_MS) + DAY_MS) % DAY_MS

/** The same from the rows of each series, if all agree. */
function stampOfDays(
  { order, spans }: SeriesOrder,
  instants: Float64Array,
  step: number,
  zone: string,
): 'begin' | 'end' | undefined {
  const wallOf = (place: number) => {
    const at = instants[order[place] as number] as number
    return at + zoneOffset(at, zone)
  }
  const votes = spans.flatMap(({ from, to }) =>
    to > from ? [stampOfSpan(wallOf(from), wallOf(to - 1), step)] : [],
  )
  return votes.length > 0 && votes.every((each) => each === votes[0]) ? votes[0] : undefined
}

const clockText = (at: number, zone: string): string =>
  new Date(at + zoneOffset(at, zone)).toISOString().slice(11, 16)

/** Reading without its series. */
type ReadingCore = Pick<Reading, 'raw' | 'order' | 'instants' | 'kind' | 'layout'>

/** Texts beside the cells that may name the only meter of a file: its own name, and that of its sheet. */
const meterNamesOf = (file: OpenedFile, { fileName = '' }: ReadingContext) => ({
  fileNames: [file.joined ? '' : (file.sheets[file.sheet] ?? ''), fileName.replace(/\.[^.]*$/, '')],
})

function describeSeries(
  { raw, order, instants, kind }: ReadingCore,
  units: readonly Unit[],
  steps: readonly (Step | undefined)[],
  context: ReadingContext & { fileNames: readonly string[] },
  facts: Facts,
): Series[] {
  const named = metersByName(context.meters)
  const ofFile = context.fileNames
    .map((name) => named.get(normalizeName(name)))
    .find((uid) => uid !== undefined)
  // A file that is named after another meter than that of the page is nobody's.
  const isOtherFile = ofFile !== undefined && context.meter !== undefined && ofFile !== context.meter
  const only = isOtherFile
    ? undefined
    : (context.meter ?? ofFile ?? (context.meters.length === 1 ? context.meters[0]?.uid : undefined))
  const directions = new Set(raw.sources.map(({ direction }) => direction))
  const names = new Set(raw.sources.map(({ meterText, heading }) => meterText || heading))
  return raw.sources.map((source, series) => {
    const { heading, meterText, column, direction, directionText } = source
    const byName = named.get(normalizeName(meterText)) ?? named.get(normalizeName(heading))
    // One meter with its two directions, or one series: the site's only meter, or the one that the user came from.
    const isOne =
      raw.sources.length === 1 ||
      (raw.sources.length === directions.size && (meterText === '' || names.size === 1))
    const base = byName ?? (isOne ? only : undefined)
    const uid =
      base === undefined ? null : direction === 'export' && raw.sources.length > 1 ? `${base}.return` : base
    const isHeadingNeeded = meterText === '' || new Set(raw.sources.map((each) => each.heading)).size > 1
    const name = [meterText, directionText, isHeadingNeeded ? heading : '']
      .filter((text) => text !== '')
      .join(' · ')
    if (uid !== null)
      facts.add(
        'meter',
        uid,
        byName ? 'stated' : 'derived',
        byName ? 'name' : context.meter ? 'page' : ofFile ? 'fileName' : 'onlyMeter',
        name,
        name || null,
      )
    const { from, to } = order.spans[series] as SeriesOrder['spans'][number]
    return {
      name,
      column,
      direction,
      unit: units[series] ?? 'kWh',
      step: kind === 'counter' ? undefined : steps[series],
      rows: to - from,
      from: instants[order.order[from] as number] ?? 0,
      through: instants[order.order[to - 1] as number] ?? 0,
      kWh: energyOf(raw, instants, order, series, kind, units[series] ?? 'kWh', steps[series]),
      uid,
    }
  })
}

/** Normalized name for comparison: width, case and surrounding blanks are ignored. */
export const normalizeName = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/**
 * Meters by id and by name, also as files and sheets of an export are named after them; a name shared by two meters identifies none.
 */
export function metersByName(meters: readonly MeterName[]): Map<string, string | undefined> {
  const byName = new Map<string, string | undefined>()
  const set = (name: string, uid: string) => {
    const known = byName.get(name)
    byName.set(name, byName.has(name) && known !== uid ? undefined : uid)
  }
  const list = meters.map(({ uid, name }) => ({ PeripheralUID: uid, PeripheralName: name }))
  const [files, sheets] = [FILE_NAME, SHEET_NAME].map((length) => disambiguateNames(list, length))
  for (const [at, { uid, name }] of meters.entries())
    for (const text of new Set([name, safeFileName(files?.[at] ?? ''), ...sheetNames([sheets?.[at] ?? ''])]))
      set(normalizeName(text), uid)
  for (const { uid } of meters) byName.set(normalizeName(uid), uid)
  byName.delete('')
  return byName
}
