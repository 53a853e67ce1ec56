import { z } from 'zod'
import { right, type Right } from '../kernel/permissions.ts'
import { defineResource } from '../kernel/define-resource.ts'
import { AutomationID, CognitoId, HomeID, Millis, Name, Version } from '../kernel/scalars.ts'
import { Action, MAX_ACTIONS, ORDERS } from './action.ts'
import { AlarmPart, NotifySettings } from './alarm-part.ts'
import { Conditions, END_DURATIONS } from './condition.ts'
import { BookingTrigger, Schedule } from './schedule.ts'

/** Most automations of one home, and of a company. */
export const MAX_AUTOMATIONS = { home: 500, company: 5000 } as const

/** 1 schedule, 2 single schedule, 3 smart link, 4 alarm, 5 multi smart link (§3). */
export const AUTOMATION_TYPES = [1, 2, 3, 4, 5] as const
export const AutomationType = z.literal(AUTOMATION_TYPES)
export type AutomationType = z.infer<typeof AutomationType>

/** The feature whose rights hold for an automation of a type (§6). */
export const FEATURE_OF_TYPE = {
  1: 'schedule',
  2: 'schedule',
  3: 'smart_link',
  4: 'power_meter_alarm',
  5: 'smart_link',
} as const satisfies Record<AutomationType, Right['feature']>

/** Which right a call for an automation asks for, by its AutomationType. */
export const byType = (operation: Right['operation']) => ({
  field: 'AutomationType',
  rights: Object.fromEntries(
    AUTOMATION_TYPES.map((type) => [type, right(FEATURE_OF_TYPE[type], operation)]),
  ) as Record<string, Right>,
})

/**
 * ready      acts when its time or condition comes            disabled   switched off by a person
 * suspended  nobody with the right to control answers for it   broken     something that it names is gone: see Problem
 * paused     it ran too often and rests for a while
 */
export const AUTOMATION_STATES = ['ready', 'disabled', 'suspended', 'broken', 'paused'] as const
export type AutomationState = (typeof AUTOMATION_STATES)[number]

/** What is wrong with an automation, since when, and what it is about: a PeripheralUID, GroupID, SceneID, RoomID or ConferenceRoomID. */
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
  /** Of what rests: until when. */
  Until: Millis.nullable(),
})
export type AutomationProblem = z.infer<typeof AutomationProblem>

/** What a person says of an automation. */
export const AutomationRule = z.object({
  AutomationName: Name,
  Description: z.string().trim().max(500, 'tooLong').default(''),
  Enabled: z.boolean().default(true),
  /** Of types 1 and 2; of type 1 instead of Booking. */
  Schedule: Schedule.optional(),
  Booking: BookingTrigger.optional(),
  /** Of types 3, 4 and 5: type 3 has conditions of exactly one device, type 5 of several, type 4 of meters or of the home. */
  Conditions: Conditions.optional(),
  /** None only of type 4, or with Notify: it tells. */
  Actions: z.array(Action).max(MAX_ACTIONS, 'tooManyActions'),
  /** Of type 4. */
  Alarm: AlarmPart.optional(),
  /** Who is told when it runs, or of its alarm; left out nobody, and of type 4 everybody who may read alarms. */
  Notify: NotifySettings.optional(),
  Order: z.enum(ORDERS).default('together'),
  /** Of inOrder: whether the actions after one that was not confirmed are left out. */
  StopOnFailure: z.boolean().default(false),
  /** Of types 3 and 5: seconds from the last moment at which the conditions were true to the end actions; 0 never (§9). */
  EndDuration: z.literal(END_DURATIONS).default(0),
  /** What is done at the end: every field that the run set becomes what it was, unless somebody has set it since; or actions. */
  EndActions: z
    .union([z.literal('restore'), z.array(Action).min(1, 'required').max(MAX_ACTIONS, 'tooManyActions')])
    .default('restore'),
  /**
   * Of schedules: what becomes of a run that was missed while nothing ran: the latest runs if it is not older than Grace seconds. Left
   * out it is skip where the actions set what is asked about by hand first, such as a gate, and else latest (`defaultCatching`).
   */
  Catching: z.enum(['skip', 'latest']),
  Grace: z.number().int().min(0, 'tooSmall').max(86_400, 'tooBig').default(900),
})
export type AutomationRule = z.output<typeof AutomationRule>

/** A schedule, smart link or alarm (§3), with what the gateway knows of it. */
export const Automation = AutomationRule.extend({
  HomeID,
  AutomationID,
  AutomationType,
  Version,
  /** Whose rights it acts with: whoever last changed what it does. Null when that person is gone. */
  OwnerID: CognitoId.nullable(),
  OwnerName: z.string().nullable(),
  State: z.enum(AUTOMATION_STATES),
  Problem: AutomationProblem.nullable(),
  LastRunAt: Millis.nullable(),
  /** How the last run ended, as of RUN_STATES. */
  LastResult: z.string().nullable(),
  NextRunAt: Millis.nullable(),
  /** Since midnight by the home's clock. */
  RunsToday: z.number().int(),
})
export type Automation = z.output<typeof Automation>

export const AutomationKey = Automation.pick({ AutomationType: true, AutomationID: true })
export type AutomationKey = z.infer<typeof AutomationKey>
/** What its events say: screens ask for their lists again. */
export const AutomationEvent = Automation.pick({ HomeID: true, AutomationID: true, AutomationType: true })

/** What an automation is made from; which parts a type has is judged by `ruleProblems`. */
export const GivenAutomation = AutomationRule.extend({
  HomeID,
  AutomationType,
  Catching: AutomationRule.shape.Catching.optional(),
  /** Save it although two automations may start each other. */
  AcceptLoop: z.boolean().default(false),
})
export type GivenAutomation = z.output<typeof GivenAutomation>

/** Every field of a rule, none with a default: what is left out stays. Null takes a part away. */
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
  // Its feature hangs on the type: which of them a person may read, the list decides.
  eventAccess: 'signed-in',
  operations: {
    list: {
      path: '/ListAutomation',
      summary:
        'Automations of one type, of a home or of all homes when HomeID is left out; broken ones first, then by name.',
      accessBy: byType('Read'),
      input: Automation.pick({ AutomationType: true }).extend({ HomeID: HomeID.optional() }),
      results: z.array(Automation),
      errors: ['NOT_FOUND'],
      shows: ['home', 'user', 'group', 'scene', 'peripheral', 'room', 'run', 'automationPause'],
    },
    create: {
      path: '/CreateAutomation',
      summary:
        'Adds an automation; needs device_control Control as well, with Booking also conference_room Read. Two actions on one field (taken), a rule that starts itself (loop) and parts that its type does not have are refused. At most 500 in a home, 5,000 in a company.',
      accessBy: byType('Create'),
      input: GivenAutomation,
      results: Automation,
      errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED', 'PERMISSION_DENIED'],
    },
    update: {
      path: '/UpdateAutomation',
      summary:
        'Changes an automation, which starts again; changing what it does or switching it on needs device_control Control as well, with Booking also conference_room Read; the first makes the caller its owner. Fields left out stay. NewType makes it one of another type of the same feature. Refused if Version is given and old.',
      accessBy: byType('Update'),
      input: AutomationKey.extend(Changed.shape).extend({
        /** Another type of the same feature, 1 and 2 or 3 and 5: a schedule that comes once, conditions of a second device. */
        NewType: AutomationType.optional(),
        AcceptLoop: z.boolean().optional(),
        Version: Version.optional(),
      }),
      results: Automation,
      errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    },
    remove: {
      path: '/DeleteAutomation',
      summary: 'Deletes an automation. What it has set stays, and what it was to end does not end.',
      accessBy: byType('Delete'),
      input: AutomationKey,
      results: AutomationKey,
      errors: ['NOT_FOUND'],
    },
  },
})
