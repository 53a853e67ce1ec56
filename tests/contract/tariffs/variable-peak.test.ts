import { describe, expect, it } from 'vitest'
import { parseDay } from '../../../contract/time/periods.ts'
import { lackingFor, NO_PEAK_DAYS, PEAK_DAYS_A_YEAR } from '../../../contract/tariffs/peak-days.ts'
import { taipowerPlan } from '../../../contract/tariffs/taipower-plans.ts'
import {
  bandsOfDay,
  dayClassOf,
  pricing,
  type TariffVersion,
  versionOn,
} from '../../../contract/tariffs/tariff-terms.ts'

/** Wednesday in June 2026. */
const JUNE_10 = parseDay('2026-06-10')

/** Version valid on a day, with a Wednesday in June announced and all of June entered. */
function versionAt(PlanID: string, day: number): TariffVersion {
  const version = versionOn(taipowerPlan(PlanID)?.Versions ?? [], day) as TariffVersion
  return { ...version, PeakDays: { Days: [JUNE_10], CompleteThrough: { 2026: parseDay('2026-06-30') } } }
}

/** NT$ of a day with a consumption of one kWh in each hour. */
const priceOf = (PlanID: string, date: string): number => {
  const day = parseDay(date)
  return bandsOfDay(versionAt(PlanID, day), day, new Set()).reduce(
    (sum, { FromMinute, ThroughMinute, Price }) => sum + ((ThroughMinute - FromMinute) / 60) * (Price ?? NaN),
    0,
  )
}

describe('a plan with variable peak hours', () => {
  // Taipower's table of 2025-10-01: 18.33 and 17.05 from 16:00 to 22:00 on announced days; other prices are those of three stages.
  it.each([
    ['hv_three_stage_variable', '2026-06-10', 9 * 2.53 + 9 * 5.85 + 6 * 18.33],
    ['hv_three_stage_variable', '2026-06-11', 9 * 2.53 + 15 * 5.85],
    ['hv_three_stage_variable', '2026-06-13', 9 * 2.53 + 15 * 2.6],
    ['hv_three_stage_variable', '2026-06-14', 24 * 2.53],
    ['hv_three_stage_variable', '2026-01-14', 9 * 2.32 + 15 * 5.47],
    ['ehv_three_stage_variable', '2026-06-10', 9 * 2.4 + 9 * 5.38 + 6 * 17.05],
    ['ehv_three_stage_variable', '2026-06-11', 9 * 2.4 + 15 * 5.38],
  ])('%s charges %s hour by hour %f', (plan, date, expected) => {
    expect(priceOf(plan, date)).toBeCloseTo(expected, 9)
  })

  it('does not add up announced days with other days of their kind', () => {
    const version = versionAt('hv_three_stage_variable', JUNE_10)
    const classOn = (date: string) => dayClassOf(version, parseDay(date), new Set())
    expect(classOn('2026-06-10')).not.toBe(classOn('2026-06-11'))
    expect(classOn('2026-06-09')).toBe(classOn('2026-06-11'))
  })

  it('has no price on a day with an unknown announcement', () => {
    const version = versionAt('hv_three_stage_variable', JUNE_10)
    const isPriced = (date: string) => pricing(version, parseDay(date)) !== undefined
    expect(['2026-06-30', '2026-07-04', '2026-11-02'].map(isPriced)).toEqual([true, true, true])
    expect(['2026-07-01', '2026-10-15'].map(isPriced)).toEqual([false, false])
    const { PeakDays: _, ...without } = version
    expect(pricing(without, JUNE_10)).toBeUndefined()
    // Plans without announced days need no announcement for a price.
    expect(pricing(versionAt('hv_three_stage', JUNE_10), parseDay('2026-07-01'))).toBeDefined()
  })

  it('knows a whole year once thirty days are entered', () => {
    const day = parseDay('2026-09-01')
    const entered = (count: number) => ({
      ...NO_PEAK_DAYS,
      Days: Array.from({ length: count }, (_, i) => parseDay('2026-06-01') + i),
    })
    expect(lackingFor(entered(PEAK_DAYS_A_YEAR - 1), day)).toEqual({ Year: 2026, Known: 29, Needed: 30 })
    expect(lackingFor(entered(PEAK_DAYS_A_YEAR), day)).toBeUndefined()
  })
})
