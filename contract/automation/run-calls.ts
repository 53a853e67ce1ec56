import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { pageOf, PageInput } from '../kernel/page.ts'
import { AutomationID, HomeID, Millis, PeripheralUID, RoomID, RunID, SceneID } from '../kernel/scalars.ts'
import { AutomationProblem } from './automation.ts'
import { DeviceAction } from './action.ts'
import { COMPARISONS } from './comparison.ts'
import { CommandFailure, CommandState } from '../devices/command-calls.ts'

/**
 * planned      decided and not begun                running   its actions are under way
 * done         every action was confirmed           partly    some were, some failed or ended unconfirmed
 * failed       none was                             missed    its time came while nothing ran
 * skipped      it nearly ran: Reason says why not   loopStopped  it would have started itself again and again
 * refused      nobody answers for it with the right to control
 * superseded   a newer run of the same automation began before it was over
 */
export const RUN_STATES = [
  'planned',
  'running',
  'done',
  'partly',
  'failed',
  'missed',
  'skipped',
  'loopStopped',
  'refused',
  'superseded',
] as const
export const RunState = z.enum(RUN_STATES)
export type RunState = z.infer<typeof RunState>

/** Why a run was skipped: keys of `automation.reasons` in the locales. */
export const RUN_SKIP_REASONS = [
  'tooSoon',
  'outsidePeriod',
  'unknown',
  'late',
  'noRight',
  'paused',
  'noSun',
  'handHadChangedIt',
  'nothingToDo',
  'moreOften',
  'bookedAgain',
  'broken',
  'resting',
] as const
export const SkipReason = z.enum(RUN_SKIP_REASONS)
export type SkipReason = z.infer<typeof SkipReason>

/** What began a run. */
export const RUN_CAUSES = [
  'person',
  'schedule',
  'booking',
  'condition',
  'end',
  'off',
  'undo',
  'alarm',
  'shed',
  'giveBack',
] as const
export type RunCause = (typeof RUN_CAUSES)[number]

/** Where one action of a run stands. waiting: its time has not come; catchUp: its hub is away; left: a hand had changed it since. */
export const ACTION_STATES = [...CommandState.options, 'waiting', 'catchUp', 'left', 'dropped'] as const

/** One device that a run sets, with where that stands. */
export const RunAction = z.object({
  PeripheralUID,
  Values: z.record(z.string(), z.unknown()),
  State: z.enum(ACTION_STATES),
  Reason: CommandFailure.nullable(),
})
export type RunAction = z.infer<typeof RunAction>

/** What a condition asked for, as `Condition` in contract/automation/condition.ts; Clear where it had a second value. */
export const ConditionTarget = z.object({
  Logical: z.enum(COMPARISONS),
  Status: z.union([z.number(), z.tuple([z.number(), z.number()])]),
  Clear: z.union([z.number(), z.tuple([z.number(), z.number()])]).optional(),
})
export type ConditionTarget = z.infer<typeof ConditionTarget>

/** What a condition was like when it was decided: null for what was not known. */
export const ConditionTrace = z.object({
  PeripheralUID: z.string(),
  Field: z.string(),
  Value: z.number().nullable(),
  /** When the device said so. */
  At: Millis.nullable(),
  Verdict: z.boolean().nullable(),
  /** Left out of runs that were stored before it was noted. */
  Needed: ConditionTarget.optional(),
})
export type ConditionTrace = z.infer<typeof ConditionTrace>

/** One time that a scene, an automation, a group or a room was carried out, or nearly. */
export const Run = z.object({
  RunID,
  HomeID,
  /** What ran; all null for a group or a room that a person set. */
  AutomationID: AutomationID.nullable(),
  SceneID: SceneID.nullable(),
  /** As it is called now, or was when it was deleted. */
  Name: z.string().nullable(),
  Cause: z.enum(RUN_CAUSES),
  /** A person's name, of cause person and undo. */
  By: z.string().nullable(),
  State: RunState,
  Reason: SkipReason.nullable(),
  /** Of schedules and bookings: for when it was planned. */
  PlannedAt: Millis.nullable(),
  BeganAt: Millis,
  EndedAt: Millis.nullable(),
  Conditions: z.array(ConditionTrace),
  Actions: z.array(RunAction),
  /** Until when it can be undone; null for what cannot. */
  UndoUntil: Millis.nullable(),
})
export type Run = z.infer<typeof Run>

/** How long a run of a scene, group or room can be undone, ms. */
export const UNDO_WINDOW_MS = 600_000

/** The last thing that set a device, and what was behind it. */
export const Cause = z.object({
  At: Millis,
  /** The fields that changed or were set, with their values. */
  Values: z.record(z.string(), z.unknown()),
  /** command: through this product; device: at the device itself, or by another system. */
  Kind: z.enum(['command', 'device']),
  By: z.string().nullable(),
  Run: Run.nullable(),
})
export type Cause = z.infer<typeof Cause>

/** An automation that will set a device next: at a time, or when its conditions are true (At null). */
export const UpcomingAction = z.object({
  AutomationID,
  AutomationType: z.number().int(),
  AutomationName: z.string(),
  At: Millis.nullable(),
  Values: z.record(z.string(), z.unknown()),
})

/**
 * An automation that would set a device and cannot act now.
 *
 * State   homePaused: all automations of its home rest; the others as of AUTOMATION_STATES
 * Reason  what is wrong with it, and Subject what that is about, as of AutomationProblem; null of disabled and homePaused
 * Since   null when nobody noted it
 * Until   null when a person must end it
 */
export const HeldRule = z.object({
  AutomationID,
  AutomationType: z.number().int(),
  AutomationName: z.string(),
  State: z.enum(['disabled', 'suspended', 'broken', 'paused', 'homePaused']),
  Reason: AutomationProblem.shape.Reason.nullable(),
  Subject: z.string().nullable(),
  Since: Millis.nullable(),
  Until: Millis.nullable(),
})
export type HeldRule = z.infer<typeof HeldRule>

/** When it was asked for, ms by the gateway's clock: older than `COMMAND_WITHIN` is INVALID tooLate. Without it its arrival counts. */
const At = Millis.optional()

export const runs = {
  runScene: defineEndpoint({
    path: '/RunScene',
    summary:
      'Runs a scene now; also needs scene Read. Answers at once: what becomes of it is told on automation/run and by /ListAutomationRun.',
    access: right('device_control', 'Control'),
    input: z.object({ HomeID, SceneID, At }),
    results: z.object({ RunID, Actions: z.number().int() }),
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['run'],
  }),
  undoScene: defineEndpoint({
    path: '/UndoScene',
    summary:
      'Sets back what a run of a scene, group or room has set, within ten minutes; a field that somebody has set since is left alone. A run of its own.',
    access: right('device_control', 'Control'),
    input: z.object({ HomeID, RunID, At }),
    results: z.object({ RunID, Actions: z.number().int(), Left: z.number().int() }),
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['run'],
  }),
  retryRun: defineEndpoint({
    path: '/RetryRun',
    summary: 'Sends again those actions of a run of a scene, group or room that failed. A run of its own.',
    access: right('device_control', 'Control'),
    input: z.object({ HomeID, RunID, At }),
    results: z.object({ RunID, Actions: z.number().int() }),
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['run'],
  }),
  captureScene: defineEndpoint({
    path: '/CaptureScene',
    summary:
      'The actions that would set these devices as they stand now. Unknown names the devices of which that is not known.',
    access: right('scene', 'Create'),
    input: z.object({
      HomeID,
      PeripheralList: z.array(PeripheralUID).min(1, 'required').max(100, 'tooManyDevices'),
    }),
    results: z.object({ Actions: z.array(DeviceAction), Unknown: z.array(PeripheralUID) }),
    errors: ['NOT_FOUND'],
    shows: [],
    why: 'What devices are like now; nobody keeps the answer.',
    freshFor: 0,
  }),
  listAutomationRun: defineEndpoint({
    path: '/ListAutomationRun',
    summary:
      'Runs of a home, of one automation, of one scene, or about one device, newest first: those with actions on it, and those that nearly ran of automations that set it or have conditions on it. Runs of automations whose type a person may not read are left out.',
    access: right('device', 'Read'),
    input: PageInput.extend({
      HomeID,
      AutomationID: AutomationID.optional(),
      SceneID: SceneID.optional(),
      RunID: RunID.optional(),
      PeripheralUID: PeripheralUID.optional(),
      Since: Millis.default(0),
    }),
    results: pageOf(Run),
    errors: ['NOT_FOUND'],
    shows: ['run', 'automation', 'scene', 'peripheral'],
    freshFor: 0,
  }),
  explainDevice: defineEndpoint({
    path: '/ExplainDevice',
    summary:
      'Why a device is as it is: what set it last, newest first, with the run behind it; which automations will set it next; and why others did not: those that cannot act now (Held), and the last ten runs that were missed or nearly came about in the last seven days (Nearly).',
    access: right('device', 'Read'),
    input: z.object({ HomeID, PeripheralUID }),
    results: z.object({
      Causes: z.array(Cause),
      Next: z.array(UpcomingAction),
      Held: z.array(HeldRule),
      Nearly: z.array(Run),
    }),
    errors: ['NOT_FOUND'],
    shows: ['run', 'automation', 'command', 'peripheral', 'automationPause'],
    freshFor: 0,
  }),
  listUsedBy: defineEndpoint({
    path: '/ListUsedBy',
    summary:
      'Which groups, scenes and automations name a device, group, scene or room, themselves or through a group or a scene (Via), or act with the rights of a person; a count of those that one may not read.',
    access: 'signed-in',
    input: z.object({
      HomeID: HomeID.optional(),
      Subject: z.enum(['device', 'group', 'scene', 'room', 'person']),
      ID: z.union([PeripheralUID, RoomID]),
    }),
    results: z.object({
      Rows: z.array(
        z.object({
          Kind: z.enum(['group', 'scene', 'automation']),
          HomeID,
          ID: z.string(),
          Name: z.string(),
          AutomationType: z.number().int().nullable(),
          Role: z.enum(['member', 'condition', 'action', 'owner']),
          /** The group or scene through which it does; left out where it names it itself. Name null to whoever may not read that. */
          Via: z
            .object({ Kind: z.enum(['group', 'scene']), ID: z.string(), Name: z.string().nullable() })
            .optional(),
        }),
      ),
      Hidden: z.number().int(),
    }),
    errors: ['NOT_FOUND'],
    shows: ['group', 'scene', 'automation'],
  }),
}
