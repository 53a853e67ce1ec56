import { z } from 'zod'
import { credential } from '../kernel/credential.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import {
  pageOf,
  PageInput,
  AutomationID,
  HomeID,
  Millis,
  PeripheralType,
  PeripheralUID,
  requiredText,
  ThingName,
} from '../kernel/scalars.ts'
import { AlarmSeverity } from '../kernel/severity.ts'
import { COMPARISONS } from '../automation/comparison.ts'
import { right } from '../kernel/permissions.ts'

const AlarmID = z.uuid()
const AlarmKey = z.object({ HomeID, AlarmID })
/** Name of the person who acted, and the time in epoch ms. */
const Act = z.object({ By: z.string(), At: Millis })

/** Maximum time that an alarm may be shelved, ms. */
export const MAX_SHELVE_MS = 86_400_000
export const MAX_COMMENTS = 50

/**
 * Cause of an alarm.
 *
 * state    a device reports smoke, a fault or the like        breach   a reading is outside the device's warning threshold
 * silent   a device or meter has stopped reporting            hubLost  a hub is disconnected
 * rule     an automation of type 4                            ahead    the same, for a sum expected to cross its limit
 */
export const ALARM_KINDS = ['state', 'breach', 'silent', 'hubLost', 'rule', 'ahead'] as const
export type AlarmKind = (typeof ALARM_KINDS)[number]

/** Measured value of an alarm; null values are unknown, e.g. if missing data raised the alarm. */
export const AlarmReading = z.object({
  /** Status field or path, sum or measure, as in a condition. */
  Field: z.string(),
  Logical: z.enum(COMPARISONS),
  Limit: z.union([z.number(), z.tuple([z.number(), z.number()])]),
  /** Latest known value, and the worst value since the alarm was raised. */
  Value: z.number().nullable(),
  Peak: z.number().nullable(),
  /** For `ahead`: expected time at which the limit is crossed. */
  CrossesAt: Millis.nullable(),
})
export type AlarmReading = z.infer<typeof AlarmReading>

/** Measured value over the lifetime of its alarm. */
export const AlarmReadingOverTime = AlarmReading.extend({
  /** Value that raised the alarm; null for alarms raised by version 1.1.0. */
  Raised: z.number().nullable(),
  /** Time of Value: the last report of the device, or the last evaluation of the rule. */
  At: Millis,
})
export type AlarmReadingOverTime = z.infer<typeof AlarmReadingOverTime>

/**
 * Alarm, open until its cause has ended or a person clears it. A cleared alarm stays cleared; but if the same source raises it
 * again within ten minutes, it is the same alarm with Count increased by one.
 */
export const Alarm = z.object({
  AlarmID,
  HomeID,
  Kind: z.enum(ALARM_KINDS),
  /** Source: `state:<PeripheralUID>`, `breach:…`, `silent:…`, `hubLost:<ThingName>`, `rule:<AutomationID>`, `ahead:…`. */
  Source: z.string(),
  /** Set for rule and ahead. The automation's present name, or its last one if it was deleted. */
  AutomationID: AutomationID.nullable(),
  AutomationName: z.string().nullable(),
  /** Device that the alarm is about; null for hubs, for a whole home, and for several meters. */
  PeripheralUID: PeripheralUID.nullable(),
  PeripheralType: PeripheralType.nullable(),
  /** Set for hubLost. */
  ThingName: ThingName.nullable(),
  /** Present name of the device or hub, or its last one if it was removed. */
  SubjectName: z.string().nullable(),
  Severity: AlarmSeverity,
  /** For state: the status fields that mean alarm or warning, and those that make them apply. Empty for other kinds. */
  Values: z.record(z.string(), z.number()),
  /** Set for breach, rule and ahead. */
  Readings: z.array(AlarmReadingOverTime),
  Count: z.number().int(),
  /** Raised so frequently that notifications are suppressed until it has been quiet for ten minutes. */
  Chattering: z.boolean(),
  /** Time at which the alarm began; by the device's clock if a device reported it. */
  RaisedAt: Millis,
  /** Time of the last report or evaluation that the alarm is based on. */
  ReportedAt: Millis,
  /**
   * Whether the source can no longer report: its hub is disconnected, its rule is disabled or broken, or the device, hub or rule
   * was deleted. Only then can a person clear the alarm.
   */
  SourceLost: z.boolean(),
  /** Null until a person acknowledges the alarm, which does not clear it. */
  Acknowledged: Act.extend({ Comment: z.string().nullable() }).nullable(),
  /** Null unless the alarm is shelved until a time in the future, which does not clear it. */
  Shelved: Act.extend({ Until: Millis, Reason: z.string() }).nullable(),
  /** Null while the alarm is open. If a newer report cleared it, `By` and `Reason` are null. */
  Cleared: z.object({ By: z.string().nullable(), At: Millis, Reason: z.string().nullable() }).nullable(),
  /** Oldest first. */
  Comments: z.array(Act.extend({ Text: z.string() })),
  /** Acknowledgements and shelvings that a person withdrew, with their comment or reason; the newest ones, oldest first. */
  Withdrawn: z.array(
    Act.extend({
      Act: z.enum(['acknowledged', 'shelved']),
      Text: z.string().nullable(),
      WithdrawnBy: z.string(),
      WithdrawnAt: Millis,
    }),
  ),
})
export type Alarm = z.infer<typeof Alarm>

/** Alarm that a device reports in its status. */
export type StateAlarm = Alarm & { Kind: 'state'; PeripheralUID: string; PeripheralType: string }
export const isStateAlarm = (alarm: Alarm): alarm is StateAlarm => alarm.Kind === 'state'

/**
 * Filter by state: `open` and its disjoint parts `unacknowledged`, `acknowledged` and `shelved`; `cleared`; or `current`: open, or
 * a device state that a person cleared and that was not reported again since.
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
      'Alarms of a home, or of all homes of the company if HomeID is absent. Order: unacknowledged, then acknowledged and shelved (critical before others in each), then cleared; newest first within each. Alarms of rules require power_meter_alarm Read, all others device Read; Counts covers all open alarms of the home or company that the caller may read.',
    access: 'alarms',
    sites: 'mixed',
    input: PageInput.extend({
      HomeID: HomeID.optional(),
      State: AlarmState.optional(),
      Severity: AlarmSeverity.optional(),
      Kind: z.enum(ALARM_KINDS).optional(),
      AutomationID: AutomationID.optional(),
      PeripheralUID: PeripheralUID.optional(),
      AlarmID: AlarmID.optional(),
      Since: Millis.optional(),
      /** Words in the name of the device, hub or rule. */
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
      'Acknowledges an alarm and ends its escalation; the alarm stays open. Rejected if it was already acknowledged or has ended. Requires power_meter_alarm Control for an alarm of a rule; for others, that or device_control Control.',
    access: 'alarmActs',
    input: AlarmKey.extend({ Comment: requiredText(500).optional() }),
    results: Alarm,
    errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['alarm'],
  }),
  unacknowledgeAlarm: defineEndpoint({
    path: '/UnacknowledgeAlarm',
    summary:
      'Withdraws the acknowledgement of an open alarm; its escalation starts from the beginning. Same rights as /AcknowledgeAlarm.',
    access: 'alarmActs',
    input: AlarmKey,
    results: Alarm,
    errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['alarm'],
  }),
  acknowledgeByLink: defineEndpoint({
    path: '/AcknowledgeAlarmByLink',
    summary:
      'Acknowledges an alarm on behalf of the user who received the link in a notification, if that user still has the right. A link works once, for 24 hours, while its alarm is open.',
    access: 'public',
    sites: 'none',
    input: z.object({ Token: credential(z.string().min(1).max(512)) }),
    results: AlarmKey,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['alarm'],
  }),
  shelveAlarm: defineEndpoint({
    path: '/ShelveAlarm',
    summary:
      'Shelves an open alarm until a time at most 24 hours from now: no notifications are sent until then. Same rights as /AcknowledgeAlarm.',
    access: 'alarmActs',
    input: AlarmKey.extend({ Until: Millis, Reason: requiredText(500) }),
    results: Alarm,
    errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['alarm'],
  }),
  unshelveAlarm: defineEndpoint({
    path: '/UnshelveAlarm',
    summary: 'Unshelves an alarm before its time. Same rights as /AcknowledgeAlarm.',
    access: 'alarmActs',
    input: AlarmKey,
    results: Alarm,
    errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['alarm'],
  }),
  commentAlarm: defineEndpoint({
    path: '/CommentAlarm',
    summary: 'Adds a comment to an alarm, at most 50 per alarm. Same rights as /AcknowledgeAlarm.',
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
      'Clears an alarm whose SourceLost is true. Rejected with stillTrue if it is false, and if the alarm has ended. Same rights as /AcknowledgeAlarm.',
    access: 'alarmActs',
    input: AlarmKey.extend({ Reason: requiredText(500) }),
    results: Alarm,
    errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['alarm'],
  }),
}

export const MAX_MAINTENANCE_MS = 90 * 86_400_000

/** Scope of maintenance: one device, a hub with its devices, or a whole home. */
const MAINTENANCE_SCOPES = ['device', 'hub', 'home'] as const

/** Period in which a device, a hub or a home is not monitored because people work on it. It ends automatically. */
export const Maintenance = z.object({
  MaintenanceID: z.uuid(),
  HomeID,
  Scope: z.enum(MAINTENANCE_SCOPES),
  /** A PeripheralUID, a ThingName or the HomeID, by Scope. */
  Subject: z.union([PeripheralUID, ThingName, HomeID]),
  Until: Millis,
  Reason: requiredText(500),
  By: z.string(),
  StartedAt: Millis,
})
export type Maintenance = z.infer<typeof Maintenance>

const Key = Maintenance.pick({ HomeID: true, MaintenanceID: true })

export const maintenances = {
  listMaintenance: defineEndpoint({
    path: '/ListMaintenance',
    summary:
      'Active maintenance periods of a home, or of all homes of the company if HomeID is absent; the earliest end first.',
    access: right('device', 'Read'),
    sites: 'mixed',
    input: z.object({ HomeID: HomeID.optional() }),
    results: z.array(Maintenance),
    errors: ['NOT_FOUND'],
    shows: ['maintenance', 'home'],
  }),
  startMaintenance: defineEndpoint({
    path: '/StartMaintenance',
    summary:
      'Puts a device, a hub with its devices, or a home into maintenance until a time at most 90 days from now: meanwhile only fire and smoke alarms from devices that still report need attention. Rejected if it is already in maintenance.',
    access: right('device', 'Update'),
    input: Maintenance.pick({ HomeID: true, Scope: true, Subject: true, Until: true, Reason: true }),
    results: Maintenance,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['maintenance'],
  }),
  endMaintenance: defineEndpoint({
    path: '/EndMaintenance',
    summary: 'Ends a maintenance period early. Rejected if it has already ended.',
    access: right('device', 'Update'),
    input: Key,
    results: Key,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['maintenance', 'alarm'],
  }),
}
