import { describe, expect, it } from 'vitest'
import { leastContract, taipowerPlan } from '../../../../contract/tariffs/taipower-plans.ts'
import { versionOn } from '../../../../contract/tariffs/tariff-terms.ts'
import { billingCycles, billingPeriodsBefore } from '../../../../gateway/domain/tariffs/billing-periods.ts'
import { parseDay } from '../../../../contract/time/periods.ts'
import { billParts, createBandTable, wholeBill } from '../../../../gateway/features/tariffs/bill-parts.ts'
import { billsOfPlan } from '../../../../gateway/features/tariffs/compare-plans.ts'
import type { ProfileDay } from '../../../../gateway/features/tariffs/ports.ts'
import { homeTariff } from '../../../support/home-tariff.ts'
import { seeded } from '../../../support/stored-energy.ts'

/** Two years of a home with different peak heights every day. */
function aProfile(seed: number, scale: number, from: number, end: number): Map<number, ProfileDay> {
  const random = seeded(seed)
  return new Map(
    Array.from({ length: end - from }, (_, i) => {
      const peak = scale * (20 + 180 * random() ** 3)
      const kWh = Float64Array.from({ length: 96 }, (_, quarter) =>
        quarter > 30 && quarter < 76 ? (peak / 4) * (0.4 + 0.6 * random()) : 3 * scale * random(),
      )
      return [
        from + i,
        {
          kWh,
          known: 96,
          total: 96,
          measured: new Int32Array(96).fill(1),
          resolved: new Int32Array(96).fill(1),
        },
      ]
    }),
  )
}

const periods = billingPeriodsBefore(parseDay('2026-07-10'), 24, billingCycles([homeTariff()]))
const [first, last] = [periods[0]?.FromDay ?? 0, periods.at(-1)?.EndDay ?? 0]
const terms = { Phases: 'three' as const, PowerFactor: 90 }

describe('the cheapest contract', () => {
  for (const [PlanID, scale, agreed] of [
    ['lv_two_stage', 1, {}],
    ['hv_two_stage', 5, { nonSummer: 40 }],
    ['hv_three_stage', 5, { semiPeak: 30, offPeak: 20 }],
  ] as const)
    it(`is found among all of whole kW: ${PlanID}`, () => {
      const versions = taipowerPlan(PlanID)?.Versions ?? []
      const bandsOf = createBandTable(new Set(), 'Asia/Taipei')
      for (const seed of [1, 2, 3]) {
        const profile = aProfile(seed, scale, first, last)
        const parts = periods.map((period) =>
          billParts(period, profile, (day) => versionOn(versions, day), bandsOf),
        )
        const under = (regular: number) => ({ ...terms, Capacities: { ...agreed, regular } })
        const totalOf = (regular: number) =>
          periods.reduce(
            (sum, period, i) => sum + (wholeBill(period, parts[i] ?? [], under(regular))?.Total ?? 0),
            0,
          )
        const least = leastContract(PlanID)
        const { Best } = billsOfPlan({ PlanID, parts }, periods, under(least), null, least, null)
        expect(Best?.Total).toBeCloseTo(totalOf(Best?.Regular ?? 0), 1)
        for (let regular = least; regular < 220 * scale; regular += 2 * scale)
          expect(Best?.Total).toBeLessThanOrEqual(totalOf(regular) + 0.01)
      }
    })
})
