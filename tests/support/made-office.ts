import { parseDay, weekdayOf, type DayType } from '../../contract/time/periods.ts'
import { seeded } from './stored-energy.ts'

/** Meters of a synthetic office of three rooms. */
export const OFFICE_METERS = ['main', 'cooling', 'lights', 'servers', 'kitchen', 'workshop'] as const
export type OfficeMeter = (typeof OFFICE_METERS)[number]

/** Faults of the office, each from a day on. */
export interface Faults {
  /** Pump that never stops: kW in addition to the kitchen's load. */
  night?: { from: number; kw: number }
  /** Cooling that continues over weekends. */
  weekend?: { from: number }
  /** Lights that stay on in the evening. */
  lights?: { from: number }
  /** Cooling of a room that is empty in the afternoon. */
  empty?: { from: number }
}

/** Monday. */
export const OFFICE_BEGAN = parseDay('2026-01-05')

/** Kind of a day without holidays. */
export const plainType = (day: number): DayType =>
  weekdayOf(day) === 0 ? 'offPeakDay' : weekdayOf(day) === 6 ? 'saturday' : 'weekday'

/** Whether the office is open and the meeting room in use, by quarter of the day. */
export const isOpenAt = (day: number, quarter: number): boolean =>
  plainType(day) === 'weekday' && quarter >= 32 && quarter < 72
export const isUsedAt = (day: number, quarter: number): boolean =>
  plainType(day) === 'weekday' && quarter >= 36 && quarter < 52

/** Energy of each meter of an office on a day, kWh by quarter, with reproducible noise per day and per quarter. */
export function officeDay(seed: number, day: number, faults: Faults = {}): Record<OfficeMeter, Float64Array> {
  const random = seeded(seed * 7919 + day * 104_729)
  for (let i = 0; i < 5; i++) random()
  const season = 1 + 0.15 * Math.sin(((day - OFFICE_BEGAN) / 365) * 2 * Math.PI)
  const energy = Object.fromEntries(OFFICE_METERS.map((meter) => [meter, new Float64Array(96)])) as Record<
    OfficeMeter,
    Float64Array
  >
  const factors = Object.fromEntries(OFFICE_METERS.map((meter) => [meter, 0.9 + 0.2 * random()]))
  for (let quarter = 0; quarter < 96; quarter++) {
    const isOpen = isOpenAt(day, quarter)
    const noisy = (kw: number, meter: OfficeMeter) =>
      (kw * (factors[meter] as number) * (0.92 + 0.16 * random())) / 4
    const isOn = (fault: { from: number } | undefined) => fault !== undefined && day >= fault.from
    const isWeekend = plainType(day) !== 'weekday'
    const cools =
      (isOpen && (isUsedAt(day, quarter) || isOn(faults.empty))) ||
      (isWeekend && isOn(faults.weekend) && quarter >= 32 && quarter < 72)
    const isLit = isOpen || (isOn(faults.lights) && !isWeekend && quarter >= 72 && quarter < 92)
    energy.cooling[quarter] = noisy(cools ? 12 * season : 0.2, 'cooling')
    energy.lights[quarter] = noisy(isLit ? 6 : 0.4, 'lights')
    energy.servers[quarter] = noisy(5, 'servers')
    energy.kitchen[quarter] =
      noisy(isOpen ? 4 : 1.5, 'kitchen') + (isOn(faults.night) ? (faults.night?.kw ?? 0) / 4 : 0)
    energy.workshop[quarter] = noisy(isOpen ? 8 : 0.8, 'workshop')
  }
  for (const meter of OFFICE_METERS)
    if (meter !== 'main')
      for (let i = 0; i < 96; i++) (energy.main[i] as number) += energy[meter][i] as number
  return energy
}
