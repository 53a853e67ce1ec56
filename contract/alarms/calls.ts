import { z } from 'zod'
import { credential } from '../kernel/credential.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { pageOf, PageInput } from '../kernel/page.ts'
import {
  AutomationID,
  HomeID,
  Millis,
  PeripheralType,
  PeripheralUID,
  requiredText,
  ThingName,
} from '../kernel/scalars.ts'
import { AlarmSeverity } from '../kernel/alarm-severity.ts'
import { COMPARISONS } from '../automation/comparison.ts'

const AlarmID = z.uuid()
const AlarmKey = z.object({ HomeID, AlarmID })
/** A person's name, and when in epoch ms. */
const Act = z.object({ By: z.string(), At: Millis })

/** The longest that an alarm is shelved, ms. */
export const MAX_SHELVE_MS = 86_400_000
/** Most comments of one alarm. */
export const MAX_COMMENTS = 50

/**
 * What raises an alarm.
 *
 * state    a device reports smoke, a fault or the like        breach   a reading is outside of the device's warning threshold
 * silent   a device or meter reports nothing any more         hubLost  a hub is away
 * rule     an automation of type 4                            ahead    the same, for a sum that will cross its limit at this pace
 */
export const ALARM_KINDS = ['state', 'breach', 'silent', 'hubLost', 'rule', 'ahead'] as const
export type AlarmKind = (typeof ALARM_KINDS)[number]

/** What was measured of an alarm: null for what is not known, as of one that was raised because nothing is known. */
export const AlarmReading = z.object({
  /** A status field or path, a sum or a measure, as of a condition. */
  Field: z.string(),
  Logical: z.enum(COMPARISONS),
  Limit: z.union([z.number(), z.tuple([z.number(), z.number()])]),
  /** The latest that is known, and the worst since the alarm was raised. */
  Value: z.number().nullable(),
  Peak: z.number().nullable(),
  /** Of `ahead`: when the limit is crossed at this pace. */
  CrossesAt: Millis.nullable(),
})
export type AlarmReading = z.infer<typeof AlarmReading>

/** A reading over the life of its alarm. */
export const AlarmReadingOverTime = AlarmReading.extend({
  /** Value when it raised the alarm; null of alarms that 1.1.0 raised. */
  Raised: z.number().nullable(),
  /** Time of Value: the last report of a device, the last evaluation of a rule. */
  At: Millis,
})
export type AlarmReadingOverTime = z.infer<typeof AlarmReadingOverTime>

/**
 * An alarm: open from when it is raised until what raised it is over, or a person clears it. One that is cleared stays cleared, but
 * that what is raised again within ten minutes by the same source is the same alarm, with Count one more.
 */
export const Alarm = z.object({
  AlarmID,
  HomeID,
  Kind: z.enum(ALARM_KINDS),
  /** What says it: `state:<PeripheralUID>`, `breach:…`, `silent:…`, `hubLost:<ThingName>`, `rule:<AutomationID>`, `ahead:…`. */
  Source: z.string(),
  /** Of rule and ahead. The name as it is now, or was when the automation was removed. */
  AutomationID: AutomationID.nullable(),
  AutomationName: z.string().nullable(),
  /** The device that it is about; null of hubs, of a home as a whole, and of several meters. */
  PeripheralUID: PeripheralUID.nullable(),
  PeripheralType: PeripheralType.nullable(),
  /** Of hubLost. */
  ThingName: ThingName.nullable(),
  /** As the device or hub is called now, or was when it was removed. */
  SubjectName: z.string().nullable(),
  Severity: AlarmSeverity,
  /** Of state: the status fields that mean alarm or warning, and what makes them apply. Empty of others. */
  Values: z.record(z.string(), z.number()),
  /** Of breach, rule and ahead. */
  Readings: z.array(AlarmReadingOverTime),
  /** How often it was raised. */
  Count: z.number().int(),
  /** Raised so often that nobody is told of it until it has been quiet for ten minutes. */
  Chattering: z.boolean(),
  /** When it began: by the device's clock of what a device says. */
  RaisedAt: Millis,
  /** Of the report or the look that this is known by: a later one says more. */
  ReportedAt: Millis,
  /**
   * Whether what raised it can say nothing any more: its hub is away, its rule is off or broken, or device, hub or rule was removed.
   * Only then a person ends it.
   */
  SourceLost: z.boolean(),
  /** Null until a person has said that they know; it does not end the alarm. */
  Acknowledged: Act.extend({ Comment: z.string().nullable() }).nullable(),
  /** Null unless somebody has put it aside until a moment that is still to come. It does not end the alarm. */
  Shelved: Act.extend({ Until: Millis, Reason: z.string() }).nullable(),
  /** Null while it is open. A person has a reason, a newer report has neither. */
  Cleared: z.object({ By: z.string().nullable(), At: Millis, Reason: z.string().nullable() }).nullable(),
  /** What people wrote to it, the oldest first. */
  Comments: z.array(Act.extend({ Text: z.string() })),
})
export type Alarm = z.infer<typeof Alarm>

/** An alarm of what a device says of itself. */
export type StateAlarm = Alarm & { Kind: 'state'; PeripheralUID: string; PeripheralType: string }
export const isStateAlarm = (alarm: Alarm): alarm is StateAlarm => alarm.Kind === 'state'

/**
 * Which alarms: `open` and of these `unacknowledged`, `acknowledged` and `shelved`, which no other of them names; `cleared`; or
 * `current`, which is open, or a state of a device cleared by a person and not reported again since.
 */
export const ALARM_STATES = [
  'open',
  'unacknowledged',
  'acknowledged',
  'shelved',
  'cleared',
  'current',
] as const
export const AlarmState = z.enum(ALARM_STATES)
export type AlarmState = z.infer<typeof AlarmState>

export const alarms = {
  listAlarm: defineEndpoint({
    path: '/ListAlarm',
    summary:
      "Alarms of a home, or of all the company's homes when HomeID is left out: those that nobody has acknowledged first, then acknowledged and shelved ones, in each the critical before the others, then cleared ones; those alike by the newest first. Alarms of rules are shown to who may read power_meter_alarm, the others to who may read device; Counts are of all open ones of the home or company that this person may see.",
    access: 'alarms',
    input: PageInput.extend({
      HomeID: HomeID.optional(),
      State: AlarmState.optional(),
      Severity: AlarmSeverity.optional(),
      Kind: z.enum(ALARM_KINDS).optional(),
      AutomationID: AutomationID.optional(),
      PeripheralUID: PeripheralUID.optional(),
      AlarmID: AlarmID.optional(),
      /** Raised, or cleared, at this moment or later. */
      Since: Millis.optional(),
      /** Words that stand in the name of the device, hub or rule. */
      Search: z.string().trim().max(100, 'tooLong').default(''),
    }),
    results: pageOf(Alarm).extend({
      Counts: z.object({
        critical: z.number().int(),
        warning: z.number().int(),
        unacknowledged: z.number().int(),
        shelved: z.number().int(),
      }),
    }),
    errors: ['NOT_FOUND'],
    shows: ['alarm', 'peripheral', 'thing', 'automation', 'home'],
  }),
  acknowledgeAlarm: defineEndpoint({
    path: '/AcknowledgeAlarm',
    summary:
      'Says that a person knows of an alarm, and ends its escalation. It stays open. Refused when it was acknowledged or has ended meanwhile. An alarm of a rule needs power_meter_alarm Control, another one that or device_control Control.',
    access: 'alarmActs',
    input: AlarmKey.extend({ Comment: requiredText(500).optional() }),
    results: Alarm,
    errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['alarm'],
  }),
  acknowledgeByLink: defineEndpoint({
    path: '/AcknowledgeAlarmByLink',
    summary:
      'Acknowledges an alarm for the person to whom the link of a notification was given, as far as they still may. A link works once, for 24 hours, and while its alarm is open.',
    access: 'public',
    input: z.object({ Token: credential(z.string().min(1).max(512)) }),
    results: AlarmKey,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['alarm'],
  }),
  shelveAlarm: defineEndpoint({
    path: '/ShelveAlarm',
    summary:
      'Puts an open alarm aside until a moment at most 24 hours from now: nobody is told of it until then. Rights as of /AcknowledgeAlarm.',
    access: 'alarmActs',
    input: AlarmKey.extend({ Until: Millis, Reason: requiredText(500) }),
    results: Alarm,
    errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['alarm'],
  }),
  unshelveAlarm: defineEndpoint({
    path: '/UnshelveAlarm',
    summary: 'Takes a shelved alarm back before its time. Rights as of /AcknowledgeAlarm.',
    access: 'alarmActs',
    input: AlarmKey,
    results: Alarm,
    errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['alarm'],
  }),
  commentAlarm: defineEndpoint({
    path: '/CommentAlarm',
    summary: 'Writes something to an alarm, at most 50 times each. Rights as of /AcknowledgeAlarm.',
    access: 'alarmActs',
    input: AlarmKey.extend({ Text: requiredText(500) }),
    results: Alarm,
    errors: ['NOT_FOUND', 'PERMISSION_DENIED', 'LIMIT_EXCEEDED'],
    mutates: true,
    changes: ['alarm'],
  }),
  clearAlarm: defineEndpoint({
    path: '/ClearAlarm',
    summary:
      'Ends an alarm of which SourceLost is true. Refused with stillTrue while it is not, and when the alarm has ended meanwhile. Rights as of /AcknowledgeAlarm.',
    access: 'alarmActs',
    input: AlarmKey.extend({ Reason: requiredText(500) }),
    results: Alarm,
    errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['alarm'],
  }),
}
