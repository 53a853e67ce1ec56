import type { Grid } from '../../../lib/spreadsheet/grid.ts'
import { type Facts, oneOfValues } from './facts.ts'
import { MULTIPLIER, multiplierOf, TRANSFORMER_RATIO } from './headings.ts'
import type { TableLayout } from './layout.ts'
import { parseNumber } from './numbers.ts'
import type { RawRows } from './rows.ts'
import { cellText } from './time.ts'
import { labelled } from './title.ts'
import { statedUnit } from './value-facts.ts'

/** Answers to the question whether the figures are multiplied by the factor of the meter already. */
export const MULTIPLIER_ANSWERS = ['included', 'multiply'] as const
type MultiplierAnswer = (typeof MULTIPLIER_ANSWERS)[number]

/** Factor that a file names for a meter behind transformers. */
export interface Multiplier {
  text: string
  /** Factor of a row of the raw rows. */
  factorOf: (at: number) => number
}

const FIGURE = /^[x×*]?\s*(\d[\d.,]*)\s*(k?v|a)?(?:\s*[/:]\s*(\d[\d.,]*)\s*(?:v|a)?)?\s*(?:倍|x)?$/i

/** Factor in a text: 120, ×120, 120 倍, or a ratio such as 400/5 A and 22.8 kV/110 V. */
function factorIn(text: string): number | undefined {
  const [, above, unit = '', below] = FIGURE.exec(text.trim()) ?? []
  const [value, divisor = 1] = [above, below].map((part) =>
    part === undefined ? undefined : (parseNumber(part, '.') ?? parseNumber(part, ',')),
  )
  const thousand = /^k/i.test(unit) ? 1_000 : 1
  return value !== undefined && value > 0 && divisor > 0 ? (value * thousand) / divisor : undefined
}

/** Factor that a column, the title or a heading names; undefined if all are 1. */
export function findMultiplier(grid: Grid, layout: TableLayout, raw: RawRows): Multiplier | undefined {
  const found = ofColumns(grid, layout, raw) ?? ofTitle(layout) ?? ofHeadings(raw)
  if (!found) return undefined
  for (let at = 0; at < raw.count; at++) if (found.factorOf(at) !== 1) return found
  return undefined
}

function ofColumns(grid: Grid, { ignored }: TableLayout, raw: RawRows): Multiplier | undefined {
  const columns = ignored.filter(({ reason }) => reason === 'multiplier')
  const whole = columns.filter(({ heading }) => !TRANSFORMER_RATIO.test(heading))
  const used = whole.length > 0 ? whole.slice(0, 1) : columns
  const cellOf = (at: number, column: number) => cellText(grid[raw.lines[at] as number]?.[column])
  if (used.length === 0) return undefined
  return {
    text: used
      .map(({ heading, column }) => `${heading} ${raw.count > 0 ? cellOf(0, column) : ''}`)
      .join(', '),
    factorOf: (at) => used.reduce((product, { column }) => product * (factorIn(cellOf(at, column)) ?? 1), 1),
  }
}

function ofTitle({ titleLines }: TableLayout): Multiplier | undefined {
  const stated = (label: RegExp) =>
    labelled(titleLines, label).flatMap(({ value, text }) => {
      const factor = factorIn(value.split(/[;，；]/)[0] ?? '')
      return factor === undefined ? [] : [{ factor, text }]
    })
  const whole = stated(MULTIPLIER).slice(0, 1)
  const used = whole.length > 0 ? whole : stated(TRANSFORMER_RATIO)
  if (used.length === 0) return undefined
  const product = used.reduce((factor, each) => factor * each.factor, 1)
  return { text: used.map(({ text }) => text).join(', '), factorOf: () => product }
}

function ofHeadings({ sources, series }: RawRows): Multiplier | undefined {
  const factors = sources.map(({ heading, unitText }) => multiplierOf(unitText) ?? multiplierOf(heading))
  const first = factors.findIndex((factor) => factor !== undefined)
  const source = sources[first]
  if (!source) return undefined
  const text = multiplierOf(source.unitText) === undefined ? source.heading : source.unitText
  return { text, factorOf: (at) => factors[series[at] as number] ?? 1 }
}

/** Rows whose figures are multiplied by a factor of the meter. */
export function multiplyRows(raw: RawRows, factorOf: (at: number) => number): RawRows {
  const values = raw.values.slice()
  for (let at = 0; at < raw.count; at++) values[at] = (values[at] as number) * factorOf(at)
  return { ...raw, values }
}

/** Rows whose figures are in units, where headings say 萬度 or x1000 kWh. */
export function scaleRows(raw: RawRows, layout: TableLayout): RawRows {
  const scales = raw.sources.map((source) => statedUnit(source, layout)?.value.scale ?? 1)
  return scales.every((scale) => scale === 1)
    ? raw
    : multiplyRows(raw, (at) => scales[raw.series[at] as number] ?? 1)
}

const answerOf = oneOfValues<MultiplierAnswer>(...MULTIPLIER_ANSWERS)

/** Whether the figures still have to be multiplied; undefined if the user must say so. */
export const multiplierAnswer = (facts: Facts): MultiplierAnswer | undefined =>
  facts.answer('multiplier', answerOf) ?? facts.profile('multiplier', answerOf)

/**
 * Asks whether the figures are multiplied already.
 *
 * kWhOf    energy of all series
 * returns  rows by the suggested answer
 */
export function confirmMultiplier(
  { text, factorOf }: Multiplier,
  raw: RawRows,
  isCounter: boolean,
  kWhOf: (raw: RawRows) => number,
  facts: Facts,
): RawRows {
  const multiplied = multiplyRows(raw, factorOf)
  facts.ask({
    fact: 'multiplier',
    example: text,
    options: [
      { value: 'multiply', kWh: kWhOf(multiplied) },
      { value: 'included', kWh: kWhOf(raw) },
    ],
    // The display of a meter does not know its transformers.
    suggested: isCounter ? 'multiply' : 'included',
  })
  return isCounter ? multiplied : raw
}
