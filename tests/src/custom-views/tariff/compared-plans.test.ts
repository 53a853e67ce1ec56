import { describe, expect, it } from 'vitest'
import type { PlanBills } from '../../../../contract/tariffs/bill-calls.ts'
import { cheapestOf, divideBySupply, reasonsOf } from '../../../../src/custom-views/tariff/compared-plans.ts'

const plan = (PlanID: string, changes: Partial<PlanBills> = {}): PlanBills => ({
  PlanID,
  Capacities: {},
  Bills: [],
  Total: 0,
  Priced: 12,
  Difference: null,
  Drivers: [],
  Best: null,
  Refused: null,
  ...changes,
})
const ids = (plans: readonly PlanBills[]) => plans.map(({ PlanID }) => PlanID)

describe('compared plans', () => {
  const plans = ['hv_two_stage', 'ehv_two_stage', 'lv_ev', 'lv_two_stage', 'own-1'].map((id) => plan(id))

  it('are divided by whether the connection allows them', () => {
    const of = (current: string | undefined) => {
      const { sameSupply: same, otherSupply: other } = divideBySupply(plans, current)
      return [ids(same), ids(other)]
    }
    expect(of('hv_three_stage')).toEqual([
      ['hv_two_stage', 'own-1'],
      ['ehv_two_stage', 'lv_ev', 'lv_two_stage'],
    ])
    // Charging stations have prices of their own.
    expect(of('lv_three_stage')[0]).toEqual(['lv_two_stage', 'own-1'])
    expect(of('lv_two_stage_frozen')[0]).toEqual(['lv_two_stage', 'own-1'])
    // A custom plan states nothing about its supply.
    expect(of('own-1')[1]).toEqual([])
    expect(of(undefined)[1]).toEqual([])
  })

  it('differ by energy and by fixed charges, over the bills that both have', () => {
    const bills = (...pairs: [total: number | null, energy: number | null][]) => ({
      Bills: pairs.map(([Total, Energy]) => ({ Total, Energy })),
    })
    const current = plan('a', bills([1000, 700], [900, 600], [null, null]))
    expect(reasonsOf(plan('b', bills([950, 500], [null, null], [800, 800])), current)).toEqual({
      energy: -200,
      standing: 150,
    })
    const [exact, sum] = [plan('a', bills([0.3, 0])), plan('b', bills([0.1 + 0.2, 0]))]
    expect(reasonsOf(exact, sum)).toEqual({ energy: 0, standing: 0 })
    expect(reasonsOf(plan('b', bills([null, null])), current)).toBeUndefined()
    expect(reasonsOf(plan('b', bills([1, 1])), null)).toBeUndefined()
  })

  it('have a cheapest one among those that are priced wherever the current one is', () => {
    const costs = (PlanID: string, ...totals: (number | null)[]) =>
      plan(PlanID, {
        Bills: totals.map((Total) => ({ Total, Energy: Total })),
        Priced: totals.filter((one) => one !== null).length,
      })
    const current = costs('now', 500, 500, null)
    const half = costs('half', 10, null, null)
    const less = costs('less', 450, 500, null)
    const least = costs('least', 400, 500, 999)
    expect(cheapestOf([half, less, current, least], current)).toEqual({ plan: least, saving: 100 })
    expect(cheapestOf([half, costs('same', 499.6, 500, null)], current)).toBeUndefined()
    // A plan with too little data cannot be called cheaper.
    const refused = { Reason: 'coverage' as const, Have: 3, Needed: 10, EnoughOn: '2027-03-01' }
    expect(cheapestOf([{ ...least, Refused: refused }, less], current)).toEqual({ plan: less, saving: 50 })
  })
})
