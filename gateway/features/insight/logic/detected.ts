import type { FindingKind } from '../../../../contract/findings/finding-life.ts'
import type { Claim } from '../../../../contract/findings/saving.ts'

/** A place of a finding: a room, a meter or another device, or with neither the home as a whole. */
export interface DetectedPlace {
  RoomID: number | null
  MeterID: string | null
}

/** A day of what was looked at: what was measured, what is usual, and between which that lies. */
export interface UsualDay {
  /** As `dayOf` numbers days. */
  day: number
  value: number | null
  usual: number | null
  low: number | null
  high: number | null
}

/** What a kind found in one place, before anybody knows what it costs. */
export interface DetectedFinding {
  kind: FindingKind
  place: DetectedPlace
  /** The days that it was seen in, the last exclusive. */
  from: number
  end: number
  confidence: 'high' | 'medium' | 'low'
  why: { Key: string; Values: Record<string, number | string> }
  /** What need not have been used in the 28 days; empty where it is not about energy. */
  claims: readonly Claim[]
  /** kWh a month where there is no claim; null where it is not about energy. */
  kWh?: number | null
  /** NT$ a month where that does not follow from claims; null where nothing has a price. */
  money?: { amount: number; low: number; high: number } | null
  evidence: { unit: 'kW' | 'kWh' | 'hours' | 'TWD' | 'percent'; days: readonly UsualDay[] }
  /** What its kind found usual before it began: given back to it as long as it lasts. */
  memory?: Readonly<Record<string, number>>
}

/** What was found in the same place before, and how much its threshold was raised since. */
export interface PreviousFinding {
  /** Null where nothing is found now. */
  memory: Readonly<Record<string, number>> | null
  /** 1, and 1.5 times more for each time that a person said that it was wrong. */
  factor: number
}
