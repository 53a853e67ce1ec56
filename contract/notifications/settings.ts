import { z } from 'zod'
import { TimeZone } from '../kernel/scalars.ts'

/** What notifications are about. */
export const NOTIFICATION_CATEGORIES = ['alarm', 'guard', 'automation', 'system', 'broadcast'] as const
export type NotificationCategory = (typeof NOTIFICATION_CATEGORIES)[number]

export const NOTIFICATION_SEVERITIES = ['critical', 'warning', 'info'] as const
export type NotificationSeverity = (typeof NOTIFICATION_SEVERITIES)[number]

/** Minute of the day by the person's clock. */
const Minute = z.number().int().min(0).max(1439)

/**
 * When a person is left alone: what comes meanwhile waits for one digest at the end. To before From is over midnight and belongs to
 * the day on which it began; From equal to To is the whole day.
 *
 * Days    0 Sunday to 6 Saturday
 * Except  what comes through all the same
 */
export const QuietHours = z.strictObject({
  From: Minute,
  To: Minute,
  Days: z.array(z.number().int().min(0).max(6)).min(1, 'required').max(7),
  Except: z.enum(['critical', 'none']),
  /** IANA zone, as the person's browser said it. */
  TimeZone,
})
export type QuietHours = z.output<typeof QuietHours>

const Ways = z.strictObject({ Push: z.boolean(), Mail: z.boolean() })

/** What a person wants to be told of, and how. The history holds all of it anyway. */
export const NotificationSettings = z.strictObject({
  Categories: z.strictObject(
    Object.fromEntries(NOTIFICATION_CATEGORIES.map((category) => [category, Ways])) as Record<
      NotificationCategory,
      typeof Ways
    >,
  ),
  /** The least severity that is sent; the history holds the others. */
  Least: z.enum(NOTIFICATION_SEVERITIES),
  Quiet: QuietHours.nullable(),
  /** Whether an alarm that is over is told as well. */
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
