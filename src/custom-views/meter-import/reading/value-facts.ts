import type { ImportKind } from '../../../../contract/meters/meter-import.ts'
import type { OpenedFile } from '../../../lib/spreadsheet/grid.ts'
import { type Facts, oneOfValues } from './facts.ts'
import {
  continueRestarts,
  findGlitches,
  findSentinels,
  findUnitChange,
  type Classification,
  classifyFigures,
} from './counters.ts'
import {
  isCounterHeading,
  isOfDayHeading,
  isIntervalHeading,
  DAY_FIRST_WORDS,
  isEnergyHeading,
  isMeanHeading,
  isPowerHeading,
  type Measure,
  measureOf,
  readHeading,
  stampOfText,
  type Unit,
  UNITS,
} from './headings.ts'
import type { TableLayout } from './layout.ts'
import { addMarkEvidence, type DecimalMark, type MarkEvidence, noMarkEvidence } from './numbers.ts'
import type { RawRows, RowFault, SeriesOrder } from './rows.ts'
import { titleMeasure, type TitleStatement } from './title.ts'
import { HOUR_MS, type Step, zoneOffset } from './time.ts'

/** Number of rows by which a counter and energy of intervals are told apart. */
const MAX_CLASSIFIED_ROWS = 5_000

/** Rows of a file by series, from which facts are derived. */
export interface Sources {
  layout: TableLayout
  raw: RawRows
  instants: Float64Array
  /** Timestamps of the ends of intervals, if the file has a column for them. */
  endInstants: Float64Array | undefined
  /** Lengths of the intervals in ms, if they differ within the file. */
  lengths: Float64Array | undefined
  order: SeriesOrder
  units: readonly (Unit | undefined)[]
  steps: readonly (Step | undefined)[]
  classifications: readonly Classification[]
  /** Series whose rows have no regular step. */
  uneven: ReadonlySet<number>
}

export function markEvidence({ grid }: OpenedFile, layout: TableLayout): MarkEvidence {
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

const decimalMark = oneOfValues<DecimalMark>('.', ',')

const kindOf = oneOfValues<ImportKind>('counter', 'interval')

const unitAnswer = oneOfValues(...(Object.keys(UNITS) as Unit[]))

const DECIMAL_STATED = /decimal\s*(?:mark|point|separator|symbol)?\s*[:=]?\s*(comma|komma|point|dot|period)/i

/**
 * Decimal mark of figures with commas only, by the language of a file: Chinese and Japanese have no decimal comma, and semicolons are
 * between the cells where a program uses one.
 */
function markOfLanguage(words: string, delimiter: string | undefined): DecimalMark | undefined {
  if (delimiter === ';') return DAY_FIRST_WORDS.test(words) ? ',' : undefined
  return /[\u3040-\u30ff\u4e00-\u9fff]/.test(words) ? '.' : undefined
}

export function decideMark(
  evidence: MarkEvidence,
  { title, headings }: TableLayout,
  delimiter: string | undefined,
  facts: Facts,
): DecimalMark {
  const words = `${title} ${headings.join(' ')}`
  const answer = facts.answer('decimal', decimalMark) ?? facts.profile('decimal', decimalMark)
  if (answer !== undefined) return answer
  const statedMark = DECIMAL_STATED.exec(title)
  if (statedMark) {
    const mark = /comma|komma|逗/i.test(statedMark[1] ?? '') ? ',' : '.'
    facts.add('decimal', mark, 'stated', 'title', statedMark[0])
    return mark
  }
  const { point, comma, openComma, openPoint, small, examples } = evidence
  if (point > 0 !== comma > 0) {
    const mark = point > 0 ? '.' : ','
    facts.add('decimal', mark, 'derived', 'everyCell', point > 0 ? examples.point : examples.comma)
    return mark
  }
  if (point === 0 && openPoint === 0 && openComma > 0) {
    const mark = markOfLanguage(words, delimiter)
    if (mark !== undefined) {
      facts.add('decimal', mark, 'derived', 'language', examples.openComma)
      return mark
    }
  }
  // Where commas separate the cells, they are no decimal mark; 987 in addition to 1.234 may be less than a thousand.
  if (point === 0 && comma === 0 && openComma === 0 && openPoint > 0 && small === 0 && delimiter === ',') {
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

/** Unit that the file states for a series, with the text that states it. */
export function statedUnit(
  { unitText, heading, directionText }: RawRows['sources'][number],
  { titleLines, headings, matrix, time }: TableLayout,
): (TitleStatement<Measure> & { evidence: 'unitColumn' | 'heading' | 'title' }) | undefined {
  const ofCell = measureOf(unitText)
  if (ofCell) return { value: ofCell, text: unitText, evidence: 'unitColumn' }
  const ofRegister = measureOf(directionText)
  if (ofRegister) return { value: ofRegister, text: directionText, evidence: 'unitColumn' }
  const ofHeading = measureOf(heading)
  if (ofHeading) return { value: ofHeading, text: heading, evidence: 'heading' }
  const ofTitle = titleMeasure(titleLines)
  if (ofTitle) return { ...ofTitle, evidence: 'title' }
  // Headings of a table of days are times; the others say what the figures are.
  // The heading of the times may say what all figures are, as in the corner of a table that is turned.
  const others = matrix
    ? headings.filter((_, column) => !matrix.columns.some((each) => each.column === column))
    : [headings[time.column] ?? '']
  const found = others.flatMap((text) => {
    const value = readHeading(text).ignored === undefined ? measureOf(text) : undefined
    return value ? [{ value, text, evidence: 'heading' as const }] : []
  })
  return found.every(({ value }) => value.unit === found[0]?.value.unit) ? found[0] : undefined
}

/** Kind of all figures: that which the headings state, unless the figures contradict it. */
export function decideKind(sources: Sources, facts: Facts): ImportKind {
  const { layout, raw, units, steps, classifications } = sources
  const answer = facts.answer('kind', kindOf)
  if (answer !== undefined) return answer
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
  const known = classifications.filter((each) => each.kind !== undefined)
  const counters = classifications.filter((each) => each.kind === 'counter' || each.isCounterLike).length
  const likely: ImportKind = counters * 2 > Math.max(1, known.length) ? 'counter' : 'interval'
  const stated = statedKind(sources)
  // "Today's yield" of each hour may be that of the hour, or that of the day so far.
  const isOfDay =
    raw.sources.some(({ heading }) => isOfDayHeading(heading)) &&
    steps.some((step) => typeof step === 'number') &&
    !classifications.every((each) => each.isSure && each.kind === 'interval')
  if (isOfDay && classifications.every((each) => each.isDaily) && stated?.kind !== 'interval') {
    facts.add('kind', 'counter', 'derived', 'fallsAtMidnight', raw.sources[0]?.heading)
    return 'counter'
  }
  if (
    stated &&
    !(isOfDay && stated.kind === 'interval') &&
    !classifications.some((each) => contradicts(each, stated.kind)) &&
    (known.length === 0 || stated.kind === likely || stated.isOutright)
  ) {
    facts.add('kind', stated.kind, stated.source, stated.evidence, stated.text)
    return stated.kind
  }
  const heading = stated?.text ?? raw.sources[0]?.heading ?? ''
  // Energy of uneven intervals is unknown, unlike the readings of a counter at any time.
  if (!stated && counters > 0 && steps.every((step) => step === undefined)) {
    facts.add('kind', 'counter', 'derived', 'unevenTimes', heading)
    return 'counter'
  }
  const areFalling = classifications.length > 0 && classifications.every((each) => each.fallsOften)
  if (
    (!stated || areFalling) &&
    classifications.some(({ isSure }) => isSure) &&
    !classifications.some((each) => contradicts(each, likely))
  ) {
    facts.add('kind', likely, 'derived', likely === 'counter' ? 'alwaysRises' : 'riseAndFall', heading)
    return likely
  }
  facts.ask({
    fact: 'kind',
    example: heading,
    options: (['interval', 'counter'] as const).map((value) => ({
      value,
      kWh: energyOfAll({ ...sources, kind: value }, units),
    })),
    suggested: likely,
  })
  return likely
}

/** Kind that the headings state, or that ends of intervals suggest. A heading that names the meter does not say what is below it. */
function statedKind({ layout, raw }: Sources) {
  const headingOf = ({ heading, meterText }: RawRows['sources'][number]) =>
    [heading, meterText].find((text) => readHeading(text).kind !== undefined)
  const kinds = new Set(raw.sources.map((source) => readHeading(headingOf(source) ?? '').kind))
  kinds.delete(undefined)
  const [kind] = kinds
  if (kinds.size > 1) return undefined
  if (kind) {
    const text = raw.sources.map(headingOf).find((each) => each !== undefined) ?? ''
    const isOutright = raw.sources.every((source) => isCounterHeading(headingOf(source) ?? ''))
    return { kind, isOutright, source: 'stated', evidence: 'heading', text } as const
  }
  if (!layout.matrix && !raw.ends) return undefined
  const evidence = layout.matrix ? 'timesInHeadings' : 'endOfInterval'
  return { kind: 'interval', isOutright: false, source: 'derived', evidence, text: '' } as const
}

/** Whether the figures of a series speak against a kind. */
const contradicts = ({ kind, isSure, isCounterLike }: Classification, other: ImportKind): boolean =>
  other === 'interval' ? (isSure && kind === 'counter') || isCounterLike : isSure && kind === 'interval'

const isCounterSource = ({ heading }: RawRows['sources'][number]): boolean =>
  readHeading(heading).kind === 'counter'

/** Judges the figures of each series by their local times. */
export const classifySeries = (
  raw: RawRows,
  { order, spans }: SeriesOrder,
  instants: Float64Array,
  zone: string,
): Classification[] =>
  spans.map((span) => {
    const rows = Array.from(order.subarray(span.from, Math.min(span.to, span.from + MAX_CLASSIFIED_ROWS)))
    const figures = rows.map((at) => raw.values[at] as number)
    // The days of a file in UTC are those of the site.
    const walls = rows.map((at) =>
      raw.offsets
        ? (instants[at] as number) + zoneOffset(instants[at] as number, zone)
        : (raw.walls[at] as number) + (raw.elapsed?.[at] ?? 0),
    )
    return classifyFigures(figures, walls)
  })

/** Rows of a series by time with their figures, of which those in `faults` do not count. */
export interface UsableRows {
  rows: Uint32Array
  /** Figures of the rows, in the unit of the file; a counter that begins at zero again and again goes on over its resets. */
  values: ArrayLike<number>
  /** Reasons by place in `rows`. */
  faults: ReadonlyMap<number, RowFault>
}

type SeriesRows = Pick<Sources, 'raw' | 'order' | 'classifications' | 'uneven'> & { kind: ImportKind }

/** Rows of a series that are read as one kind. */
export function usableRows(
  { raw, order, classifications, uneven, kind }: SeriesRows,
  series: number,
): UsableRows {
  const span = order.spans[series] ?? { from: 0, to: 0 }
  const rows = order.order.subarray(span.from, span.to)
  const values = Float64Array.from(rows, (at) => raw.values[at] as number)
  const classification = classifications[series]
  const faultsOf = (places: Iterable<number>, fault: RowFault) =>
    new Map(Array.from(places, (place) => [place, fault]))
  // In a file of both kinds, figures that can only be of the other one are left out.
  const isMixed = classifications.some((each) => each.isSure && each.kind === kind)
  if (isMixed && classification?.isSure && classification.kind !== kind)
    return { rows, values, faults: faultsOf(rows.keys(), kind === 'counter' ? 'notCounter' : 'isCounter') }
  if (kind === 'interval' && uneven.has(series))
    return { rows, values, faults: faultsOf(rows.keys(), 'uneven') }
  if (kind === 'interval') return { rows, values, faults: faultsOf(findSentinels(values), 'sentinel') }
  const glitches = raw.areValidated ? NO_PLACES : findGlitches(values)
  return {
    rows,
    values: classification?.hasRestarts ? continueRestarts(values, glitches) : values,
    faults: faultsOf(glitches, 'glitch'),
  }
}
const NO_PLACES: ReadonlySet<number> = new Set()

type RowTimes = Pick<Sources, 'instants' | 'endInstants' | 'lengths'>

/** Energy of a series in kWh, read as one kind; a decrease of a counter counts as zero. */
export function energyOf(
  sources: SeriesRows & RowTimes,
  series: number,
  unit: Unit,
  step: Step | undefined,
): number {
  const { instants, kind } = sources
  const { rows, values, faults } = usableRows(sources, series)
  const { factor, isPower } = UNITS[unit]
  let sum = 0
  let before = -1
  for (const [place, at] of rows.entries()) {
    if (faults.has(place)) continue
    const value = values[place] as number
    // A line that is in the file twice counts once.
    const isRepeated =
      before >= 0 && instants[rows[before] as number] === instants[at] && values[before] === value
    if (kind === 'interval') {
      if (!isRepeated) sum += isPower ? value * hoursOf(sources, at, step) : value
    } else if (before >= 0) sum += Math.max(0, value - (values[before] as number))
    before = place
  }
  return sum * factor
}

/** Energy of all series; those without a unit are read in kWh. */
export const energyOfAll = (
  sources: Sources & { kind: ImportKind },
  units: readonly (Unit | undefined)[],
): number =>
  units.reduce(
    (sum, unit, series) => sum + energyOf(sources, series, unit ?? 'kWh', sources.steps[series]),
    0,
  )

function hoursOf({ instants, endInstants, lengths }: RowTimes, at: number, step: Step | undefined): number {
  if (endInstants) return ((endInstants[at] as number) - (instants[at] as number)) / HOUR_MS
  if (lengths) return (lengths[at] as number) / HOUR_MS
  if (step === 'day') return 24
  if (step === 'month') return 24 * 30
  return (step ?? HOUR_MS) / HOUR_MS
}

/** Line from which the figures of an interval are a thousand times as high or as low; undefined if there is none. */
export function unitChange({ raw, order }: Sources): number | undefined {
  for (const { from, to } of order.spans) {
    const rows = order.order.subarray(from, to)
    const place = findUnitChange(Float64Array.from(rows, (at) => raw.values[at] as number))
    if (place !== undefined) return raw.lines[rows[place] as number]
  }
  return undefined
}

const isPowerUnit = (unit: Unit | undefined): boolean => unit !== undefined && UNITS[unit].isPower

/** Whether a heading begins with a unit, as a name may ("MW Hall"), and the title states another. */
function isContradicted(heading: string, unit: Unit | undefined, { titleLines }: TableLayout): boolean {
  const ofTitle = titleMeasure(titleLines)?.value.unit
  if (unit === undefined || ofTitle === undefined || unit === ofTitle) return false
  const words = heading.trim().split(/\s+/)
  return measureOf(words[0] ?? '')?.unit === unit && words.length > 1 && !measureOf(words.slice(1).join(' '))
}

/** Units of all series. */
export function decideUnit(sources: Sources & { kind: ImportKind }, facts: Facts): Unit[] {
  const { layout, raw, order, kind, units: statedUnits, steps } = sources
  // Power of a whole day or month is as often its maximum, and "energy (kW)" of shorter intervals as often kWh.
  const isDoubtful = (series: number) => {
    const { heading = '' } = raw.sources[series] ?? {}
    if (isContradicted(heading, statedUnits[series], layout)) return true
    if (!isPowerUnit(statedUnits[series]) || isMeanHeading(heading)) return false
    return typeof steps[series] === 'string' || (steps[series] !== HOUR_MS && isEnergyHeading(heading))
  }
  const units = statedUnits.map((unit, series) => (isDoubtful(series) ? undefined : unit))
  const answer = facts.answer('unit', unitAnswer)
  const isComplete = units.every((unit) => unit !== undefined)
  // The question is about the series without a unit; the units of a complete file can be replaced.
  if (answer !== undefined) return units.map((unit) => (isComplete ? answer : (unit ?? answer)))
  for (const [series, unit] of units.entries()) {
    const source = raw.sources[series] as RawRows['sources'][number]
    const stated = statedUnit(source, layout)
    if (unit && stated && !(raw.sources.length > 12 && series > 0 && unit === units[0]))
      facts.add(
        'unit',
        unit,
        'stated',
        stated.evidence,
        stated.text,
        source.heading || source.meterText || null,
      )
  }
  if (units.every((unit) => unit !== undefined)) return units as Unit[]
  const profile = facts.profile('unit', unitAnswer)
  if (profile !== undefined) return units.map((unit) => unit ?? profile)
  const isPower = raw.sources.some(
    ({ heading }, series) => units[series] === undefined && isPowerHeading(heading),
  )
  const suggested: Unit =
    statedUnits.find((unit, series) => unit && units[series] === undefined) ??
    (isPower ? 'kW' : (units.find((unit) => unit !== undefined) ?? 'kWh'))
  const open = units.findIndex((unit) => unit === undefined)
  const first = order.order[order.spans[open]?.from ?? 0] ?? 0
  const options = (Object.keys(UNITS) as Unit[]).filter((unit) => kind === 'interval' || !UNITS[unit].isPower)
  // Each unit is a factor of the same two sums.
  const sumWhere = (isAsked: boolean, unit?: Unit) =>
    units.reduce(
      (sum, each, series) =>
        (each === undefined) === isAsked
          ? sum + energyOf(sources, series, each ?? unit ?? 'kWh', steps[series])
          : sum,
      0,
    )
  const [knownKwh, openAsEnergy] = [sumWhere(false), sumWhere(true, 'kWh')]
  const openAsPower = kind === 'interval' ? sumWhere(true, 'kW') : 0
  facts.ask({
    fact: 'unit',
    example: String(raw.values[first] ?? ''),
    options: options.map((value) => ({
      value,
      kWh: knownKwh + (UNITS[value].isPower ? openAsPower : openAsEnergy) * UNITS[value].factor,
    })),
    suggested,
  })
  return units.map((unit) => unit ?? suggested)
}
