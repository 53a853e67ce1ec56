import { describe, expect, it } from 'vitest'
import type { HomeTariff } from '../../../../contract/tariffs/home-tariff-calls.ts'
import { parseDay, startOfDay } from '../../../../contract/time/periods.ts'
import { TAIPOWER_PLANS, taipowerPlan } from '../../../../contract/tariffs/taipower-plans.ts'
import { bandTimes } from '../../../../src/custom-views/electricity/energy-chart.tsx'
import { HOUR } from '../../domain/energy/points.ts'

const staged = TAIPOWER_PLANS.find(({ Versions }) => Versions.at(-1)?.Kind === 'timeOfUse')?.PlanID ?? ''
const held = (more: Partial<HomeTariff> = {}): HomeTariff => ({
  ValidFrom: '2025-11-01',
  ValidThrough: null,
  PlanID: staged,
  Capacities: {},
  Phases: 'single',
  PowerFactor: null,
  BillingDay: 1,
  BillingMonths: 1,
  FirstMonth: 1,
  FeedIn: null,
  ...more,
})
const versionsOf = (id: string) => taipowerPlan(id)?.Versions
const monday = parseDay('2025-11-03')
const days = { first: monday, last: monday }

describe('the bands under a chart', () => {
  it.each(['Asia/Taipei', 'Europe/Berlin'])('cover each minute of a day exactly once in %s', (zone) => {
    const times = bandTimes({ first: monday, last: monday + 6 }, [held()], versionsOf, new Set(), zone)
    expect(times[0]?.from).toBe(startOfDay(monday, zone))
    expect(times.at(-1)?.to).toBe(startOfDay(monday + 7, zone))
    expect(times.slice(1).map(({ from }) => from)).toEqual(times.slice(0, -1).map(({ to }) => to))
  })
  it('cover a day of 25 hours too', () => {
    const sunday = parseDay('2026-10-25')
    const times = bandTimes({ first: sunday, last: sunday }, [held()], versionsOf, new Set(), 'Europe/Berlin')
    expect(times.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(25 * HOUR)
  })
  it('have one band on an off-peak day', () => {
    const times = bandTimes(days, [held()], versionsOf, new Set([monday]), 'Asia/Taipei')
    expect(times.map(({ band }) => band)).toEqual(['offPeak'])
  })
  it('are empty without a tariff, before its start, or for an unknown plan', () => {
    const of = (tariffs: HomeTariff[]) => bandTimes(days, tariffs, versionsOf, new Set(), 'Asia/Taipei')
    expect(of([])).toEqual([])
    expect(of([held({ ValidFrom: '2025-12-01' })])).toEqual([])
    expect(of([held({ ValidFrom: '2025-01-01', ValidThrough: '2025-10-31' })])).toEqual([])
    expect(of([held({ PlanID: 'unknown' })])).toEqual([])
  })
})
