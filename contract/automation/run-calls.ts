import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import {
  pageOf,
  PageInput,
  AutomationID,
  HomeID,
  Millis,
  PeripheralUID,
  RoomID,
  RunID,
  SceneID,
} from '../kernel/scalars.ts'
import { AutomationProblem } from './automation.ts'
import { DeviceAction } from './action.ts'
import { COMPARISONS } from './comparison.ts'
import { RUN_CAUSES, RunState, SkipReason } from './run-states.ts'
import { CommandFailure, CommandState } from '../devices/command-calls.ts'

/** State of one action of a run. waiting: not yet due; catchUp: its hub is offline; left: its field was changed manually since. */
export const ACTION_STATES = [...CommandState.options, 'waiting', 'catchUp', 'left', 'dropped'] as const

export const RunAction = z.object({
  PeripheralUID,
  Values: z.record(z.string(), z.unknown()),
  State: z.enum(ACTION_STATES),
  Reason: CommandFailure.nullable(),
})
export type RunAction = z.infer<typeof RunAction>

/** Comparison of a condition, as `Condition` in contract/automation/condition.ts; Clear if it has hysteresis. */
export const ConditionTarget = z.object({
  Logical: z.enum(COMPARISONS),
  Status: z.union([z.number(), z.tuple([z.number(), z.number()])]),
  Clear: z.union([z.number(), z.tuple([z.number(), z.number()])]).optional(),
})
export type ConditionTarget = z.infer<typeof ConditionTarget>

/** State of a condition at the decision; null for unknown. */
export const ConditionTrace = z.object({
  PeripheralUID: z.string(),
  Field: z.string(),
  Value: z.number().nullable(),
  /** Time of the device's report. */
  At: Millis.nullable(),
  Verdict: z.boolean().nullable(),
  /** Omitted for runs that were stored before this field existed. */
  Needed: ConditionTarget.optional(),
})
export type ConditionTrace = z.infer<typeof ConditionTrace>

/** Execution, or skipped execution, of a scene, an automation, a group or a room. */
export const Run = z.object({
  RunID,
  HomeID,
  /** Subject of the run; all null for a group or a room that a user set. */
  AutomationID: AutomationID.nullable(),
  SceneID: SceneID.nullable(),
  /** Present name, or the last one if it was deleted. */
  Name: z.string().nullable(),
  Cause: z.enum(RUN_CAUSES),
  /** Name of the user, for the causes person and undo. */
  By: z.string().nullable(),
  State: RunState,
  Reason: SkipReason.nullable(),
  /** Planned time, for schedules and bookings. */
  PlannedAt: Millis.nullable(),
  BeganAt: Millis,
  EndedAt: Millis.nullable(),
  Conditions: z.array(ConditionTrace),
  Actions: z.array(RunAction),
  /** Time until which it can be undone; null if it cannot be. */
  UndoUntil: Millis.nullable(),
})
export type Run = z.infer<typeof Run>

/** Time in ms within which a run of a scene, group or room can be undone. */
export const UNDO_WINDOW_MS = 600_000

/** Change of a device's values and its cause. */
export const Cause = z.object({
  At: Millis,
  /** Fields that changed or were set, with their values. */
  Values: z.record(z.string(), z.unknown()),
  /** command: through this product; device: at the device itself, or by another system. */
  Kind: z.enum(['command', 'device']),
  By: z.string().nullable(),
  Run: Run.nullable(),
})
export type Cause = z.infer<typeof Cause>

/** Automation that will set a device next: at a time, or when its conditions become true (At null). */
export const UpcomingAction = z.object({
  AutomationID,
  AutomationType: z.number().int(),
  AutomationName: z.string(),
  At: Millis.nullable(),
  Values: z.record(z.string(), z.unknown()),
})

/**
 * Automation that would set a device but cannot run now.
 *
 * State   homePaused: all automations of its home are paused; the others as in AUTOMATION_STATES
 * Reason  its problem, and Subject of the problem, as in AutomationProblem; null for disabled and homePaused
 * Since   null if not recorded
 * Until   null if a user must end it
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

/** Time of the request in ms by the gateway's clock; older than `COMMAND_TTL_MS` is INVALID tooLate. Default: arrival time. */
const At = Millis.optional()

export const runs = {
  runScene: defineEndpoint({
    path: '/RunScene',
    summary:
      'Runs a scene now; also requires scene Read. Returns at once; automation/run and /ListAutomationRun report the outcome.',
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
      'Restores the values from before a run of a scene, group or room, within ten minutes; skips fields that were set since. Starts a new run.',
    access: right('device_control', 'Control'),
    input: z.object({ HomeID, RunID, At }),
    results: z.object({ RunID, Actions: z.number().int(), Left: z.number().int() }),
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['run'],
  }),
  retryRun: defineEndpoint({
    path: '/RetryRun',
    summary: 'Retries the failed actions of a run of a scene, group or room. Starts a new run.',
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
      'Actions that would set these devices to their current state. Unknown lists devices whose state is not known.',
    access: right('scene', 'Create'),
    input: z.object({
      HomeID,
      PeripheralList: z.array(PeripheralUID).min(1, 'required').max(100, 'tooManyDevices'),
    }),
    results: z.object({ Actions: z.array(DeviceAction), Unknown: z.array(PeripheralUID) }),
    errors: ['NOT_FOUND'],
    shows: [],
    why: 'The current state of devices; the answer is not cached.',
    freshFor: 0,
  }),
  listAutomationRun: defineEndpoint({
    path: '/ListAutomationRun',
    summary:
      'Runs of a home, of one automation, of one scene, or about one device, newest first. For a device: runs with actions on it, and near-runs of automations that set it or have conditions on it. Runs of automations whose type the caller may not read are omitted.',
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
      'Explains the state of a device: the last changes, newest first, each with its run; the automations that will set it next; those that cannot act now (Held); and the last ten missed runs and near-runs of the last seven days (Nearly).',
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
      'Groups, scenes and automations that refer to a device, group, scene or room, directly or through a group or a scene (Via), or that run with the rights of a user; and the number of those that the caller may not read.',
    access: 'signed-in',
    sites: 'mixed',
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
          /** Group or scene through which it is used; omitted if used directly. Name is null for callers who may not read it. */
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
