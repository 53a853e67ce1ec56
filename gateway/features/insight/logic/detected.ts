import type { FindingKind } from '../../../../contract/findings/finding-life.ts'
import type { Claim } from '../../../../contract/findings/saving.ts'

/** Place of a finding: a room, a meter or another device; with neither, the whole home. */
export interface DetectedPlace {
  RoomID: number | null
  MeterID: string | null
}

/** A day of evidence: measured value, usual value, and usual range. */
export interface UsualDay {
  /** As `dayOf` numbers days. */
  day: number
  value: number | null
  usual: number | null
  low: number | null
  high: number | null
}

/** A finding before it is priced. */
export interface DetectedFinding {
  kind: FindingKind
  place: DetectedPlace
  /** The days on which it was detected, the last exclusive. */
  from: number
  end: number
  confidence: 'high' | 'medium' | 'low'
  why: { Key: string; Values: Record<string, number | string> }
  /** Avoidable energy of the 28 days; empty if the finding is not about energy. */
  claims: readonly Claim[]
  /** kWh a month without a claim; null if the finding is not about energy. */
  kWh?: number | null
  /** NT$ a month if it does not follow from claims; null without prices. */
  money?: { amount: number; low: number; high: number } | null
  evidence: { unit: 'kW' | 'kWh' | 'hours' | 'TWD' | 'percent'; days: readonly UsualDay[] }
  /** Usual values from before the finding began: its detector receives them again as long as it lasts. */
  memory?: Readonly<Record<string, number>>
}

/** The previous finding in the same place, and the factor of its threshold. */
export interface PreviousFinding {
  /** Null if there is no current finding. */
  memory: Readonly<Record<string, number>> | null
  /** 1, multiplied by 1.5 each time a person marked the finding as wrong. */
  factor: number
}
