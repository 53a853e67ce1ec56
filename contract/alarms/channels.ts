import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineChannel } from '../kernel/define-channel.ts'
import { Millis } from '../kernel/scalars.ts'
import { Alarm } from './calls.ts'
import { Notification } from '../notifications/calls.ts'

export const ALARM_EVENTS = ['raised', 'changed', 'acknowledged', 'shelved', 'cleared'] as const
const payload = Alarm.pick({ AlarmID: true, Severity: true }).extend({
  News: z.enum(ALARM_EVENTS),
  Timestamp: Millis,
})
export type AlarmMessage = z.infer<typeof payload>

export const alarmOfDevice = defineChannel({
  template: '{rootId}/{homeId}/alarm/device',
  summary: 'An alarm that does not come from a rule was raised, changed or cleared.',
  publishers: ['gateway'],
  subscribers: ['screen'],
  access: right('device', 'Read'),
  payload,
})

export const alarmOfRule = defineChannel({
  template: '{rootId}/{homeId}/alarm/rule',
  summary: 'An alarm of an automation of type 4 was raised, changed or cleared.',
  publishers: ['gateway'],
  subscribers: ['screen'],
  access: right('power_meter_alarm', 'Read'),
  payload,
})

/** Sent to one person: a new notification, or null if some were read on another screen. */
export const userNotification = defineChannel({
  template: '{rootId}/user/{cognitoId}/notification',
  summary: 'A notification for the user, and the number of their unread notifications.',
  publishers: ['gateway'],
  subscribers: ['screen'],
  access: 'signed-in',
  payload: z.object({ Notification: Notification.nullable(), Unread: z.number().int() }),
})
