import type { Alarm } from '../../procedures/alarms.ts'
import type { Trouble } from './troubles.ts'
import type { Breach } from './warning-threshold.ts'

export const SEVERITIES = ['critical', 'warning', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

/** What every item says of what needs somebody. */
export interface Item {
  /** Of one thing for one reason: the same as long as that stands. */
  Key: string
  Severity: Severity
  HomeID: string
  RoomID: number
  /** A PeripheralUID, of `hubLost` and `neverSeen` a ThingName, and of `rule` an AutomationID. */
  Subject: string
  /** Since when, epoch ms; null when nobody knows. */
  Since: number | null
  /** Why this is no longer certain: what was said last before the hub was lost, or the device was removed. */
  Stale: { Why: 'hubLost' | 'removed'; Since: number | null } | null
  /** The open alarm that is stored of it; null for what raises none, and as long as it is not known. */
  AlarmID: string | null
  /** Who knows of that alarm, and until when it is put aside: neither ends it. */
  Acknowledged: Alarm['Acknowledged']
  Shelved: Alarm['Shelved']
}

/** What an item says of a state that means alarm or warning. */
export interface StateWord {
  Kind: 'state'
  Troubles: readonly Trouble[]
}

/** What an item says of an alarm of a rule: which measures, and their limits. */
export interface RuleWord {
  Kind: 'rule'
  /** The limit will be crossed at this pace, and is not yet. */
  IsAhead: boolean
  Name: string | null
  /** The one device that it is about. */
  PeripheralUID: string | null
  Readings: Alarm['Readings']
}

/** What needs somebody, and why. */
export type AttentionItem = Item &
  (
    | StateWord
    | RuleWord
    | { Kind: 'breach'; Breaches: readonly Breach[] }
    | { Kind: 'lowBattery'; Battery: number }
    | { Kind: 'hubLost' | 'neverSeen' | 'meterSilent' | 'silent' }
  )
