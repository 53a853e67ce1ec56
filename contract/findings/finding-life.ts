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
export type ToDoKey = (typeof TO_DO)[FindingKind][number]
export const TO_DO_KEYS = [...new Set(Object.values(TO_DO).flat())] as [ToDoKey, ...ToDoKey[]]
