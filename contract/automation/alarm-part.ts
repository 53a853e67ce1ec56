import { z } from 'zod'
import { CognitoId, DepartmentID, GroupID, NotificationChannelID, PeripheralUID } from '../kernel/scalars.ts'
import { AlarmSeverity } from '../kernel/alarm-severity.ts'

/** Most people and departments that are told by name. */
export const MAX_ALARM_RECIPIENTS = 50
/** Most channels that a step of an escalation names. */
export const MAX_CHANNELS = 20
/** Most steps of an escalation, and most loads that are shed. */
export const MAX_ESCALATIONS = 3
export const MAX_LOADS = 20
/**
 * How a guard keeps below its target unless its rule says otherwise. Product decisions, docs/decisions/0024.
 *
 * HoldBelow      % of the target below which the quarter is to end. The margin is for what the forecast cannot know: a report may be a
 *                minute old, and 3 % is what a load of 45 % of the target adds to a quarter in one minute. A site of 60 MW whose loads
 *                are small beside it can hold 99
 * GiveBackBelow  % of the target below which the quarter must be foretold for a load to be given back: 12 % of room, so that what comes
 *                back does not cause the next shedding
 * GiveBackEvery  seconds between two loads that are given back, as long as a main meter may take to show what the last one draws. Machines
 *                with a start-up peak, and cold stores that all cool at once when they come back, need longer
 */
export const SHED_DEFAULTS = { HoldBelow: 97, GiveBackBelow: 85, GiveBackEvery: 60 } as const

/** Seconds within which every main meter must report for loads to be shed in time. */
export const SHED_REPORT_TIMEOUT_S = 60

/**
 * Who is told. `readers`: everybody who may read what it is about and wants to hear of it; else these people and the people of these
 * departments, as far as they may read it. Companies' channels (LINE, Teams, webhooks) choose for themselves.
 */
export const Recipients = z.union([
  z.literal('readers'),
  z
    .strictObject({
      Users: z.array(CognitoId).max(MAX_ALARM_RECIPIENTS, 'tooManyRecipients').default([]),
      Departments: z.array(DepartmentID).max(MAX_ALARM_RECIPIENTS, 'tooManyRecipients').default([]),
    })
    .refine(({ Users, Departments }) => Users.length + Departments.length > 0, 'required'),
])
export type Recipients = z.output<typeof Recipients>

/** Of any automation: who is told when it runs, or when its alarm is raised. Text stands under the sentence that the product makes. */
export const NotifySettings = z.strictObject({
  To: Recipients.default('readers'),
  Text: z.string().trim().max(500, 'tooLong').default(''),
})
export type NotifySettings = z.output<typeof NotifySettings>

/**
 * Who is told when nobody has acknowledged an alarm for After minutes.
 *
 * Channels  of the company that are told as well, whatever they want to hear otherwise; one that is gone or off is passed over
 */
export const Escalation = z.strictObject({
  After: z.number().int().min(1, 'tooSmall').max(1440, 'tooBig'),
  To: Recipients,
  Channels: z.array(NotificationChannelID).max(MAX_CHANNELS, 'tooManyRecipients').optional(),
})
export type Escalation = z.output<typeof Escalation>

/**
 * A load that is switched off before the contract is exceeded, and given back. Values are what sheds it, e.g. `{Switch: 0}`.
 *
 * MinOff, MaxOff  seconds that it stays off at least, and at most before another one takes its turn
 * Kw              what it draws, where no meter says so; null takes what its meter measures
 */
export const Load = z
  .strictObject({
    PeripheralUID: PeripheralUID.optional(),
    GroupID: GroupID.optional(),
    Values: z.record(z.string().max(64), z.unknown()),
    Kw: z.number().positive('tooSmall').max(100_000, 'tooBig').nullable().default(null),
    MinOff: z.number().int().min(0, 'tooSmall').max(7200, 'tooBig').default(600),
    MaxOff: z.number().int().min(60, 'tooSmall').max(86_400, 'tooBig').default(3600),
  })
  .superRefine(({ PeripheralUID: device, GroupID: group, Values, MinOff, MaxOff }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    if ((device === undefined) === (group === undefined))
      refuse('PeripheralUID', device === undefined ? 'required' : 'invalid')
    if (Object.keys(Values).length === 0) refuse('Values', 'required')
    if (MaxOff < MinOff) refuse('MaxOff', 'upperBelowLower')
  })
export type Load = z.output<typeof Load>

/**
 * The contract guard: sheds loads in this order before a quarter of an hour exceeds what is agreed, and gives them back gently.
 *
 * AllowBilledPeak           the target is the peak that is billed anyway in this band and billing period, where that is above the contract
 * HoldBelow, GiveBackBelow  % of the target, the latter the lower
 * GiveBackEvery             seconds
 */
export const Shed = z
  .strictObject({
    Loads: z.array(Load).min(1, 'required').max(MAX_LOADS, 'tooManyRows'),
    AllowBilledPeak: z.boolean().default(false),
    HoldBelow: z.number().min(50, 'tooSmall').max(100, 'tooBig').default(SHED_DEFAULTS.HoldBelow),
    GiveBackBelow: z.number().min(10, 'tooSmall').max(99, 'tooBig').default(SHED_DEFAULTS.GiveBackBelow),
    GiveBackEvery: z
      .number()
      .int()
      .min(30, 'tooSmall')
      .max(3600, 'tooBig')
      .default(SHED_DEFAULTS.GiveBackEvery),
  })
  .refine(({ HoldBelow, GiveBackBelow }) => GiveBackBelow < HoldBelow, {
    path: ['GiveBackBelow'],
    message: 'tooBig',
  })
export type Shed = z.output<typeof Shed>

/**
 * What makes a rule an alarm (type 4). What is measured, its limits, hysteresis and hold are its Conditions.
 *
 * ClearAfter  seconds that the conditions must have been false before it is cleared
 * NoData      whether an alarm is raised when nobody knows whether the conditions hold, after For and at least 60 s
 * Ahead       of sums of energy: also told when they will cross the limit before the hour, day or month is over at this pace
 * Escalate    in the order of After
 * Shed        of a home's DemandForecast or DemandShare
 */
export const AlarmPart = z.strictObject({
  Severity: AlarmSeverity,
  ClearAfter: z.number().int().min(0, 'tooSmall').max(86_400, 'tooBig').default(60),
  NoData: z.enum(['keep', 'alarm']).default('keep'),
  Ahead: z.boolean().default(false),
  Escalate: z.array(Escalation).max(MAX_ESCALATIONS, 'tooManyRows').default([]),
  Shed: Shed.optional(),
})
export type AlarmPart = z.output<typeof AlarmPart>
