import { describe, expect, it } from 'vitest'
import { parseDay } from '../../../contract/time/periods.ts'
import { type BillPart, billOf } from '../../../contract/tariffs/bill.ts'
import {
  BILL_STEPS,
  compareBill,
  meterFactorOf,
  type PricedPeriod,
} from '../../../contract/tariffs/compare-bill.ts'
import { taipowerPlan } from '../../../contract/tariffs/taipower-plans.ts'
import { seasonOf, versionOn } from '../../../contract/tariffs/tariff-terms.ts'
import { seeded } from '../../support/stored-energy.ts'

const day = parseDay('2026-04-10')
const version = versionOn(taipowerPlan('lv_two_stage')?.Versions ?? [], day)
if (!version) throw new Error('No price')
const season = seasonOf(version, day)
const part = (kWh: BillPart['kWh'], peakKw: BillPart['peakKw'], Days = 30, regular = 50): BillPart => ({
  version,
  season,
  Days,
  kWh,
  peakKw,
  terms: { Capacities: { regular }, Phases: 'three', PowerFactor: 85 },
})
const month = (parts: BillPart[]): PricedPeriod => ({
  parts,
  days: parts.reduce((sum, { Days }) => sum + Days, 0),
  months: 1,
})
const totalOf = ({ parts, days, months }: PricedPeriod) =>
  billOf(parts, days, months, { Capacities: {}, Phases: 'three', PowerFactor: null }).Total
const amountOf = (steps: ReturnType<typeof compareBill>, step: (typeof BILL_STEPS)[number]) =>
  steps.find(({ Step }) => Step === step)?.Amount

const OURS = month([part({ peak: 4_000, offPeak: 2_000 }, { peak: 48, offPeak: 30 })])
const same = {
  kWh: { peak: 4_000, offPeak: 2_000 },
  peakKw: { peak: 48, offPeak: 30 },
  powerFactor: 85,
  capacities: null,
}

describe('the steps from our bill to the utility bill', () => {
  it('are empty if both are equal', () => {
    const steps = compareBill(OURS, OURS, { ...same, total: totalOf(OURS) })
    expect(steps).toEqual(BILL_STEPS.map((Step) => ({ Step, Amount: 0 })))
  })

  it('assign each difference to its step', () => {
    const more = compareBill(OURS, OURS, {
      ...same,
      kWh: { peak: 4_100, offPeak: 2_000 },
      total: totalOf(month([part({ peak: 4_100, offPeak: 2_000 }, { peak: 48, offPeak: 30 })])),
    })
    expect(more.filter(({ Amount }) => Amount !== 0).map(({ Step }) => Step)).toEqual(['kWh'])
    const over = compareBill(OURS, OURS, { ...same, peakKw: { peak: 55, offPeak: 30 }, total: totalOf(OURS) })
    expect(amountOf(over, 'peaks')).toBeGreaterThan(0)
    expect(amountOf(over, 'rest')).toBe(-(amountOf(over, 'peaks') ?? 0))
    const factor = compareBill(OURS, OURS, { ...same, powerFactor: 95, total: totalOf(OURS) })
    expect(amountOf(factor, 'powerFactor')).toBeLessThan(0)
    const contract = compareBill(OURS, OURS, { ...same, capacities: { regular: 60 }, total: totalOf(OURS) })
    expect(amountOf(contract, 'agreement')).toBeGreaterThan(0)
  })

  it('keep peaks and contracts if the bill does not state them', () => {
    const steps = compareBill(OURS, OURS, { ...same, peakKw: {}, total: totalOf(OURS) })
    expect(amountOf(steps, 'peaks')).toBe(0)
  })

  it.each(Array.from({ length: 40 }, (_, i) => i + 1))(
    'add up to the cent for any random bill (%i)',
    (seed) => {
      const next = seeded(seed)
      const some = (most: number) => Math.round(next() * most * 100) / 100
      const parts = () => [
        part({ peak: some(3_000), offPeak: some(2_000) }, { peak: some(60), offPeak: some(60) }, 17),
        part({ peak: some(3_000), semiPeak: some(500) }, { peak: some(60) }, 13, 40),
      ]
      const [ours, theirs] = [month(parts()), month(parts())]
      const total = some(50_000)
      const steps = compareBill(ours, theirs, {
        kWh: { peak: some(9_000), saturdaySemiPeak: some(100) },
        peakKw: next() > 0.5 ? {} : { peak: some(90) },
        powerFactor: next() > 0.5 ? null : Math.round(some(100)),
        capacities: next() > 0.5 ? null : { regular: some(100) },
        total,
      })
      const cents = (value: number) => Math.round(value * 100)
      const sum = steps.reduce((so, { Amount }) => so + cents(Amount), cents(totalOf(ours)))
      expect(sum).toBe(cents(total))
    },
  )
})

describe('a meter factor', () => {
  const bills = (...ratios: number[]) => ratios.map((ratio) => ({ ours: 1_000, theirs: 1_000 * ratio }))

  it('is proposed if three bills differ by the same ratio', () => {
    expect(meterFactorOf(bills(1.203, 1.198, 1.2))).toEqual({ Ratio: expect.closeTo(1.2003, 3), Bills: 3 })
  })

  it.each([
    ['two bills', bills(1.2, 1.2)],
    ['an unsteady ratio', bills(1.2, 1.25, 1.2)],
    ['bills that agree', bills(1.004, 0.999, 1.002)],
    ['a meter that counted nothing', [...bills(1.2, 1.2), { ours: 0, theirs: 5 }]],
  ])('is not proposed for %s', (_, some) => expect(meterFactorOf(some)).toBeNull())
})
