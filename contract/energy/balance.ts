import { SIGNS, type Term, TERMS } from '../devices/meter-roles.ts'

/**
 * Energy of quarters of an hour that follow each other, kWh, NaN where a quarter is unknown. A term that the site has no
 * meter of is left out.
 */
export type Terms = Partial<Record<Term, Float64Array>>

/** Where energy comes from, and where it goes: the rows and columns of the flows. */
export const SOURCES = ['generation', 'discharge', 'import'] as const
export const USES = ['export', 'charge', 'consumption'] as const
export type Source = (typeof SOURCES)[number]
export type Use = (typeof USES)[number]

/** The energy that went from a source to a use, kWh, row by row: SOURCES × USES. */
export const FLOW_CELLS = SOURCES.length * USES.length
export const cellOf = (source: Source, use: Use): number =>
  SOURCES.indexOf(source) * USES.length + USES.indexOf(use)

/** What physics forbids, import that is sold and a battery that charges itself: two meters' clocks, or a fault of wiring. */
export const PASS_THROUGH = [cellOf('import', 'export'), cellOf('discharge', 'charge')] as const

/** What a site used, and by what its terms came together. */
export interface Balance {
  /** C, kWh of each quarter; never clipped, so that it adds up; NaN where a term is unknown. */
  consumption: Float64Array
  /** I: what its meter says, or without one what the rest needs; NaN where it is unknown. */
  bought: Float64Array
}

/**
 * The consumption of a site: C = I + G + D − E − H. Without an import meter it is what the loads at the top counted, and what
 * was bought is what these need beyond generation and battery: an estimate, never below 0.
 *
 * terms     of as many quarters each
 * loads     what the loads at the top counted; asked for where there is no import
 * quarters  how many there are
 */
export function balanceOf(terms: Terms, loads: Float64Array | undefined, quarters: number): Balance {
  const consumption = new Float64Array(quarters)
  const bought = new Float64Array(quarters)
  for (let i = 0; i < quarters; i++) {
    let rest = 0
    for (const term of TERMS) if (term !== 'import') rest += SIGNS[term] * (terms[term]?.[i] ?? 0)
    const measured = terms.import?.[i]
    // A quarter in which one term is unknown is unknown as a whole: an absent export meter would raise it.
    const used = measured === undefined ? (loads?.[i] ?? NaN) : measured + rest
    consumption[i] = used
    bought[i] = measured ?? Math.max(0, used - rest)
  }
  return { consumption, bought }
}

/** kWh of one quarter. */
type Quarter = Readonly<Record<Term, number>>

/**
 * Adds where the energy of a quarter went. Generation is sold before the battery's is, and fills the battery before the grid
 * does; the rest feeds the site. Every row is what its meter counted; so is every column, less what no source explains, where
 * more was sold and charged than there was (`unexplainedOf`).
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

/** What a quarter's meters say was sold and charged beyond all that came in, kWh: clocks of two meters, or a fault. */
export const unexplainedOf = (consumption: number): number => Math.max(0, -consumption)

/** Energy that went to a use from all sources, kWh. */
export const usedBy = (cells: ArrayLike<number>, use: Use): number =>
  SOURCES.reduce((sum, source) => sum + (cells[cellOf(source, use)] as number), 0)

/** Energy that came from a source, kWh. */
export const givenBy = (cells: ArrayLike<number>, source: Source): number =>
  USES.reduce((sum, use) => sum + (cells[cellOf(source, use)] as number), 0)

/** Which part of what was generated the site kept, 0 to 1; null where nothing was. */
export function selfConsumptionOf(cells: ArrayLike<number>): number | null {
  const generated = givenBy(cells, 'generation')
  return generated > 0 ? (generated - (cells[cellOf('generation', 'export')] as number)) / generated : null
}

/**
 * Share of the site's use that was not bought at that time, 0 to 1; null if it used nothing.
 *
 * used  kWh as it is shown: what no source explains is taken off it
 */
export function selfSufficiencyOf(
  cells: ArrayLike<number>,
  used = usedBy(cells, 'consumption'),
): number | null {
  const bought = cells[cellOf('import', 'consumption')] as number
  return used > 0 ? Math.max(0, used - bought) / used : null
}

/** Above this part of the consumption, what is unexplained is told as a fault. */
export const MAX_UNEXPLAINED_SHARE = 0.01
