/**
 * What a finding is about, in the order in which they are looked for and listed.
 *
 * baseNight     what runs at night has risen                     emptyRoom    air conditioning of a room that is empty
 * baseWeekend   what runs on days off has risen, or is much      leftOn       a load is on after the hours of its place
 * contract      another contract capacity would cost less        plan         another tariff would cost less
 * overContract  demand beyond the contract was billed            powerFactor  the power factor is below 95 %
 * setPoint      air conditioning is set too cold                 peakShift    loads in peak hours could run at others
 * selfUse       energy is sold by day and bought by night        balanceFault the balance of the site does not add up
 * silent        a meter is silent: what it counts is unseen
 * measure       nothing was found: a person recorded what was done, and what it saved is measured
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

/** Kinds that say what cannot be seen, or is wrong with meters: nothing is saved by them, and no measurement follows. */
export const FAULT_KINDS: ReadonlySet<FindingKind> = new Set(['balanceFault', 'silent'])
/** Kinds that are in no headline: nothing is saved by them, or by another contract, which is found by itself. */
export const NON_HEADLINE_KINDS: ReadonlySet<FindingKind> = new Set(['overContract', ...FAULT_KINDS])
/** Kinds that change what is paid for the same energy: no measurement follows, since no kWh is saved. */
export const BILL_KINDS: ReadonlySet<FindingKind> = new Set([
  'contract',
  'plan',
  'overContract',
  'powerFactor',
])

/**
 * open          nobody has said anything        accepted    somebody will do it
 * done          it was done on DoneOn           dismissed   it was put aside, with a reason
 * verified      measured: it saved              notSeen     measured: it did not
 * tooUncertain  measured: nobody can say        expired     it has not been seen for 14 days
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

/** What a measurement after `done` may come to. */
export const FINDING_VERDICTS = [
  'verified',
  'notSeen',
  'tooUncertain',
] as const satisfies readonly FindingState[]
export type FindingVerdict = (typeof FINDING_VERDICTS)[number]

/** wanted: it is meant to be so · wrong: it is not so · later: not now. */
export const DISMISS_REASONS = ['wanted', 'wrong', 'later'] as const
export type DismissReason = (typeof DISMISS_REASONS)[number]

/** What a person makes of a finding in each state. */
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

/** Whether a person may move a finding from one state to another; to stay in one that is not over is no move, and allowed. */
export const mayMove = (from: FindingState, to: FindingState): boolean =>
  from === to ? MOVES[from].length > 0 : MOVES[from].includes(to)

/** Days after which a finding that is not seen any more is over. */
export const EXPIRE_DAYS = 14
/** Days in which what is wanted so is not said again. */
export const WANTED_DAYS = 365
/** By how much a threshold rises where a finding was wrong. */
export const WRONG_FACTOR = 1.5
/** `later` means another day of the next year. */
export const LATER_DAYS = 365

/** What can be done about a finding, the first thing first. */
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
export type ToDoKey = (typeof TO_DO)[FindingKind][number]
export const TO_DO_KEYS = [...new Set(Object.values(TO_DO).flat())] as [ToDoKey, ...ToDoKey[]]
