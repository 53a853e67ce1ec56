import type { HomeTariff } from '../../contract/tariffs/home-tariff-calls.ts'

/** Tariff of a home from 2025 on: low voltage, two stages, 50 kW. */
export const homeTariff = (changes: Partial<HomeTariff> = {}): HomeTariff => ({
  ValidFrom: '2025-01-01',
  ValidThrough: null,
  PlanID: 'lv_two_stage',
  Capacities: { regular: 50 },
  Phases: 'three',
  PowerFactor: null,
  BillingDay: 1,
  BillingMonths: 1,
  FirstMonth: 1,
  FeedIn: null,
  ...changes,
})
