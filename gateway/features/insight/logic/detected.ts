import { type FindingKind, type Claim, CLAIM_DAYS } from '../../../../contract/findings/finding-life.ts'

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

/**
 * Evidence that every finding about the last four weeks needs: the number of whole days, and the measured share of
 * their hours. With less, the result is "too little data" instead of "nothing found".
 */
export const EVIDENCE = { days: CLAIM_DAYS, share: 0.9 } as const

/** Confidence in a saving on bills, by its range. */
type BillConfidence = 'high' | 'medium' | 'low'

/** A bill as it is and as it would be. */
interface BillPair {
  actual: number
  without: number
  months: number
  /** Measured share of it, 0 to 1. */
  measured: number
}

/** A saving per month. */
interface BillSaving {
  amount: number
  low: number
  high: number
  confidence: BillConfidence
}

/**
 * Saving of a change per month, with the range that the bills show: each bill is left out once, because the next year
 * will not repeat every bill, and the unmeasured part of a bill counts as wrong.
 *
 * returns  confidence is high if the lower end is at least half of the amount, low if it is not positive
 */
export function savingOfBills(bills: readonly BillPair[]): BillSaving {
  const months = sum(bills.map((bill) => bill.months))
  const saved = bills.map(({ actual, without }) => actual - without)
  const amount = months > 0 ? sum(saved) / months : 0
  const ends = ([-1, 1] as const).map((sign) => {
    const shifted = bills.map(
      ({ measured }, i) => (saved[i] as number) + sign * Math.abs(saved[i] as number) * (1 - measured),
    )
    const all = sum(shifted)
    const remaining = bills.flatMap((bill, i) =>
      months > bill.months ? [(all - (shifted[i] as number)) / (months - bill.months)] : [],
    )
    return [months > 0 ? all / months : 0, ...remaining]
  })
  const low = Math.min(amount, ...(ends[0] as number[]))
  const high = Math.max(amount, ...(ends[1] as number[]))
  return { amount, low, high, confidence: low >= amount / 2 ? 'high' : low > 0 ? 'medium' : 'low' }
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)

/**
 * Shares of a total in proportion to some amounts, to the cent; their sum is the total.
 *
 * amounts  none below 0
 */
export function sharesOf(total: number, amounts: readonly number[]): number[] {
  const all = sum(amounts)
  const cents = Math.round(total * 100)
  const shares = amounts.map((amount) => (all > 0 ? Math.floor((cents * amount) / all) : 0))
  const largest = amounts.indexOf(Math.max(...amounts))
  if (all > 0) shares[largest] = (shares[largest] as number) + cents - sum(shares)
  return shares.map((share) => share / 100)
}
