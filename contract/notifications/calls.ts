import { z } from 'zod'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { pageOf, PageInput, HomeID, Millis } from '../kernel/scalars.ts'
import { NOTIFICATION_CATEGORIES, NOTIFICATION_SEVERITIES } from './settings.ts'

const NotificationID = z.uuid()

/**
 * Kinds of notifications: each is a sentence in `notifications.kinds` of the locales, filled with Values.
 *
 * alarm       alarmRaised, alarmChanged (worse), alarmCleared, alarmEscalated, alarmDigest (a flood), alarmChattering
 * guard       guardCannotHold, guardPartialData, guardTooSlow, guardNoContract, guardShed
 * automation  ruleRan (Notify of a rule), ruleFailed, ruleBroken, ruleSuspended, ruleRests, ruleHandedOver, schedulesMissed
 * system      maintenanceEnded, digest (of quiet hours), channelFailed
 * broadcast   broadcast
 */
export const NOTIFICATION_KINDS = [
  'alarmRaised',
  'alarmChanged',
  'alarmCleared',
  'alarmEscalated',
  'alarmDigest',
  'alarmChattering',
  'guardCannotHold',
  'guardPartialData',
  'guardTooSlow',
  'guardNoContract',
  'guardShed',
  'ruleRan',
  'ruleFailed',
  'ruleBroken',
  'ruleSuspended',
  'ruleRests',
  'ruleHandedOver',
  'schedulesMissed',
  'maintenanceEnded',
  'digest',
  'channelFailed',
  'broadcast',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

export const Notification = z.object({
  NotificationID,
  Category: z.enum(NOTIFICATION_CATEGORIES),
  Severity: z.enum(NOTIFICATION_SEVERITIES),
  Kind: z.enum(NOTIFICATION_KINDS),
  HomeID: HomeID.nullable(),
  AlarmID: z.uuid().nullable(),
  /** Values of the sentence: names as of that time, numbers with the unit in their key, e.g. `forecastKw`. */
  Values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  /** Page that it links to, e.g. `/Alarm/…?tab=live&alarm=…`; null if there is none. */
  Path: z.string().max(512).nullable(),
  At: Millis,
  ReadAt: Millis.nullable(),
})
export type Notification = z.infer<typeof Notification>

export const notifications = {
  listNotification: defineEndpoint({
    path: '/ListNotification',
    summary:
      'Notifications of the caller, newest first; Unread is the number of all unread ones, regardless of filters.',
    access: 'signed-in',
    sites: 'mixed',
    input: PageInput.extend({
      /** Restricts to this home and to notifications without a home; if omitted, all homes. */
      HomeID: HomeID.optional(),
      Category: z.enum(NOTIFICATION_CATEGORIES).optional(),
      Severity: z.enum(NOTIFICATION_SEVERITIES).optional(),
      Unread: z.boolean().default(false),
      Since: Millis.optional(),
    }),
    results: pageOf(Notification).extend({ Unread: z.number().int() }),
    shows: ['notification', 'home'],
  }),
  readNotification: defineEndpoint({
    path: '/ReadNotification',
    summary:
      'Marks notifications of the caller as read, or as unread with Read false: the given ones, or all up to a time. Idempotent.',
    access: 'signed-in',
    sites: 'none',
    input: z.object({
      NotificationIDs: z.array(NotificationID).max(500, 'tooManyRows').optional(),
      Before: Millis.optional(),
      Read: z.boolean().default(true),
    }),
    results: z.object({ Changed: z.number().int(), Unread: z.number().int() }),
    mutates: true,
    changes: ['notification'],
  }),
}
