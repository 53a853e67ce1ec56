import {
  DEFAULT_NOTIFICATION_SETTINGS,
  NOTIFICATION_CATEGORIES,
  NotificationSettings,
} from '../../../contract/notifications/settings.ts'
import { isRecord } from '../../../contract/kernel/is-record.ts'

/** Parses stored settings of any version: missing and invalid fields get their defaults, the rest is kept. */
export function readSettings(stored: unknown): NotificationSettings {
  if (!isRecord(stored)) return DEFAULT_NOTIFICATION_SETTINGS
  const parsed = NotificationSettings.safeParse(stored)
  if (parsed.success) return parsed.data
  const known: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(NotificationSettings.shape)) {
    const field = schema.safeParse(stored[name])
    known[name] = field.success ? field.data : DEFAULT_NOTIFICATION_SETTINGS[name as 'Least']
  }
  const categories = isRecord(stored['Categories']) ? stored['Categories'] : {}
  const Categories = Object.fromEntries(
    NOTIFICATION_CATEGORIES.map((category) => {
      const channels = NotificationSettings.shape.Categories.shape[category].safeParse(categories[category])
      return [category, channels.success ? channels.data : DEFAULT_NOTIFICATION_SETTINGS.Categories[category]]
    }),
  )
  return { ...known, Categories } as NotificationSettings
}
