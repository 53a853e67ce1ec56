import type { MeterRole } from '../devices/meter-roles.ts'

/** Facts about a meter that are valid from a day on. Each has its own history. */
export const METER_FACTS = ['role', 'room', 'parent', 'use', 'terms', 'limit'] as const
export type MeterFactName = (typeof METER_FACTS)[number]

/**
 * End uses of a meter's energy.
 *
 * airConditioning  for people; that of machines belongs to their use      it  servers and their cooling
 * sockets          plugged-in devices that have no meter of their own      production  machines, and what they need
 */
export const METER_USES = [
  'airConditioning',
  'lighting',
  'sockets',
  'it',
  'production',
  'evCharging',
  'other',
] as const
export type MeterUse = (typeof METER_USES)[number]

/** Value of each fact. `rated` is derived from the device and `learnt` from its readings; users cannot set them. */
export interface FactValues {
  role: MeterRole
  /** RoomID. */
  room: number
  /** Id of the parent meter; null at the top. */
  parent: string | null
  use: MeterUse
  terms: { PeripheralUID: string; Factor: 1 | -1 }[]
  /** Maximum power in kW; null defers to `rated` and `learnt`. */
  limit: number | null
  /** Rated power of its device, kW; null if no longer stated. */
  rated: number | null
  /** kW. */
  learnt: number
}
export type StoredFact = keyof FactValues

/** First day of a fact that was always valid, as `dayOf` numbers days. */
export const SINCE_ALWAYS = 0

/** Value that is valid from a local day until the next entry of its history. */
export interface DatedValue<Value> {
  /** As `dayOf` numbers days; `SINCE_ALWAYS` if it has no beginning. */
  from: number
  value: Value
}

/** Value that is valid on a day; undefined before the first. `history` ascending. */
export function valueOn<Value>(history: readonly DatedValue<Value>[], day: number): Value | undefined {
  let currentValue: Value | undefined
  for (const { from, value } of history) {
    if (from > day) break
    currentValue = value
  }
  return currentValue
}
