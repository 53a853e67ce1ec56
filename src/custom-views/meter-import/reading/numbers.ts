import type { Cell } from '../../../lib/spreadsheet/grid.ts'
import { cellText } from './time.ts'

/** Character between a number's whole part and its fraction. */
export type DecimalMark = '.' | ','

const PLAIN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i
const PLAIN_COMMA = /^[+-]?(?:\d+(?:,\d*)?|,\d+)(?:e[+-]?\d{1,3})?$/i
const GROUPED = /^[+-]?\d{1,3}(?:[, '’]\d{3})+(?:\.\d+)?$/
/** India groups two digits above the thousands: 1,00,778.29. */
const GROUPED_INDIAN = /^[+-]?\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/
const GROUPED_COMMA = /^[+-]?\d{1,3}(?:[. '’]\d{3})+(?:,\d+)?$/
/** A group never begins with a zero: 0,125 has a decimal comma. */
const ZERO_GROUP = /^[+-]?0\d*[,. '’]/

/** Number in a cell; undefined if there is none. Formulas are text and give undefined. */
export function parseNumber(cell: Cell | undefined, mark: DecimalMark): number | undefined {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : undefined
  const text = cellText(cell)
  if (mark === '.') {
    if (PLAIN.test(text)) return Number(text)
    if ((GROUPED.test(text) || GROUPED_INDIAN.test(text)) && !ZERO_GROUP.test(text))
      return Number(text.replaceAll(/[, '’]/g, ''))
    return undefined
  }
  if (PLAIN_COMMA.test(text)) return Number(text.replace(',', '.'))
  if (GROUPED_COMMA.test(text) && !ZERO_GROUP.test(text))
    return Number(text.replaceAll(/[. '’]/g, '').replace(',', '.'))
  return undefined
}

const WITH_UNIT = /^([+-]?[\d.,'’\s]*\d)\s*([kMG]?Wh?|度)$/
/** Figure and unit of a cell such as `790 Wh`; undefined without a unit. */
export function splitUnit(cell: Cell | undefined): { figure: string; unit: string } | undefined {
  if (typeof cell !== 'string') return undefined
  const last = cell.charCodeAt(cell.length - 1)
  // Digits are by far the most common end.
  if (last >= 48 && last <= 57) return undefined
  const match = WITH_UNIT.exec(cellText(cell))
  return match ? { figure: match[1] as string, unit: match[2] as string } : undefined
}

/** Whether a cell is a number with either mark, with or without a unit behind it. */
export function isNumber(cell: Cell | undefined): boolean {
  const figure = splitUnit(cell)?.figure ?? cell
  return parseNumber(figure, '.') !== undefined || parseNumber(figure, ',') !== undefined
}

/** Cells of a file that decide its decimal mark, and those that fit either one, such as 1,234. */
export interface MarkEvidence {
  point: number
  comma: number
  /** Cells that are a thousand with a point as decimal mark, and a fraction with a comma. */
  openComma: number
  openPoint: number
  /** Cells of one to three digits without a mark, other than 0. */
  small: number
  /** First cell of each sort. */
  examples: Partial<Record<'point' | 'comma' | 'openComma' | 'openPoint', string>>
}

export const noMarkEvidence = (): MarkEvidence => ({
  point: 0,
  comma: 0,
  openComma: 0,
  openPoint: 0,
  small: 0,
  examples: {},
})

/** Adds what a cell says about the decimal mark. */
export function addMarkEvidence(evidence: MarkEvidence, cell: Cell | undefined): void {
  if (typeof cell !== 'string') return
  const [comma, point] = [cell.lastIndexOf(','), cell.lastIndexOf('.')]
  if (comma < 0 && point < 0) {
    if (cell.length <= 3 && cell >= '1' && cell <= '999') evidence.small++
    return
  }
  const text = splitUnit(cell)?.figure ?? cellText(cell)
  const [isPoint, isComma] = [parseNumber(text, '.') !== undefined, parseNumber(text, ',') !== undefined]
  const sort =
    isPoint === isComma
      ? isPoint
        ? comma < 0
          ? 'openPoint'
          : 'openComma'
        : undefined
      : isPoint
        ? 'point'
        : 'comma'
  if (!sort) return
  evidence[sort]++
  evidence.examples[sort] ??= text
}

/** Whether two cells in succession may be one figure with a comma between its groups of digits, as 1 and 234.5. */
export const areParts = (left: string, right: string): boolean =>
  /^\d{1,3}$/.test(left) && /^\d{3}(?:\.\d+)?$/.test(right)
