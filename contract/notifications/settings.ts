import { z } from 'zod'
import { TimeZone } from '../kernel/scalars.ts'

export const NOTIFICATION_CATEGORIES = ['alarm', 'guard', 'automation', 'system', 'broadcast'] as const
export type NotificationCategory = (typeof NOTIFICATION_CATEGORIES)[number]

export const NOTIFICATION_SEVERITIES = ['critical', 'warning', 'info'] as const
export type NotificationSeverity = (typeof NOTIFICATION_SEVERITIES)[number]

/** Minute of the day in the user's time zone. */
const Minute = z.number().int().min(0).max(1439)

/**
 * Quiet hours of a user: notifications in the meantime are collected in one digest at the end. If To is before From, they pass midnight
 * and belong to the day on which they began; if equal, they last the whole day.
 *
 * Days    0 Sunday to 6 Saturday
 * Except  what is sent anyway
 */
export const QuietHours = z.strictObject({
  From: Minute,
  To: Minute,
  Days: z.array(z.number().int().min(0).max(6)).min(1, 'required').max(7),
  Except: z.enum(['critical', 'none']),
  /** IANA zone, as reported by the user's browser. */
  TimeZone,
})
export type QuietHours = z.output<typeof QuietHours>

const Ways = z.strictObject({ Push: z.boolean(), Mail: z.boolean() })

/** Notification preferences of a user. The history contains all notifications regardless. */
export const NotificationSettings = z.strictObject({
  Categories: z.strictObject(
    Object.fromEntries(NOTIFICATION_CATEGORIES.map((category) => [category, Ways])) as Record<
      NotificationCategory,
      typeof Ways
    >,
  ),
  /** Minimum severity to send; the history contains the others. */
  Least: z.enum(NOTIFICATION_SEVERITIES),
  Quiet: QuietHours.nullable(),
  /** Whether to notify of cleared alarms too. */
  TellCleared: z.boolean(),
})
export type NotificationSettings = z.output<typeof NotificationSettings>

export const DEFAULT_NOTIFICATION_SETTINGS: NotificationSettings = {
  Categories: {
    alarm: { Push: true, Mail: true },
    guard: { Push: true, Mail: true },
    automation: { Push: true, Mail: false },
    system: { Push: true, Mail: false },
    broadcast: { Push: true, Mail: false },
  },
  Least: 'info',
  Quiet: null,
  TellCleared: true,
}
