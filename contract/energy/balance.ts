import { SIGNS, type Term, TERMS } from '../devices/meter-roles.ts'

/** Energy of consecutive quarter-hours, kWh; NaN if a quarter is unknown. A term without a meter at the site is left out. */
export type Terms = Partial<Record<Term, Float64Array>>

/** Sources and uses of energy: the rows and columns of the flow matrix. */
export const SOURCES = ['generation', 'discharge', 'import'] as const
export const USES = ['export', 'charge', 'consumption'] as const
export type Source = (typeof SOURCES)[number]
export type Use = (typeof USES)[number]

/** Energy that flowed from each source to each use, kWh, row by row: SOURCES × USES. */
export const FLOW_CELLS = SOURCES.length * USES.length
export const cellOf = (source: Source, use: Use): number =>
  SOURCES.indexOf(source) * USES.length + USES.indexOf(use)

/** Flows that are physically impossible, caused by unsynchronized meter clocks or wrong wiring. */
export const PASS_THROUGH = [cellOf('import', 'export'), cellOf('discharge', 'charge')] as const

/** Energy that a site used and bought. */
export interface Balance {
  /** C, kWh per quarter; never clipped, so that sums stay consistent; NaN if a term is unknown. */
  consumption: Float64Array
  /** I: measured, or without an import meter what the other terms require; NaN if unknown. */
  bought: Float64Array
}

/**
 * Computes the consumption of a site: C = I + G + D − E − H. Without an import meter, the consumption is the sum of the top-level loads,
 * and the purchased energy is estimated as the part that generation and battery do not cover, never below 0.
 *
 * terms     arrays of `quarters` values
 * loads     energy of the top-level loads; used without an import meter
 * quarters  number of quarter-hours
 */
export function balanceOf(terms: Terms, loads: Float64Array | undefined, quarters: number): Balance {
  const consumption = new Float64Array(quarters)
  const bought = new Float64Array(quarters)
  for (let i = 0; i < quarters; i++) {
    let remainder = 0
    for (const term of TERMS) if (term !== 'import') remainder += SIGNS[term] * (terms[term]?.[i] ?? 0)
    const measured = terms.import?.[i]
    // If one term is unknown, the quarter is unknown: ignoring a missing export meter would raise consumption.
    const used = measured === undefined ? (loads?.[i] ?? NaN) : measured + remainder
    consumption[i] = used
    bought[i] = measured ?? Math.max(0, used - remainder)
  }
  return { consumption, bought }
}

/** Energy of one quarter-hour, kWh. */
type Quarter = Readonly<Record<Term, number>>

/**
 * Adds the flows of one quarter-hour. Generation is exported before battery energy is, and charges the battery before the grid does; the
 * rest feeds the site. Each row sums to what its meter counted. So does each column, less the energy without a source if more was
 * exported and charged than came in (`unexplainedOf`).
 *
 * cells  FLOW_CELLS sums, kWh
 */
export function addFlows(cells: Float64Array, quarter: Quarter): void {
  const { import: I, generation: G, discharge: D, export: E, charge: H } = quarter
  const GE = Math.min(G, E)
  const DE = Math.min(D, E - GE)
  const GH = Math.min(G - GE, H)
  const IH = Math.min(I, H - GH)
  const IE = Math.min(I - IH, E - GE - DE)
  const DH = Math.min(D - DE, H - GH - IH)
  const row = [GE, GH, G - GE - GH, DE, DH, D - DE - DH, IE, IH, I - IE - IH]
  for (let i = 0; i < FLOW_CELLS; i++) (cells[i] as number) += row[i] as number
}

/** Energy exported and charged beyond what came in, kWh: unsynchronized meter clocks, or a fault. */
export const unexplainedOf = (consumption: number): number => Math.max(0, -consumption)

/** Energy that went to a use from all sources, kWh. */
export const usedBy = (cells: ArrayLike<number>, use: Use): number =>
  SOURCES.reduce((sum, source) => sum + (cells[cellOf(source, use)] as number), 0)

/** Energy that came from a source, kWh. */
export const givenBy = (cells: ArrayLike<number>, source: Source): number =>
  USES.reduce((sum, use) => sum + (cells[cellOf(source, use)] as number), 0)

/** Share of the generation that was not exported, 0 to 1; null if nothing was generated. */
export function selfConsumptionOf(cells: ArrayLike<number>): number | null {
  const generated = givenBy(cells, 'generation')
  return generated > 0 ? (generated - (cells[cellOf('generation', 'export')] as number)) / generated : null
}

/**
 * Share of the consumption that was not bought at that time, 0 to 1; null if there was no consumption.
 *
 * used  displayed consumption, kWh: reduced by the unexplained energy
 */
export function selfSufficiencyOf(
  cells: ArrayLike<number>,
  used = usedBy(cells, 'consumption'),
): number | null {
  const bought = cells[cellOf('import', 'consumption')] as number
  return used > 0 ? Math.max(0, used - bought) / used : null
}

/** Share of the consumption above which unexplained energy is reported as a fault. */
export const MAX_UNEXPLAINED_SHARE = 0.01
