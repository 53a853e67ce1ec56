import type { Alarm } from '../../procedures/alarms.ts'
import type { Trouble } from './troubles.ts'

export const SEVERITIES = ['critical', 'warning', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

/** What every item says of what needs somebody. */
export interface Item {
  /** Of one thing for one reason: the same as long as that stands. */
  Key: string
  Severity: Severity
  HomeID: string
  RoomID: number
  /** A PeripheralUID, or of `hubLost` and `neverSeen` a ThingName. */
  Subject: string
  /** Since when, epoch ms; null when nobody knows. */
  Since: number | null
  /** Why this is no longer certain: what was said last before the hub was lost, or the device was removed. */
  Stale: { Why: 'hubLost' | 'removed'; Since: number | null } | null
}

/** What an item says of a state that means alarm or warning. */
export interface StateWord {
  Kind: 'state'
  Troubles: readonly Trouble[]
  /** Null as long as it is not known under which alarm it is stored. */
  AlarmID: string | null
  Acknowledged: Alarm['Acknowledged']
}
