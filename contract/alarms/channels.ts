import { z } from 'zod'
import { topics } from '../channels/table.ts'
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

export const alarmOfDevice = defineChannel(topics.alarmOfDevice, payload)

export const alarmOfRule = defineChannel(topics.alarmOfRule, payload)

/** Sent to one person: a new notification, or null if some were read on another screen. */
export const userNotification = defineChannel(
  topics.userNotification,
  z.object({ Notification: Notification.nullable(), Unread: z.number().int() }),
)
