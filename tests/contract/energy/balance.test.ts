import { describe, expect, it } from 'vitest'
import {
  addFlows,
  balanceOf,
  cellOf,
  FLOW_CELLS,
  givenBy,
  PASS_THROUGH,
  selfConsumptionOf,
  selfSufficiencyOf,
  SOURCES,
  unexplainedOf,
  usedBy,
} from '../../../contract/energy/balance.ts'
import { type Term, TERMS } from '../../../contract/devices/meter-roles.ts'
import { stream } from '../../../simulator/scenarios/random.ts'

const sum = (values: Iterable<number>) => [...values].reduce((all, one) => all + one, 0)
const of = (...kwh: number[]) => Float64Array.from(kwh)

/** A small number of seeds suffices: each is a site of two days with every kind of meter. */
const SEEDS = Array.from({ length: 60 }, (_, i) => i)
const QUARTERS = 192

function siteOf(seed: number): Record<Term, Float64Array> {
  const random = stream(seed)
  const some = (share: number) =>
    Float64Array.from({ length: QUARTERS }, () => (random() < share ? random() * 20 : 0))
  return {
    import: some(0.9),
    export: some(0.3),
    generation: some(0.5),
    discharge: some(0.2),
    charge: some(0.2),
  }
}

const quarterOf = (terms: Record<Term, Float64Array>, i: number) =>
  Object.fromEntries(TERMS.map((term) => [term, terms[term][i] as number])) as Record<Term, number>

describe('the balance of a site', () => {
  it('is import, generation and discharge minus export and charge', () => {
    const { consumption } = balanceOf(
      { import: of(5), generation: of(3), discharge: of(1), export: of(2), charge: of(0.5) },
      undefined,
      1,
    )
    expect([...consumption]).toEqual([6.5])
  })

  it.each(SEEDS)('adds up over any split into periods (%i)', (seed) => {
    const terms = siteOf(seed)
    const { consumption } = balanceOf(terms, undefined, QUARTERS)
    const random = stream(seed + 1000)
    for (let from = 0; from < QUARTERS;) {
      const to = Math.min(QUARTERS, from + 1 + Math.floor(random() * 40))
      const ofTerm = (term: Term) => sum(terms[term].slice(from, to))
      const expected =
        ofTerm('import') + ofTerm('generation') + ofTerm('discharge') - ofTerm('export') - ofTerm('charge')
      expect(sum(consumption.slice(from, to))).toBeCloseTo(expected, 6)
      from = to
    }
  })

  it('keeps negative quarters and reports them', () => {
    const { consumption } = balanceOf({ import: of(1, 1), export: of(3, 0) }, undefined, 2)
    expect([...consumption]).toEqual([-2, 1])
    expect(unexplainedOf(consumption[0] as number)).toBe(2)
    expect(unexplainedOf(consumption[1] as number)).toBe(0)
  })

  it('is unknown if any term is', () => {
    for (const term of TERMS) {
      const terms = Object.fromEntries(TERMS.map((one) => [one, of(1, one === term ? NaN : 1)]))
      const { consumption } = balanceOf(terms, undefined, 2)
      expect(Number.isNaN(consumption[0])).toBe(false)
      expect(Number.isNaN(consumption[1])).toBe(true)
    }
  })

  it('still contains what was bought if another term is unknown', () => {
    const { bought } = balanceOf({ import: of(4), generation: of(NaN) }, undefined, 1)
    expect([...bought]).toEqual([4])
  })

  it('is the sum of loads without an import meter, as its estimated purchase', () => {
    const { consumption, bought } = balanceOf({ generation: of(3, 9), charge: of(1, 0) }, of(5, 4), 2)
    expect([...consumption]).toEqual([5, 4])
    expect([...bought]).toEqual([3, 0])
  })

  it('is unknown without an import meter or a load', () => {
    const { consumption, bought } = balanceOf({ generation: of(3) }, undefined, 1)
    expect(consumption[0]).toBeNaN()
    expect(bought[0]).toBeNaN()
  })
})

describe('energy flows', () => {
  it.each(SEEDS)('are never negative, and every row and column matches the meters (%i)', (seed) => {
    const terms = siteOf(seed)
    const { consumption } = balanceOf(terms, undefined, QUARTERS)
    const cells = new Float64Array(FLOW_CELLS)
    for (let i = 0; i < QUARTERS; i++) {
      const one = new Float64Array(FLOW_CELLS)
      addFlows(one, quarterOf(terms, i))
      for (const cell of one) expect(cell).toBeGreaterThanOrEqual(0)
      addFlows(cells, quarterOf(terms, i))
    }
    const unexplained = sum(Array.from(consumption, unexplainedOf))
    for (const source of SOURCES) expect(givenBy(cells, source)).toBeCloseTo(sum(terms[source]), 6)
    expect(usedBy(cells, 'consumption')).toBeCloseTo(sum(consumption) + unexplained, 6)
    expect(usedBy(cells, 'export') + usedBy(cells, 'charge')).toBeCloseTo(
      sum(terms.export) + sum(terms.charge) - unexplained,
      6,
    )
  })

  it('sell generation first, and charge the battery with the rest', () => {
    const cells = new Float64Array(FLOW_CELLS)
    addFlows(cells, { import: 2, generation: 5, discharge: 0, export: 3, charge: 3 })
    expect(cells[cellOf('generation', 'export')]).toBe(3)
    expect(cells[cellOf('generation', 'charge')]).toBe(2)
    expect(cells[cellOf('import', 'charge')]).toBe(1)
    expect(cells[cellOf('import', 'consumption')]).toBe(1)
  })

  it('keep physically impossible amounts separate', () => {
    const cells = new Float64Array(FLOW_CELLS)
    addFlows(cells, { import: 2, generation: 0, discharge: 2, export: 3, charge: 1 })
    expect(PASS_THROUGH.map((cell) => cells[cell])).toEqual([1, 0])
    expect(cells[cellOf('import', 'charge')]).toBe(1)
  })

  it('show self-consumption and self-sufficiency of a site', () => {
    const cells = new Float64Array(FLOW_CELLS)
    addFlows(cells, { import: 4, generation: 8, discharge: 0, export: 2, charge: 0 })
    expect(selfConsumptionOf(cells)).toBe(0.75)
    expect(selfSufficiencyOf(cells)).toBe(0.6)
    // Of 8 kWh consumed, 4 were imported.
    expect(selfSufficiencyOf(cells, 8)).toBe(0.5)
  })

  it('show neither if nothing was generated or used', () => {
    const cells = new Float64Array(FLOW_CELLS)
    expect(selfConsumptionOf(cells)).toBeNull()
    expect(selfSufficiencyOf(cells)).toBeNull()
  })
})
