import type { MeterRole } from '../devices/meter-roles.ts'

/** What people say of a meter from a day on. Each has a history of its own. */
export const METER_FACTS = ['role', 'room', 'parent', 'use', 'terms', 'limit'] as const
export type MeterFactName = (typeof METER_FACTS)[number]

/** What a meter's energy is used for, as far as findings ask: the comfort of people, or anything else. */
export const METER_USES = ['airConditioning', 'lighting', 'other'] as const
export type MeterUse = (typeof METER_USES)[number]

/** What each fact says. `rated` follows from the device and `learnt` from its readings; nobody sets them by themselves. */
export interface FactValues {
  role: MeterRole
  /** RoomID. */
  room: number
  /** The id of the meter above; null at the top. */
  parent: string | null
  use: MeterUse
  /** Of a virtual meter. */
  terms: { PeripheralUID: string; Factor: 1 | -1 }[]
  /** The most that the meter may pass, in kW; null leaves it to what is known otherwise. */
  limit: number | null
  /** kW that its device is rated for; null where nobody says any more. */
  rated: number | null
  /** kW. */
  learnt: number
}
export type StoredFact = keyof FactValues

/** The first day of a fact that always held, as `dayOf` numbers days. */
export const SINCE_ALWAYS = 0

/** What holds from a day of the home's calendar until the next of its history. */
export interface DatedValue<Value> {
  /** As `dayOf` numbers days; `ALWAYS` for one without a beginning. */
  from: number
  value: Value
}

/** What holds on a day; undefined before the first. `history` ascending. */
export function valueOn<Value>(history: readonly DatedValue<Value>[], day: number): Value | undefined {
  let held: Value | undefined
  for (const { from, value } of history) {
    if (from > day) break
    held = value
  }
  return held
}
