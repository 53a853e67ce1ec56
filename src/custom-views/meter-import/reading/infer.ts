import type { ImportKind } from '../../../../contract/meters/meter-import.ts'
import type { ReadingAnswers, ReadingFact } from '../../../../contract/meters/import-reading.ts'
import { DAY_MS } from '../../../../contract/time/periods.ts'
import type { Grid, OpenedFile } from '../../../lib/spreadsheet/grid.ts'
import type { Classification } from './counters.ts'
import { exampleOf, Facts, oneOfValues, type Question, type ReadingContext } from './facts.ts'
import { columnName } from '../../../lib/spreadsheet/column-name.ts'
import { confirmDirections, type DirectionAnswer, directionAnswer, withDirections } from './directions.ts'
import { ignoredReasonOf } from './headings.ts'
import { detectTable, type TableLayout } from './layout.ts'
import { joinDateParts, turnGrid } from './turned-grid.ts'
import { confirmMultiplier, findMultiplier, multiplierAnswer, multiplyRows, scaleRows } from './multiplier.ts'
import { splitSigns } from './row-signs.ts'
import { rejectSums } from './row-sums.ts'
import type { DecimalMark } from './numbers.ts'
import { roundTimes } from './off-step.ts'
import { orderBySeries, type RawRows, type RowProblem, scanRows, type SeriesOrder } from './rows.ts'
import { endInstantsOf, toInstants } from './instants.ts'
import type { TimeFormat } from './time.ts'
import { NAME_ANSWERS, type NameAnswer } from './meter-columns.ts'
import { createIsMeter, describeSeries, meterNamesOf, type Series } from './series.ts'
import { changingLengths, decideStep, usualStepOf } from './step-facts.ts'
import {
  calendarZoneOf,
  decideFormat,
  decideReadingEnd,
  decideStamp,
  decideZone,
  earlyMs,
  exampleTime,
  hasTwelveHours,
  isClockWritten,
  OLDEST,
  resolveZoneLetters,
  swappedDate,
} from './time-facts.ts'
import {
  decideKind,
  decideMark,
  decideUnit,
  classifySeries,
  energyOfAll,
  markEvidence,
  type Sources,
  statedUnit,
  unitChange,
} from './value-facts.ts'

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
  /** Timestamp of each row, and of the end of its interval if the file has a column for it. */
  instants: Float64Array
  endInstants: Float64Array | undefined
  /** Lengths of the intervals in ms, if they differ within the file. */
  lengths: Float64Array | undefined
  zone: string
  /** Zone whose days and months those of the file are. */
  calendarZone: string
  stamp: 'begin' | 'end'
  kind: ImportKind
  classifications: readonly Classification[]
  /** Series whose rows have no regular step. */
  uneven: ReadonlySet<number>
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
export type ReadingFault =
  | 'noTime'
  | 'noValues'
  | 'notEnergy'
  | 'severalTables'
  | 'sideBySide'
  | 'moreCells'
  | 'irregular'
  | 'unitChanges'
  | 'swappedDates'
  | 'twelveHours'
export interface ReadingRefused {
  refused: ReadingFault
  text: string
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
  const grid = joinDateParts(opened.grid)
  const turned = opened.joined ? undefined : turnGrid(grid)
  const file = { ...opened, grid: turned?.grid ?? grid }
  const chosen: ReadingAnswers = { ...context.profile, ...answers }
  const names = { answer: nameAnswer(chosen.ignored ?? ''), isMeter: createIsMeter(context.meters) }
  const layout = detectTable(file.grid, file.isDate1904, file.joined?.column, file.delimiter, names)
  if (!layout) return { refused: 'noTime', text: '' }
  const unreadable = refusalOfTable(layout)
  if (unreadable) return unreadable
  const facts = new Facts(answers, context.profile ?? {})
  describeFile(file, layout, facts)
  const evidence = markEvidence(file, layout)
  const mark = decideMark(evidence, layout, file.delimiter, facts)
  const format = decideFormat(file, layout, mark, context, facts)
  const ofDirections = directionAnswer(chosen.direction ?? '')
  const key = `${format} ${mark} ${ofDirections} ${names.answer}`
  const scanned = cache.get(key) ?? readRows(file.grid, layout, format, mark, context, ofDirections)
  cache.set(key, scanned)
  const directed = scaleRows(resolveZoneLetters(scanned, context.zone), layout)
  const multiplier = findMultiplier(file.grid, layout, directed)
  const answer = multiplier && multiplierAnswer(facts)
  let raw = multiplier && answer === 'multiply' ? multiplyRows(directed, multiplier.factorOf) : directed
  const refusal = refusalOfRows(scanned, layout)
  if (refusal) return refusal
  confirmWords(layout, raw, facts)
  if (raw.offStepMs !== undefined)
    facts.add('time', 'rounded', 'derived', 'offStep', String(Math.ceil(raw.offStepMs / 1_000)))
  const zone = decideZone(layout, raw, context, facts)
  const { instants, changes } = toInstants(raw, zone)
  const isAmbiguous = new Set(changes.ambiguous)
  for (const at of isAmbiguous) instants[at] = Number.NaN
  const order = orderBySeries(raw, instants, (time) => time >= OLDEST && time <= context.now + 2 * DAY_MS)
  const sources: Sources = {
    layout,
    raw,
    instants,
    endInstants: endInstantsOf(raw, instants, zone),
    lengths: undefined,
    order,
    units: raw.sources.map((source) => statedUnit(source, layout)?.value.unit),
    steps: raw.sources.map((_, series) => usualStepOf(order, instants, layout, series, [zone, context.zone])),
    classifications: classifySeries(raw, order, instants, context.zone),
    uneven: new Set<number>(),
  }
  const kind = decideKind(sources, facts)
  const decided = kind === 'interval' ? decideStep(sources, facts) : undefined
  if (decided?.areBills) return { refused: 'irregular', text: exampleTime(file, layout) }
  const { steps = sources.steps, uneven = sources.uneven } = decided ?? {}
  const lengthsBy = (end: 'begin' | 'end') =>
    decided?.isChanging ? changingLengths(sources, end) : undefined
  const known = { ...sources, kind, steps, uneven, lengths: lengthsBy('begin') }
  const unit = decideUnit(known, facts)
  const changed = kind === 'interval' ? unitChange(sources) : undefined
  if (changed !== undefined) return { refused: 'unitChanges', text: String(changed + 1) }
  if (multiplier && answer === undefined) {
    const kWhOf = (rows: RawRows) => energyOfAll({ ...known, raw: rows }, unit)
    raw = confirmMultiplier(multiplier, raw, kind === 'counter', kWhOf, facts)
  }
  const stamp =
    kind === 'interval'
      ? decideStamp({ ...known, zone }, context.zone, isClockWritten(file, layout, format), facts)
      : raw.ends
        ? decideReadingEnd(raw, facts)
        : 'begin'
  const calendarZone = calendarZoneOf(order, instants, zone, context.zone)
  const early = stamp === 'end' ? earlyMs(raw, layout) : 0
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
    instants: early > 0 ? instants.map((at) => at + early) : instants,
    endInstants: known.endInstants,
    lengths: lengthsBy(stamp),
    zone,
    calendarZone,
    stamp,
    kind,
    classifications: sources.classifications,
    uneven,
    ambiguous: isAmbiguous,
  }
  const series = describeSeries(reading, unit, steps, { ...context, ...meterNamesOf(file, context) }, facts)
  describeIgnored(layout, raw, facts)
  return { ...reading, series, facts: facts.list, questions: facts.questions }
}

const nameAnswer = oneOfValues<NameAnswer>(...NAME_ANSWERS)

/** Asks about words that may be parts of names. */
function confirmWords(layout: TableLayout, raw: RawRows, facts: Facts): void {
  confirmNames(layout, raw, facts)
  if (raw.openDirections) confirmDirections(raw.openDirections, facts)
}

/** Asks whether headings and names with a word of something else are names of meters, unless the user has answered it. */
function confirmNames({ openNames, areNamesRead }: TableLayout, raw: RawRows, facts: Facts): void {
  const texts = [...new Set([...openNames.map(({ heading }) => heading), ...raw.openNames])]
  if (texts.length === 0) return
  if (facts.answer('ignored', nameAnswer) ?? facts.profile('ignored', nameAnswer)) return
  facts.ask({
    fact: 'ignored',
    example: exampleOf(texts),
    options: NAME_ANSWERS.map((value) => ({ value, kWh: null })),
    suggested: areNamesRead ? 'read' : 'leave',
  })
}

/** Reason why the structure of a file has no energy that can be read. */
function refusalOfTable({ matrix, values, ignored, sideBySide }: TableLayout): ReadingRefused | undefined {
  if (!matrix && values.length === 0) {
    const [other] = ignored.filter(({ reason }) => reason !== 'otherColumn' && reason !== 'counting')
    return other ? { refused: 'notEnergy', text: other.heading } : { refused: 'noValues', text: '' }
  }
  return sideBySide === undefined ? undefined : { refused: 'sideBySide', text: columnName(sideBySide) }
}

/** Reason why the rows of a file cannot be read. */
function refusalOfRows(raw: RawRows, layout: TableLayout): ReadingRefused | undefined {
  if (raw.secondTable !== undefined) return { refused: 'severalTables', text: String(raw.secondTable + 1) }
  if (raw.count === 0) {
    const [other] = [...raw.otherUnits.keys(), ...raw.bothSigns]
    const [wide] = raw.problems.listed.filter(({ reason }) => reason === 'moreCells')
    if (wide) return { refused: 'moreCells', text: String(wide.line + 1) }
    return other ? { refused: 'notEnergy', text: other } : { refused: 'noValues', text: '' }
  }
  const swapped = swappedDate(raw, layout)
  if (swapped !== undefined) return { refused: 'swappedDates', text: swapped }
  return hasTwelveHours(raw) ? { refused: 'twelveHours', text: '' } : undefined
}

/** Rows of a file without those that are sums of others, and without signs that say the direction. */
function readRows(
  grid: Grid,
  layout: TableLayout,
  format: TimeFormat,
  mark: DecimalMark,
  { meters }: ReadingContext,
  answer: DirectionAnswer | undefined,
): RawRows {
  const raw = scanRows(grid, layout, format, mark)
  roundTimes(raw)
  rejectSums(raw)
  const { sources, open } = withDirections(raw.sources, meters, answer)
  raw.sources = sources
  raw.openDirections = open
  splitSigns(raw)
  return raw
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
function describeIgnored(
  { ignored, sheetColumn }: TableLayout,
  { otherUnits, bothSigns }: RawRows,
  facts: Facts,
): void {
  // The column with the names of joined sheets is none of the file.
  for (const { heading, column, reason } of ignored.filter((each) => each.column !== sheetColumn))
    facts.add('ignored', reason, 'derived', 'heading', heading, heading || String(column + 1))
  for (const name of bothSigns) facts.add('ignored', 'bothSigns', 'derived', 'heading', name, name)
  for (const [unit, count] of otherUnits)
    facts.add(
      'ignored',
      ignoredReasonOf(unit) ?? 'otherQuantity',
      'stated',
      'unitColumn',
      `${unit} (${count})`,
    )
}
