import type { Cell } from '../../../lib/spreadsheet/grid.ts'
import { MIN_NUMBER_SHARE, MIN_NUMBERS, MIN_SHARE, SAMPLED_LINES } from './grid-sample.ts'
import {
  areDirections,
  type HeadingMeaning,
  type IgnoredReason,
  ignoredReasonOf,
  isOtherUnit,
  isPowerHeading,
  isQualityHeading,
  isUnitAlone,
  nameInIgnored,
  readHeading,
  UNIT_HEAD,
  unitOf,
  UNITS,
} from './headings.ts'
import { type DecimalMark, isNumber, parseNumber } from './numbers.ts'
import { meterColumns, type TableColumns } from './meter-columns.ts'
import { isSameName, QUANTITY_WORDS } from './load-names.ts'
import { cellText } from './time.ts'

export interface ValueColumn extends HeadingMeaning {
  column: number
  heading: string
}

/** Roles of the columns other than times. */
export interface ColumnRoles {
  meterColumn: number | null
  /** Further columns that name a meter together with the first, such as building and circuit. */
  meterParts: readonly number[]
  unitColumn: number | null
  directionColumn: number | null
  /** Columns of texts, some of which name a sum of other lines. */
  totalColumns: readonly number[]
  /** Columns of texts that say how good the data of a line are. */
  qualityColumns: readonly number[]
  values: readonly ValueColumn[]
  /** Columns with figures or text that are not read. */
  ignored: readonly { column: number; heading: string; reason: IgnoredReason }[]
  /** Columns that are read or not by the answer whether their headings are names. */
  openNames: readonly OpenName[]
  areNamesRead: boolean
}

interface OpenName {
  column: number
  heading: string
  /** Whether the heading rather is a name. */
  isLikely: boolean
}

const MIN_FALLBACK_SHARE = 0.5

/** Roles of the columns other than times: meter, unit, direction, values, and those not read. */
export function columnRoles(columns: readonly number[], table: TableColumns, isMatrix: boolean): ColumnRoles {
  const { column, headings } = table
  const headingOf = (index: number) => headings[index] ?? ''
  const filledOf = (index: number) => column(index).filter((cell) => cellText(cell) !== '')
  const share = (index: number, isMatch: (text: string) => boolean) => {
    const filled = filledOf(index)
    return filled.length === 0 ? 0 : filled.filter((cell) => isMatch(cellText(cell))).length / filled.length
  }
  const numberShare = (index: number) => share(index, isNumber)
  const isNumeric = (index: number) => {
    const count = filledOf(index).filter(isNumber).length
    // A column of energy may have gaps, or texts such as Bad Input, almost everywhere.
    if (readHeading(headingOf(index)).unit && ignoredReasonOf(headingOf(index)) === undefined)
      return count > 0
    const isMostlyNumeric =
      numberShare(index) >= MIN_NUMBER_SHARE ||
      (numberShare(index) >= MIN_FALLBACK_SHARE && !isMatrix && hasFewTexts(filledOf(index)))
    return isMostlyNumeric && count >= Math.min(MIN_NUMBERS, column(index).length / 2)
  }
  const isConstant = (index: number) => new Set(filledOf(index).map(cellText)).size === 1
  const numeric = columns.filter((index) => isNumeric(index))
  // Many broken cells still are a column of figures if there is no better one.
  const numbers =
    numeric.length > 0 || isMatrix
      ? numeric
      : columns.filter((index) => numberShare(index) >= MIN_FALLBACK_SHARE).slice(0, 1)
  const texts = columns.filter((index) => !numbers.includes(index) && filledOf(index).length > 0)
  const hasStatedUnit = numbers.some((index) => readHeading(headingOf(index)).unit !== undefined)
  const unitColumns = texts.filter((index) => share(index, isUnit) >= MIN_SHARE)
  const unitColumn =
    unitColumns.find((index) => UNIT_HEAD.test(headingOf(index))) ??
    // Names may contain the letters of other units: VA Hospital.
    unitColumns.find(
      (index) =>
        !hasStatedUnit &&
        readHeading(headingOf(index)).ignored === undefined &&
        share(index, (text) => unitOf(text) !== undefined || /^\S+$/.test(text)) >= MIN_SHARE,
    ) ??
    null
  const directionColumn =
    texts.find(
      (index) =>
        index !== unitColumn && areDirections(filledOf(index).map(cellText), headingOf(index), MIN_SHARE),
    ) ?? null
  const others = texts.filter((index) => index !== unitColumn && index !== directionColumn)
  const { meterColumn, meterParts, identities } = meterColumns(
    { numbers, texts: others, others: [unitColumn, directionColumn] },
    table,
  )
  const isOtherFigure = createIsOtherFigure(
    isMatrix || unitColumn !== null ? [] : numbers.filter((index) => isUnitAlone(headingOf(index))),
    table,
  )
  const values: ValueColumn[] = []
  const ignored: { column: number; heading: string; reason: IgnoredReason }[] = []
  const openNames = isMatrix ? [] : numbers.flatMap((index) => openName(index, table) ?? [])
  const { answer } = table.names
  const areNamesRead = answer === undefined ? openNames.every(({ isLikely }) => isLikely) : answer === 'read'
  const isReadName = (index: number) =>
    table.names.isMeter(headingOf(index)) || (areNamesRead && openNames.some((each) => each.column === index))
  for (const index of [...numbers, ...others]) {
    if (index === meterColumn || meterParts.includes(index)) continue
    const { ignored: word, ...stated } = meaningOf(index, headings)
    const meaning: HeadingMeaning = word && !isReadName(index) ? { ...stated, ignored: word } : stated
    const figure = { column: index, heading: headingOf(index) }
    if (isMatrix || !numbers.includes(index) || identities.includes(index))
      ignored.push({ ...figure, reason: meaning.ignored ?? 'otherColumn' })
    else if (meaning.ignored === 'multiplier' && isVarying(column(index)))
      values.push({ column: index, heading: headingOf(index) })
    else if (meaning.ignored) ignored.push({ ...figure, reason: meaning.ignored })
    else if (isOtherFigure(index, meaning)) ignored.push({ ...figure, reason: 'otherColumn' })
    else if (isSignedPower(column(index), meaning)) ignored.push({ ...figure, reason: 'bothSigns' })
    else if (isCounting(column(index), headingOf(index))) ignored.push({ ...figure, reason: 'counting' })
    else if (DAYS_HEAD.test(headingOf(index))) ignored.push({ ...figure, reason: 'otherColumn' })
    else if (DURATION_HEAD.test(headingOf(index)) && meaning.unit === undefined && isConstant(index))
      ignored.push({ ...figure, reason: 'otherColumn' })
    else values.push({ ...figure, ...meaning })
  }
  const qualityColumns = others.filter((index) => index !== meterColumn && isQualityHeading(headingOf(index)))
  // A column that names a total in every line says what the file is about.
  const totalColumns = others.filter((index) => {
    const totals = column(index).filter((cell) => isTotal(cellText(cell))).length
    return index !== meterColumn && totals > 0 && totals < column(index).length / 2
  })
  return {
    meterColumn,
    meterParts,
    unitColumn,
    directionColumn,
    totalColumns,
    qualityColumns,
    openNames,
    areNamesRead,
    ...onlyEnergy(values, ignored, table),
  }
}

/** Meaning of a heading; one that adds a word such as forecast to another heading is no name that begins with it. */
function meaningOf(index: number, headings: readonly string[]): HeadingMeaning {
  const heading = headings[index] ?? ''
  const { nameWord, ...meaning } = readHeading(heading)
  if (!nameWord) return meaning
  const rest = heading.replace(new RegExp(nameWord.text, 'i'), ' ')
  const isAdded = headings.some((other, at) => at !== index && isSameName(other, rest))
  return isAdded ? { ...meaning, ignored: nameWord.reason } : meaning
}

/** Heading that is read only if it is a name, of a column whose figures may be energy; undefined if it is no such. */
function openName(
  index: number,
  { headings, column, hasFileUnit, names }: TableColumns,
): OpenName | undefined {
  const heading = headings[index] ?? ''
  const { nameWord, ignored } = readHeading(heading)
  const isAdded = nameWord !== undefined && meaningOf(index, headings).ignored !== undefined
  if (names.isMeter(heading) || (ignored === undefined && !isAdded)) return undefined
  // A varying factor is read anyway.
  if (ignored === 'multiplier' || !mayBeEnergy(column(index))) return undefined
  if (isAdded) return { column: index, heading, isLikely: false }
  const found = nameInIgnored(heading, hasFileUnit)
  const begins = (other: string) =>
    other.trim() !== '' && heading.startsWith(withoutBrackets(other)) && !isSameName(other, heading)
  const isOtherQuantity = headings.some((other, at) => at !== index && begins(other))
  // A forecast behind the name of another heading is one of it: Hall 1 forecast.
  return found && !(isOtherQuantity && !found.isLikely)
    ? { column: index, heading, isLikely: found.isLikely }
    : undefined
}

const withoutBrackets = (heading: string): string => heading.replace(/\s*[[(（].*$/, '')

/** Whether figures may be energy: several different ones, none of them negative. */
function mayBeEnergy(cells: readonly Cell[]): boolean {
  const figures = new Set(cells.map(cellText))
  figures.delete('')
  return figures.size > 2 && ![...figures].some((text) => /^[-−–]/.test(text))
}

/** Symbols of voltage, current, frequency and relative humidity as whole headings. */
const SYMBOL_HEAD = /^(?:[va]|hz|rh)(?:[ _]?l?[1-3])?$/i

/**
 * Whether a column without a unit or a word of energy, in addition to one headed by nothing but its unit, is something else: it has only
 * whole numbers, unlike the energy, such as shifts and pieces, or a symbol such as V as its heading.
 *
 * energies  columns headed by a unit alone
 */
function createIsOtherFigure(energies: readonly number[], { column, headings }: TableColumns) {
  const isWhole = (index: number) =>
    !column(index).some((cell) => isNumber(cell) && /[.,]\d/.test(cellText(cell)))
  const hasParts = energies.length > 0 && energies.every((index) => !isWhole(index))
  return (index: number, { unit, kind, direction }: HeadingMeaning): boolean =>
    energies.length > 0 &&
    unit === undefined &&
    kind === undefined &&
    direction === undefined &&
    ((hasParts && isWhole(index)) || SYMBOL_HEAD.test((headings[index] ?? '').trim()))
}

/** Whether most figures differ from those of the line before, unlike the factor of a meter. */
const isVarying = (cells: readonly Cell[]): boolean =>
  new Set(cells.map(cellText)).size > cells.length / 10 &&
  cells.filter((cell, at) => cellText(cell) !== cellText(cells[at - 1])).length > cells.length / 2

/** Maximum number of different texts in a column of figures, such as Bad Input and No Data. */
const MAX_FAULT_TEXTS = 3

const hasFewTexts = (cells: readonly Cell[]): boolean =>
  new Set(cells.filter((cell) => !isNumber(cell)).map(cellText)).size <= MAX_FAULT_TEXTS

const isUnit = (text: string): boolean =>
  text.length <= 12 &&
  !/\d{2}/.test(text) &&
  !/[$€£¥]\s*\d/.test(text) &&
  (unitOf(text) !== undefined || isOtherUnit(text))

/** Headings of columns that contain the length of the interval. */
const DURATION_HEAD =
  /^(?:(?:interval|period)[ _]?)?(?:duration|length|interval|minutes?|seconds?|dauer|durée|duración|durata|duração|duur|時長|间隔|間隔|長度|分鐘|分)(?:\s*[[(（].*)?$/i

/** Headings of columns with the number of days of a bill. */
const DAYS_HEAD =
  /^(?:(?:no\.?|number) of |billing |billed )?days$|^(?:用電|計費)?(?:天數|日數)$|^(?:anzahl )?tage$|^(?:nombre de )?jours$|^días$|^dagen$/i

/** Power in both directions in one column: the sum of one of them would be no total. */
const isSignedPower = (cells: readonly Cell[], { unit }: HeadingMeaning): boolean =>
  (unit === 'W' || unit === 'kW' || unit === 'MW') &&
  cells.filter((cell) => (parseNumber(cell, '.') ?? parseNumber(cell, ',') ?? 0) < 0).length > 1

const COUNTING_HEAD =
  /^(?:#|no\.?|nr\.?|id|index|row|line|record|seq(?:uence)?|s\.? ?no\.?|lfd\.? ?nr\.?|n[°º]|序號|序号|項次|编号|編號|番号|)$/i

/** Numbers of lines: 1, 2, 3, … */
function isCounting(cells: readonly Cell[], heading: string): boolean {
  // InfluxDB numbers the tables of an answer.
  if (heading.trim() === 'table') return true
  if (!COUNTING_HEAD.test(heading.trim())) return false
  const numbers = cells.map((cell) => parseNumber(cell, '.'))
  const steps = numbers.slice(1).map((number, at) => (number ?? Number.NaN) - (numbers[at] ?? Number.NaN))
  // Lines of different parts of the file follow each other in a sample.
  return [1, -1].some((each) => {
    const regular = steps.filter((step) => step === each).length
    return regular > 1 && regular >= MIN_NUMBER_SHARE * steps.length
  })
}

const meterNameOf = (heading: string): string =>
  heading.replaceAll('_', ' ').toLowerCase().replaceAll(QUANTITY_WORDS, '')

/** Column of values with its figures in kWh, as the decimal mark of both columns of a comparison has it. */
interface FigureColumn {
  value: ValueColumn
  isPower: boolean
  /** Whether every figure can be read with a decimal point. */
  isPoint: boolean
  figures: Record<DecimalMark, readonly (number | undefined)[]>
  /** Number of lines whose figure is below that of the line before. */
  falls: number
}

function figureColumn(value: ValueColumn, cells: readonly Cell[]): FigureColumn {
  const { unit, heading } = value
  const factor = unit ? UNITS[unit].factor : 1
  const figuresBy = (mark: DecimalMark) =>
    cells.map((cell) => {
      const figure = parseNumber(cell, mark)
      return figure === undefined ? undefined : figure * factor
    })
  const figures = { '.': figuresBy('.'), ',': figuresBy(',') }
  const isPoint = cells.every((cell, at) => !isNumber(cell) || figures['.'][at] !== undefined)
  const own = figures[isPoint ? '.' : ',']
  const falls = own.filter((figure, at) => (figure ?? Number.NaN) < (own[at - 1] ?? 0)).length
  return { value, isPower: unit ? UNITS[unit].isPower : isPowerHeading(heading), isPoint, figures, falls }
}

/**
 * Columns of energy: power in addition to energy of the same meter is the same thing twice, and so are a counter or a total of the month
 * and its differences. The counter is read, or the differences if the total is no counter or its time of day is unknown.
 */
function onlyEnergy(
  values: readonly ValueColumn[],
  ignored: ColumnRoles['ignored'],
  { column, isDateOnly }: TableColumns,
): Pick<ColumnRoles, 'values' | 'ignored'> {
  const columns = values.map((value) => figureColumn(value, column(value.column)))
  const energies = columns.filter(({ isPower }) => !isPower)
  const names = new Set(
    energies.filter(({ value }) => value.unit !== undefined).map(({ value }) => meterNameOf(value.heading)),
  )
  // Beside dates nothing says at what time of day a total was taken; and one of a day or a month is no counter's.
  const isTotalOnly = ({ value, falls, figures }: FigureColumn) =>
    falls <= MAX_FALLING_SHARE * figures['.'].length &&
    (isDateOnly || value.kind !== 'counter' || falls >= MIN_RESETS)
  const totals = new Set(columns.filter(isTotalOnly))
  const counters = energies.filter((each) => each.value.kind === 'counter' && !totals.has(each))
  const reasonOf = (each: FigureColumn): IgnoredReason | undefined => {
    const name = meterNameOf(each.value.heading)
    if (names.size > 0 && each.isPower && (name === '' || names.has(name))) return 'alsoAsEnergy'
    const isRunning = (other: FigureColumn) =>
      other !== each && areDifferences(each, other) && !areDifferences(other, each)
    if (totals.has(each) && energies.some(isRunning)) return 'runningTotal'
    const isDifference = counters.some((counter) => counter !== each && areDifferences(counter, each))
    return isDifference ? 'alsoAsCounter' : undefined
  }
  const reasons = columns.map((each) => ({ value: each.value, reason: reasonOf(each) }))
  return {
    values: reasons.filter(({ reason }) => reason === undefined).map(({ value }) => value),
    ignored: [
      ...ignored,
      ...reasons.flatMap(({ value: { column: index, heading }, reason }) =>
        reason ? [{ column: index, heading, reason }] : [],
      ),
    ],
  }
}

/** Minimum number of lines by which a column is recognized as the differences of another. */
const MIN_DIFFERENCES = 3

/** Maximum deviation of their sum, which rounding causes. */
const MAX_DIFFERENCE_SHARE = 0.02

/** Maximum share of falls in a total, and minimum number by which it begins at zero again every day, week or month. */
const MAX_FALLING_SHARE = 0.2
const MIN_RESETS = 2

/** Whether a column contains the differences of the counter in another column, from the line before or to the next one. */
function areDifferences(counter: FigureColumn, other: FigureColumn): boolean {
  // Both columns have the same decimal mark: 892.390 may be less than 1.195.575.
  const mark = counter.isPoint && other.isPoint ? '.' : ','
  const [counts, differences] = [counter.figures[mark], other.figures[mark]]
  return [0, -1].some((shift) => {
    let [compared, sum, deviation] = [0, 0, 0]
    for (let line = 1; line < counts.length; line++) {
      const [before, after, difference] = [counts[line - 1], counts[line], differences[line + shift]]
      // Lines of different parts of the file follow each other in a sample; a counter may be replaced.
      if (before === undefined || after === undefined || difference === undefined || after < before) continue
      const error = Math.abs(after - before - difference)
      if (error > after - before + difference / 2 && compared > SAMPLED_LINES / 2) continue
      compared++
      sum += difference
      deviation += error
    }
    return compared >= MIN_DIFFERENCES && sum > 0 && deviation <= sum * MAX_DIFFERENCE_SHARE
  })
}

/** Words that name a sum of rows, alone or with its period: 本週合計, Daily total, Summe. */
const TOTAL_CHINESE =
  /^.{0,8}(?:合計|小計|總計|共計|總和|合计|小计|总计|共计|総計)(?:\s*[:：(].*|列|值|量|用電量?|度數?)?$/

const TOTAL =
  /^(?:(?:grand|sub|day|daily|week|weekly|month|monthly|zwischen|tages|wochen|monats|gesamt)[- ]?)?(?:totals?|sum|summe|somme|totaal|totale|soma|suma)(?:\s(?:(?:of|for|per|du|der|des|del|van)\s.{1,20}|\(?k?wh\)?|\d.{0,20}))?[:：]?$|^(?:gesamt|total général|sous-total)[:：]?$/i

const MAX_TOTAL_LENGTH = 30

export const isTotal = (text: string): boolean =>
  text.length <= MAX_TOTAL_LENGTH && (TOTAL.test(text) || TOTAL_CHINESE.test(text))
