import { z } from 'zod'
import { right } from '../features.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { pageOf, PageInput } from '../kernel/page.ts'
import { HomeID, Millis, PeripheralType, PeripheralUID, requiredText } from '../kernel/scalars.ts'

const AlarmID = z.uuid()
const AlarmKey = z.object({ HomeID, AlarmID })
/** A person's name, and when in epoch ms. */
const Act = z.object({ By: z.string(), At: Millis })

/**
 * An alarm: raised when a device reports a state that means alarm or warning, and open until a newer report says otherwise or a
 * person clears it. An alarm that is cleared stays cleared; the next one of the device is a new one.
 */
export const Alarm = z.object({
  AlarmID,
  HomeID,
  /** What says it: `state:<PeripheralUID>`. */
  Source: z.string(),
  PeripheralUID,
  PeripheralType,
  /** As the device is called now, or was when it was removed. */
  PeripheralName: z.string(),
  Severity: z.enum(['critical', 'warning']),
  /** The status fields that mean alarm or warning, and what makes them apply. */
  Values: z.record(z.string(), z.number()),
  /** When the device says that it began. */
  RaisedAt: Millis,
  /** Of the report that this is known by: a later one of the device says more. */
  ReportedAt: Millis,
  /** Null until a person has said that they know; it does not end the alarm. */
  Acknowledged: Act.extend({ Comment: z.string().nullable() }).nullable(),
  /** Null while it is open. A person has a reason, a newer report has neither. */
  Cleared: z.object({ By: z.string().nullable(), At: Millis, Reason: z.string().nullable() }).nullable(),
})
export type Alarm = z.infer<typeof Alarm>

/**
 * Which alarms: `open`, `cleared`, or `current`, which is what a state of a device means now: open, or cleared by a person and
 * not reported again since.
 */
export const ALARM_STATES = ['open', 'cleared', 'current'] as const

export const alarms = {
  listAlarm: defineEndpoint({
    path: '/ListAlarm',
    summary:
      "Alarms of a home, or of all the company's homes when HomeID is left out: open ones that nobody has acknowledged first, then acknowledged ones, then cleared ones; in each the newest first.",
    access: right('device', 'Read'),
    input: PageInput.extend({ HomeID: HomeID.optional(), State: z.enum(ALARM_STATES).optional() }),
    results: pageOf(Alarm),
    errors: ['NOT_FOUND'],
    shows: ['alarm', 'peripheral', 'home'],
  }),
  acknowledgeAlarm: defineEndpoint({
    path: '/AcknowledgeAlarm',
    summary:
      'Says that a person knows of an alarm. It stays open. Refused when it was acknowledged or has ended meanwhile.',
    access: right('device_control', 'Control'),
    input: AlarmKey.extend({ Comment: requiredText(500).optional() }),
    results: Alarm,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['alarm'],
  }),
  clearAlarm: defineEndpoint({
    path: '/ClearAlarm',
    summary:
      'Ends an alarm of a device that can say nothing itself: its hub is lost, or it was removed. Refused with stillTrue while it can, and when the alarm has ended meanwhile.',
    access: right('device_control', 'Control'),
    input: AlarmKey.extend({ Reason: requiredText(500) }),
    results: Alarm,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['alarm'],
  }),
}
