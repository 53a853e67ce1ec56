import { z } from 'zod'
import { right, type Right } from '../kernel/permissions.ts'
import { defineResource } from '../kernel/define-resource.ts'
import { AutomationID, CognitoId, HomeID, Millis, Name, Version } from '../kernel/scalars.ts'
import { Action, MAX_ACTIONS, ORDERS } from './action.ts'
import { AlarmPart, NotifySettings } from './alarm-part.ts'
import { Conditions, END_DURATIONS } from './condition.ts'
import { LastRun, LastSkip } from './run-states.ts'
import { BookingTrigger, Schedule } from './schedule.ts'

export const MAX_AUTOMATIONS = { home: 500, company: 5000 } as const

/** 1 schedule, 2 single schedule, 3 smart link, 4 alarm, 5 multi smart link (§3). */
export const AUTOMATION_TYPES = [1, 2, 3, 4, 5] as const
export const AutomationType = z.literal(AUTOMATION_TYPES)
export type AutomationType = z.infer<typeof AutomationType>

/** Feature whose rights apply to an automation, by type (§6). */
export const FEATURE_OF_TYPE = {
  1: 'schedule',
  2: 'schedule',
  3: 'smart_link',
  4: 'power_meter_alarm',
  5: 'smart_link',
} as const satisfies Record<AutomationType, Right['feature']>

/** Right that a call needs, by the AutomationType in its input. */
export const byType = (operation: Right['operation']) => ({
  field: 'AutomationType',
  rights: Object.fromEntries(
    AUTOMATION_TYPES.map((type) => [type, right(FEATURE_OF_TYPE[type], operation)]),
  ) as Record<string, Right>,
})

/**
 * State of an automation.
 *
 * ready      runs when its time or condition is met           disabled   switched off by a user
 * suspended  no owner with the right to control                broken     a device, group or other reference was deleted: see Problem
 * paused     it ran too often and is paused for a while
 */
export const AUTOMATION_STATES = ['ready', 'disabled', 'suspended', 'broken', 'paused'] as const
export type AutomationState = (typeof AUTOMATION_STATES)[number]

/** Problem of an automation with its start time; Subject is a PeripheralUID, GroupID, SceneID, RoomID or ConferenceRoomID. */
export const AutomationProblem = z.object({
  Reason: z.enum([
    'deviceGone',
    'groupGone',
    'sceneGone',
    'roomGone',
    'conferenceRoomGone',
    'fieldGone',
    'ownerGone',
    'noRight',
    'tooOften',
    'loop',
  ]),
  Subject: z.string().nullable(),
  Since: Millis,
  /** For a paused automation: end of the pause. */
  Until: Millis.nullable(),
})
export type AutomationProblem = z.infer<typeof AutomationProblem>

/** Part of an automation that a user enters. */
export const AutomationRule = z.object({
  AutomationName: Name,
  Description: z.string().trim().max(500, 'tooLong').default(''),
  Enabled: z.boolean().default(true),
  /** For types 1 and 2; type 1 has either Schedule or Booking. */
  Schedule: Schedule.optional(),
  Booking: BookingTrigger.optional(),
  /** For types 3, 4 and 5: type 3 has conditions of exactly one device, type 5 of several, type 4 of meters or of the home. */
  Conditions: Conditions.optional(),
  /** May be empty for type 4, or if Notify is set. */
  Actions: z.array(Action).max(MAX_ACTIONS, 'tooManyActions'),
  /** For type 4. */
  Alarm: AlarmPart.optional(),
  /** Recipients when it runs or raises its alarm. Without it no one is notified; for type 4, everyone who may read alarms. */
  Notify: NotifySettings.optional(),
  Order: z.enum(ORDERS).default('together'),
  /** For inOrder: whether an unconfirmed action skips those after it. */
  StopOnFailure: z.boolean().default(false),
  /** For types 3 and 5: seconds between the last time the conditions were true and the end actions; 0 never (§9). */
  EndDuration: z.literal(END_DURATIONS).default(0),
  /** End actions: restore the previous value of every field that the run set, unless it was set since; or a list of actions. */
  EndActions: z
    .union([z.literal('restore'), z.array(Action).min(1, 'required').max(MAX_ACTIONS, 'tooManyActions')])
    .default('restore'),
  /**
   * For schedules: handling of a run missed during downtime. `latest` runs the last one if it is at most Grace seconds old.
   * Default: `skip` if the actions set something that needs confirmation in manual control, such as a gate; else `latest`
   * (`defaultCatchUp`).
   */
  Catching: z.enum(['skip', 'latest']),
  Grace: z.number().int().min(0, 'tooSmall').max(86_400, 'tooBig').default(900),
})
export type AutomationRule = z.output<typeof AutomationRule>

/** Schedule, smart link or alarm (§3), with its state in the gateway. */
export const Automation = AutomationRule.extend({
  HomeID,
  AutomationID,
  AutomationType,
  Version,
  /** Owner, whose rights it acts with: the user who last changed what it does. Null if that person was deleted. */
  OwnerID: CognitoId.nullable(),
  OwnerName: z.string().nullable(),
  State: z.enum(AUTOMATION_STATES),
  Problem: AutomationProblem.nullable(),
  LastRunAt: Millis.nullable(),
  /** Result of the last run, one of RUN_STATES. */
  LastResult: z.string().nullable(),
  /** Outcome of the last run; omitted if it never ran. */
  LastRun: LastRun.optional(),
  /** Omitted if it was not skipped since its last run. */
  LastSkip: LastSkip.optional(),
  NextRunAt: Millis.nullable(),
  /** Runs since midnight in the home's time zone. */
  RunsToday: z.number().int(),
})
export type Automation = z.output<typeof Automation>

export const AutomationKey = Automation.pick({ AutomationType: true, AutomationID: true })
export type AutomationKey = z.infer<typeof AutomationKey>
/** Data of its events; screens refetch their lists. */
export const AutomationEvent = Automation.pick({ HomeID: true, AutomationID: true, AutomationType: true })

/** Input that creates an automation; `ruleProblems` checks which parts its type allows. */
export const GivenAutomation = AutomationRule.extend({
  HomeID,
  AutomationType,
  Catching: AutomationRule.shape.Catching.optional(),
  /** Save even if two automations may trigger each other. */
  AcceptLoop: z.boolean().default(false),
})

/** Fields of a rule without defaults: omitted fields are unchanged, null removes a part. */
const Changed = z
  .object({
    ...AutomationRule.shape,
    Description: AutomationRule.shape.Description.unwrap(),
    Enabled: AutomationRule.shape.Enabled.unwrap(),
    Order: AutomationRule.shape.Order.unwrap(),
    StopOnFailure: AutomationRule.shape.StopOnFailure.unwrap(),
    EndDuration: AutomationRule.shape.EndDuration.unwrap(),
    EndActions: AutomationRule.shape.EndActions.unwrap(),
    Grace: AutomationRule.shape.Grace.unwrap(),
    Schedule: AutomationRule.shape.Schedule.unwrap().nullable(),
    Booking: AutomationRule.shape.Booking.unwrap().nullable(),
    Notify: AutomationRule.shape.Notify.unwrap().nullable(),
  })
  .partial()

export const automation = defineResource({
  name: 'automation',
  scope: 'home',
  feature: 'smart_link',
  record: Automation,
  key: ['AutomationID'],
  events: { add: AutomationEvent, update: AutomationEvent, remove: AutomationEvent },
  // The feature depends on the type; the list returns only automations that the caller may read.
  operations: {
    list: {
      path: '/ListAutomation',
      summary:
        'Automations of one type, of a home or of all homes if HomeID is absent; broken ones first, then by name.',
      accessBy: byType('Read'),
      sites: 'mixed',
      input: Automation.pick({ AutomationType: true }).extend({ HomeID: HomeID.optional() }),
      results: z.array(Automation),
      errors: ['NOT_FOUND'],
      shows: ['home', 'user', 'group', 'scene', 'peripheral', 'room', 'run', 'automationPause'],
    },
    create: {
      path: '/CreateAutomation',
      summary:
        'Adds an automation; also requires device_control Control, with Booking also conference_room Read. Rejects two actions on one field (taken), a rule that triggers itself (loop), and parts that its type does not have. At most 500 per home and 5,000 per company.',
      accessBy: byType('Create'),
      input: GivenAutomation,
      results: Automation,
      errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED', 'PERMISSION_DENIED'],
    },
    update: {
      path: '/UpdateAutomation',
      summary:
        'Changes an automation and restarts it. Changing its actions or enabling it also requires device_control Control, with Booking also conference_room Read; changing its actions makes the caller its owner. Omitted fields keep their values. NewType converts it to another type of the same feature. Rejected if Version is given and outdated.',
      accessBy: byType('Update'),
      sites: 'record',
      input: AutomationKey.extend(Changed.shape).extend({
        /** New type within the same feature: 1 and 2, or 3 and 5. */
        NewType: AutomationType.optional(),
        AcceptLoop: z.boolean().optional(),
        Version: Version.optional(),
      }),
      results: Automation,
      errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    },
    remove: {
      path: '/DeleteAutomation',
      summary:
        'Deletes an automation. Devices keep the values that it set, and its pending end actions do not run.',
      accessBy: byType('Delete'),
      sites: 'record',
      input: AutomationKey,
      results: AutomationKey,
      errors: ['NOT_FOUND'],
    },
  },
})
