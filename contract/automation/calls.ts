import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { AutomationID, HomeID, Millis, PeripheralUID, requiredText, RunID } from '../kernel/scalars.ts'
import { Automation, AutomationKey, byType, GivenAutomation } from './automation.ts'
import { RUN_SKIP_REASONS } from './run-calls.ts'

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
    summary:
      'What is worth knowing of a rule before it is saved, and when a schedule would run next, at most five times.',
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
      'Automations of one type in a home that are switched on and whose conditions can never become true, each with its first reason: a meter that has never reported, main meters that report too seldom, no main meter, no contract capacity in force, or values that never meet.',
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
      'What a rule would have done in the last days by what was stored; also needs device Read. It knows nothing of what its own actions would have changed.',
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
    why: 'A computation of the past on a rule that is not saved.',
    freshFor: 60_000,
  }),
  runAutomation: defineEndpoint({
    path: '/RunAutomation',
    summary:
      "Runs an automation's actions now, conditions passed over; needs device_control Control as well. Answers at once.",
    accessBy: byType('Update'),
    input: AutomationKey.extend({ At: Millis.optional() }),
    results: z.object({ RunID, Actions: z.number().int() }),
    errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['run', 'automation'],
  }),
  setAutomationEnabled: defineEndpoint({
    path: '/SetAutomationEnabled',
    summary:
      'Switches an automation on or off. Switched on it starts again; that needs device_control Control as well if it sets devices, and with Booking conference_room Read.',
    accessBy: byType('Update'),
    input: AutomationKey.extend({ Enabled: z.boolean() }),
    results: Automation,
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['automation'],
  }),
  takeOverAutomation: defineEndpoint({
    path: '/TakeOverAutomation',
    summary: 'Makes whoever asks its owner: it acts with their rights; needs device_control Control as well.',
    accessBy: byType('Update'),
    input: AutomationKey,
    results: Automation,
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['automation'],
  }),
  getAutomationPause: defineEndpoint({
    path: '/GetAutomationPause',
    summary: "Whether a home's automations rest.",
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
      'Lets all automations of a home rest until a moment, or until they are resumed (Until null); also needs smart_link Update. What would have run meanwhile is noted and not caught up.',
    access: right('schedule', 'Update'),
    input: AutomationPause.pick({ HomeID: true, Until: true, Reason: true }),
    results: AutomationPause,
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['automationPause'],
  }),
  resumeAutomation: defineEndpoint({
    path: '/ResumeAutomation',
    summary:
      'Ends the rest of a home before its time; also needs smart_link Update. Automations start again.',
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
      'Puts a device in the place of another of the same type and home; needs device_control Control as well. Groups, scenes and automations name the new one from then on; their owners stay. From today on meters below the old one stand below the new one, which takes its place, and virtual meters count the new one. Open alarms of its state become those of the new one. Refused where both are set or counted together (taken), where automations might start each other by it (startsLoop), and where meters would stand above themselves (loop) or below one of another role (role).',
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
