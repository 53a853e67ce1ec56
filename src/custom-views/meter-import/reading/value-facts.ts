import type { ImportKind } from '../../../../contract/meters/meter-import.ts'
import type { OpenedFile } from '../../../lib/spreadsheet/grid.ts'
import { type Facts, oneOf } from './facts.ts'
import { guessSeriesKind, RESET_SHARE } from './guess-kind.ts'
import {
  isCounterHeading,
  isIntervalHeading,
  isPowerHeading,
  readHeading,
  stampOfText,
  type Unit,
  unitOf,
  UNITS,
} from './headings.ts'
import type { TableLayout } from './layout.ts'
import { addMarkEvidence, type DecimalMark, type MarkEvidence, noMarkEvidence } from './numbers.ts'
import type { RawRows, SeriesOrder } from './rows.ts'
import { HOUR_MS, type Step } from './time.ts'

/** Number of rows by which a counter and energy of intervals are told apart. */
const MAX_JUDGED_ROWS = 5_000

/** Minimum number of rising values that are a counter without any word that says so. */
const MIN_SURE_RISES = 20

export interface Sources {
  layout: TableLayout
  raw: RawRows
  instants: Float64Array
  order: SeriesOrder
  units: readonly (Unit | undefined)[]
  steps: readonly (Step | undefined)[]
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

const decimalMark = oneOf<DecimalMark>('.', ',')

const kindOf = oneOf<ImportKind>('counter', 'interval')

const unitAnswer = oneOf(...(Object.keys(UNITS) as Unit[]))

const DECIMAL_STATED = /decimal\s*(?:mark|point|separator|symbol)?\s*[:=]?\s*(comma|komma|point|dot|period)/i

export function decideMark(
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
  const { point, comma, openComma, openPoint, small, examples } = evidence
  if (point > 0 !== comma > 0) {
    const mark = point > 0 ? '.' : ','
    facts.add('decimal', mark, 'derived', 'everyCell', point > 0 ? examples.point : examples.comma)
    return mark
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

export const unitOfSeries = (
  { unitText, heading }: RawRows['sources'][number],
  layout: TableLayout,
): Unit | undefined => unitOf(unitText) ?? readHeading(heading).unit ?? titleUnit(layout)

/** Unit above the table, such as 單位：kWh. */
const titleUnit = ({ title, headings, matrix }: TableLayout): Unit | undefined =>
  unitOf(title) ??
  (matrix
    ? unitOf(headings.filter((_, column) => !matrix.columns.some((each) => each.column === column)).join(' '))
    : undefined)

/** Kind of all figures: that which the headings state, unless the figures contradict it. */
export function decideKind(
  { layout, raw, instants, order, units, steps }: Sources,
  facts: Facts,
): ImportKind {
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

/** Units of all series. */
export function decideUnit(
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
