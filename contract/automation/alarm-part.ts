import { z } from 'zod'
import { CognitoId, DepartmentID, GroupID, NotificationChannelID, PeripheralUID } from '../kernel/scalars.ts'
import { AlarmSeverity } from '../kernel/severity.ts'

/** Maximum named people, and maximum named departments, among the recipients. */
export const MAX_ALARM_RECIPIENTS = 50
export const MAX_CHANNELS = 20
export const MAX_ESCALATIONS = 3
export const MAX_LOADS = 20
/**
 * Defaults of load shedding. Product decisions, docs/decisions/0024.
 *
 * HoldBelow      % of the target below which the quarter-hour should end. The margin covers the error of the forecast: a report may be a
 *                minute old, and a load of 45 % of the target adds 3 % within one minute. A site of 60 MW with comparatively
 *                small loads can use 99
 * GiveBackBelow  % of the target below which the forecast must be before a load is restored: a margin of 12 %, so that the restored
 *                load does not cause the next shedding
 * GiveBackEvery  seconds between two restored loads: the time a main meter may take to show the consumption of the last one. Machines
 *                with an inrush peak, and cold stores that all cool when they are restored, need longer
 */
export const SHED_DEFAULTS = { HoldBelow: 97, GiveBackBelow: 85, GiveBackEvery: 60 } as const

/** Maximum report interval of every main meter in seconds, so that loads can be shed in time. */
export const SHED_REPORT_TIMEOUT_S = 60

/**
 * Recipients of notifications. `readers`: everyone who may read the subject and has subscribed to it; otherwise the listed people
 * and members of the listed departments, if they may read it. The company's channels (LINE, Teams, webhooks) have their own
 * settings.
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

/**
 * Notification settings of any automation: recipients when it runs or raises its alarm. Text is added below the generated sentence.
 */
export const NotifySettings = z.strictObject({
  To: Recipients.default('readers'),
  Text: z.string().trim().max(500, 'tooLong').default(''),
})
export type NotifySettings = z.output<typeof NotifySettings>

/**
 * Recipients if an alarm is still unacknowledged after After minutes.
 *
 * Channels  channels of the company that are notified regardless of their own settings; deleted or disabled ones are skipped
 */
export const Escalation = z.strictObject({
  After: z.number().int().min(1, 'tooSmall').max(1440, 'tooBig'),
  To: Recipients,
  Channels: z.array(NotificationChannelID).max(MAX_CHANNELS, 'tooManyRecipients').optional(),
})
export type Escalation = z.output<typeof Escalation>

/**
 * Load that is switched off before the contract capacity is exceeded, and restored later. Values shed it, e.g. `{Switch: 0}`.
 *
 * MinOff, MaxOff  minimum seconds that it stays off, and maximum seconds before another load takes its turn
 * Kw              power of the load if no meter measures it; null uses its meter
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
 * Load shedding: sheds loads in this order before a quarter-hour exceeds the contract capacity, and restores them gradually.
 *
 * AllowBilledPeak           the target is the peak already billed in this band and billing period, if that exceeds the contract capacity
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
 * Alarm part of a rule (type 4). The measured values, limits, hysteresis and hold are in its Conditions.
 *
 * ClearAfter  seconds that the conditions must have been false before the alarm is cleared
 * NoData      whether an alarm is raised if the conditions have been unknown for the duration For, at least 60 s
 * Ahead       for sums of energy: also notifies if they are expected to cross the limit before the hour, day or month ends
 * Escalate    in the order of After
 * Shed        for DemandForecast or DemandShare of a home
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
