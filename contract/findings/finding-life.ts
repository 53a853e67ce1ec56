/**
 * Kinds of findings, in the order of analysis and display.
 *
 * baseNight     night-time load has risen                        emptyRoom    air conditioning of an empty room
 * baseWeekend   load on days off has risen, or is high           leftOn       a load is on after the opening hours of its place
 * contract      another contract capacity would cost less        plan         another tariff would cost less
 * overContract  demand above the contract was billed             powerFactor  the power factor is below 95 %
 * setPoint      air conditioning is set too cold                 peakShift    loads in peak hours could run at other hours
 * selfUse       energy is sold by day and bought by night        balanceFault the balance of the site does not add up
 * silent        a meter is silent: its energy is not measured
 * measure       recorded by a person without a finding; its saving is measured
 */
export const FINDING_KINDS = [
  'baseNight',
  'emptyRoom',
  'baseWeekend',
  'leftOn',
  'contract',
  'plan',
  'overContract',
  'powerFactor',
  'setPoint',
  'peakShift',
  'selfUse',
  'balanceFault',
  'silent',
  'measure',
] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

/** Kinds about missing or faulty data: they save nothing, and are not measured. */
export const FAULT_KINDS: ReadonlySet<FindingKind> = new Set(['balanceFault', 'silent'])
/** Kinds excluded from headlines: they save nothing by themselves, or only through another contract, which is a finding of its own. */
export const NON_HEADLINE_KINDS: ReadonlySet<FindingKind> = new Set(['overContract', ...FAULT_KINDS])
/** Kinds that lower the bill for the same energy: not measured, since no kWh is saved. */
export const BILL_KINDS: ReadonlySet<FindingKind> = new Set([
  'contract',
  'plan',
  'overContract',
  'powerFactor',
])

/**
 * States of a finding.
 *
 * open          not handled yet                  accepted    assigned to be done
 * done          done on DoneOn                   dismissed   dismissed with a reason
 * verified      measured: it saved energy        notSeen     measured: it saved nothing
 * tooUncertain  measured: inconclusive           expired     not observed for 14 days
 */
export const FINDING_STATES = [
  'open',
  'accepted',
  'done',
  'verified',
  'notSeen',
  'tooUncertain',
  'dismissed',
  'expired',
] as const
export type FindingState = (typeof FINDING_STATES)[number]

/** Possible verdicts of a measurement after `done`. */
export const FINDING_VERDICTS = [
  'verified',
  'notSeen',
  'tooUncertain',
] as const satisfies readonly FindingState[]
export type FindingVerdict = (typeof FINDING_VERDICTS)[number]

/** wanted: intended · wrong: not true · later: not now. */
export const DISMISS_REASONS = ['wanted', 'wrong', 'later'] as const
export type DismissReason = (typeof DISMISS_REASONS)[number]

/** States that a user can move a finding to, by its present state. */
const MOVES: Readonly<Record<FindingState, readonly FindingState[]>> = {
  open: ['accepted', 'done', 'dismissed'],
  accepted: ['open', 'done', 'dismissed'],
  done: ['accepted', 'open'],
  dismissed: ['open'],
  verified: [],
  notSeen: [],
  tooUncertain: [],
  expired: [],
}

/** Whether a user may move a finding from one state to another; keeping a state that is not final is allowed. */
export const mayMove = (from: FindingState, to: FindingState): boolean =>
  from === to ? MOVES[from].length > 0 : MOVES[from].includes(to)

/** Days without observation after which a finding expires. */
export const EXPIRE_DAYS = 14
/** Days for which a finding dismissed as `wanted` is not reported again. */
export const WANTED_DAYS = 365
/** Factor that raises a threshold after a finding was dismissed as wrong. */
export const WRONG_FACTOR = 1.5
/** Maximum postponement of `later`, in days. */
export const LATER_DAYS = 365

/** Recommended actions by kind, most important first. */
export const TO_DO = {
  baseNight: ['findNightLoads', 'addNightSchedule'],
  emptyRoom: ['linkPresence', 'shortenDelay'],
  baseWeekend: ['findWeekendLoads', 'addWeekendSchedule'],
  leftOn: ['addOffSchedule', 'checkHours'],
  contract: ['checkComparison', 'applyForContract'],
  plan: ['checkComparison', 'applyForPlan'],
  overContract: ['guardContract', 'spreadStarts'],
  powerFactor: ['checkCapacitors'],
  setPoint: ['raiseSetPoint'],
  peakShift: ['shiftBatches'],
  selfUse: ['shiftToDay'],
  balanceFault: ['checkRoles'],
  silent: ['checkMeter'],
  measure: [],
} as const satisfies Record<FindingKind, readonly string[]>
type ToDoKey = (typeof TO_DO)[FindingKind][number]
export const TO_DO_KEYS = [...new Set(Object.values(TO_DO).flat())] as [ToDoKey, ...ToDoKey[]]

/** Number of whole days behind claims: four of each weekday. */
export const CLAIM_DAYS = 28
/** Days in the month that amounts refer to. */
export const MONTH_DAYS = 30

/** Avoidable energy of one meter. */
export interface Claim {
  /** MeterID. */
  meter: string
  /** kWh per 15-minute interval of the claimed days, in chronological order. */
  kWh: Float64Array
  /** Uncertainty as factors of the claim: 0 ≤ low ≤ 1 ≤ high. */
  low: number
  high: number
}

/** Meter with its parent and its energy in the claimed intervals. */
export interface ClaimedMeter {
  meter: string
  /** MeterID; null at the top. */
  parent: string | null
  kWh: ArrayLike<number>
}

/**
 * Combines all claims of a home: in each interval the largest claim on a meter, limited to its measured energy. A claim on a meter
 * includes those on the meters below it; claims on siblings add up.
 *
 * meters  every meter of the home with its parent; claims on others are ignored
 * returns kWh of each interval, `length` values
 */
export function unionOf(
  claims: readonly Pick<Claim, 'meter' | 'kWh'>[],
  meters: readonly ClaimedMeter[],
  length: number,
): Float64Array {
  const byMeter = new Map(meters.map((meter) => [meter.meter, meter]))
  const childrenOf = new Map<string | null, ClaimedMeter[]>()
  for (const meter of meters) {
    const parent = meter.parent !== null && byMeter.has(meter.parent) ? meter.parent : null
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), meter])
  }
  const ownClaims = new Map<string, Float64Array>()
  for (const { meter, kWh } of claims) {
    const ownKwh = ownClaims.get(meter) ?? new Float64Array(length)
    for (let i = 0; i < length; i++) ownKwh[i] = Math.max(ownKwh[i] as number, kWh[i] ?? 0)
    ownClaims.set(meter, ownKwh)
  }
  const sumBelow = (parent: string | null): Float64Array | undefined => {
    let sum: Float64Array | undefined
    for (const child of childrenOf.get(parent) ?? []) {
      const part = takenBy(child)
      if (!part) continue
      sum ??= new Float64Array(length)
      for (let i = 0; i < length; i++) (sum[i] as number) += part[i] as number
    }
    return sum
  }
  const takenBy = ({ meter, kWh }: ClaimedMeter): Float64Array | undefined => {
    const [ownKwh, childrenKwh] = [ownClaims.get(meter), sumBelow(meter)]
    if (!ownKwh && !childrenKwh) return undefined
    return Float64Array.from({ length }, (_, i) =>
      Math.min(Math.max(0, kWh[i] ?? 0), Math.max(ownKwh?.[i] ?? 0, childrenKwh?.[i] ?? 0)),
    )
  }
  return sumBelow(null) ?? new Float64Array(length)
}

/** Claims scaled to the lower or the upper end of their range. */
export const scaled = (claims: readonly Claim[], end: 'low' | 'high'): Pick<Claim, 'meter' | 'kWh'>[] =>
  claims.map(({ meter, kWh, [end]: factor }) => ({ meter, kWh: kWh.map((value) => value * factor) }))

/** Converts a sum over 28 days to a month of 30 days. */
export const monthly = (of28Days: number): number => (of28Days * MONTH_DAYS) / CLAIM_DAYS

/** Minimum amount of a finding, NT$ a month. */
const MIN_AMOUNT = 300
const MIN_SHARE = 0.01

/** Minimum amount of a finding, NT$ a month; suppresses statistical noise. */
export const floorOf = (monthlyBill: number): number => Math.max(MIN_AMOUNT, MIN_SHARE * monthlyBill)
