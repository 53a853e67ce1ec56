import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { AutomationID, HomeID, Millis, PeripheralUID, requiredText, RunID } from '../kernel/scalars.ts'
import { Automation, AutomationKey, byType, GivenAutomation } from './automation.ts'
import { RUN_SKIP_REASONS } from './run-states.ts'

/** Warnings about a rule before it is saved. Saving rejects `loop`, but not the others. */
export const RULE_WARNINGS = [
  'loop',
  'conflict',
  'sameTime',
  'meterTooSlow',
  'deviceGone',
  'hubOffline',
  'neverHeard',
  'noContract',
  'noMainMeter',
  'asksFirst',
  'noPlace',
  'never',
  'always',
] as const
export const RuleWarning = z.object({
  Kind: z.enum(RULE_WARNINGS),
  /** Subject: a PeripheralUID, `home`, or null; for the site and for virtual meters, the meter behind them. */
  PeripheralUID: PeripheralUID.nullable(),
  /** The other automation of a loop or conflict. */
  Other: Automation.pick({ AutomationID: true, AutomationType: true, AutomationName: true }).nullable(),
  /** Time at which two schedules coincide. */
  At: Millis.nullable(),
  /** For sameTime: automation that sets the device last, the checked one or Other. */
  Wins: z.enum(['this', 'other']).optional(),
  /** Set if it keeps the conditions of the rule from ever becoming true. */
  Blocks: z.literal(true).optional(),
})
export type RuleWarning = z.infer<typeof RuleWarning>

/** Reason for which an enabled rule can never fire. */
export const Blocker = RuleWarning.pick({ Kind: true, PeripheralUID: true }).extend({ AutomationID })
export type Blocker = z.infer<typeof Blocker>

/** Rule in the editor; AutomationID is set if it exists already. */
const Draft = GivenAutomation.extend({ AutomationID: AutomationKey.shape.AutomationID.optional() })

/** Pause of a home's automations, except alarms. If Until is null, it lasts until a user ends it. */
export const AutomationPause = z.object({
  HomeID,
  Until: Millis.nullable(),
  Reason: requiredText(500),
  By: z.string(),
  At: Millis,
})
export type AutomationPause = z.infer<typeof AutomationPause>

/** Reason for which a trial covers no day. */
export const UNCOVERED = ['bookings', 'noHistory', 'notHeard', 'brief'] as const

export const automations = {
  checkAutomation: defineEndpoint({
    path: '/CheckAutomation',
    summary: 'Warnings about a rule before it is saved, and the next runs of a schedule, at most five.',
    accessBy: byType('Read'),
    input: Draft,
    results: z.object({
      Findings: z.array(RuleWarning),
      NextRuns: z.array(
        z.object({ At: Millis, /** True on an excluded day, without run. */ Struck: z.boolean() }),
      ),
    }),
    errors: ['NOT_FOUND'],
    shows: ['automation', 'peripheral', 'group', 'scene', 'pricing', 'home'],
    freshFor: 30_000,
  }),
  listBlockedAutomation: defineEndpoint({
    path: '/ListBlockedAutomation',
    summary:
      'Enabled automations of one type in a home whose conditions can never become true, each with its first reason: a meter that never reported, main meters that report too seldom, no main meter, no contract capacity in effect, or contradictory values.',
    accessBy: byType('Read'),
    input: Automation.pick({ AutomationType: true, HomeID: true }),
    results: z.array(Blocker),
    errors: ['NOT_FOUND'],
    shows: ['automation', 'peripheral', 'pricing', 'home', 'virtualMeter', 'metering'],
    freshFor: 60_000,
  }),
  tryAutomation: defineEndpoint({
    path: '/TryAutomation',
    summary:
      'Simulates a rule on stored values of the last days; also requires device Read. Effects of its own actions are not simulated.',
    accessBy: byType('Read'),
    input: Draft.extend({ Days: z.number().int().min(1, 'tooSmall').max(30, 'tooBig') }),
    results: z.object({
      Runs: z.array(z.object({ At: Millis, EndedAt: Millis.nullable() })),
      /** Number of skipped runs, by reason. */
      Blocked: z.partialRecord(z.enum(RUN_SKIP_REASONS), z.number().int()),
      /**
       * Energy in kWh of the meters that the rule switches on, for the duration of its runs, and its cost in NT$, which needs
       * electricity Read. Null if unknown, or if the rule only switches off.
       */
      kWh: z.number().nullable(),
      Cost: z.number().nullable(),
      /** Number of the requested days for which the history has data for every condition. */
      CoveredDays: z.number(),
      /**
       * Reason for which no day is covered; null if some are. bookings: former bookings are not stored; noHistory: a condition has
       * no stored values, see Unknown; notHeard: its hub was offline or its values were too old; brief: the history holds minutes
       * only.
       */
      Uncovered: z.enum(UNCOVERED).nullable(),
      /** Devices and fields without history. */
      Unknown: z.array(z.object({ PeripheralUID: z.string(), Field: z.string() })),
    }),
    errors: ['NOT_FOUND', 'LIMIT_EXCEEDED'],
    shows: [],
    why: 'Simulation of the past for a rule that is not saved.',
    freshFor: 60_000,
  }),
  runAutomation: defineEndpoint({
    path: '/RunAutomation',
    summary:
      "Runs an automation's actions now, regardless of its conditions; also requires device_control Control. Returns at once.",
    accessBy: byType('Update'),
    sites: 'record',
    input: AutomationKey.extend({ At: Millis.optional() }),
    results: z.object({ RunID, Actions: z.number().int() }),
    errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['run', 'automation'],
  }),
  setAutomationEnabled: defineEndpoint({
    path: '/SetAutomationEnabled',
    summary:
      'Enables or disables an automation. Enabling restarts it; this also requires device_control Control if it sets devices, and conference_room Read with Booking.',
    accessBy: byType('Update'),
    sites: 'record',
    input: AutomationKey.extend({ Enabled: z.boolean() }),
    results: Automation,
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['automation'],
  }),
  takeOverAutomation: defineEndpoint({
    path: '/TakeOverAutomation',
    summary:
      "Makes the caller the owner of an automation, so that it runs with the caller's rights; also requires device_control Control.",
    accessBy: byType('Update'),
    sites: 'record',
    input: AutomationKey,
    results: Automation,
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['automation'],
  }),
  getAutomationPause: defineEndpoint({
    path: '/GetAutomationPause',
    summary: 'Whether the automations of a home are paused.',
    access: 'homes',
    input: z.object({ HomeID }),
    results: AutomationPause.nullable(),
    errors: ['NOT_FOUND'],
    shows: ['automationPause', 'home'],
    key: ['HomeID'],
  }),
  pauseAutomation: defineEndpoint({
    path: '/PauseAutomation',
    summary:
      'Pauses all automations of a home until a time, or until they are resumed (Until null); also requires smart_link Update. Runs missed meanwhile are recorded and not caught up.',
    access: right('schedule', 'Update'),
    input: AutomationPause.pick({ HomeID: true, Until: true, Reason: true }),
    results: AutomationPause,
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['automationPause'],
  }),
  resumeAutomation: defineEndpoint({
    path: '/ResumeAutomation',
    summary: 'Resumes the automations of a home early; also requires smart_link Update. Automations restart.',
    access: right('schedule', 'Update'),
    input: z.object({ HomeID }),
    results: z.object({ HomeID }),
    errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['automationPause'],
  }),
  replacePeripheral: defineEndpoint({
    path: '/ReplacePeripheral',
    summary:
      'Replaces a device by another one of the same type and home; also requires device_control Control. Groups, scenes and automations then refer to the new device; their owners do not change. From today on, the new meter takes the place of the old one in the meter tree and in virtual meters. Open alarms about its state move to the new device. Rejected if both devices are set or counted together (taken), if automations could then trigger each other (startsLoop), or if a meter would be its own ancestor (loop) or below one of another role (role).',
    access: right('device', 'Update'),
    input: z.object({ HomeID, Old: PeripheralUID, New: PeripheralUID }),
    results: z.object({
      Groups: z.number().int(),
      Scenes: z.number().int(),
      Automations: z.number().int(),
      /** Sub-meters whose parent is the new device, and virtual meters that include it. */
      Meters: z.number().int(),
      Alarms: z.number().int(),
    }),
    errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['group', 'scene', 'automation', 'peripheral', 'virtualMeter', 'metering', 'alarm'],
  }),
}
