import { useRef } from 'react'
import type { NotificationSettings } from '../../../contract/notifications/settings.ts'
import { queryClient } from '../../data/api.ts'
import { personalQuery, savePersonalConfig } from '../../data/personal.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../lib/i18n/i18n.ts'

/** What becomes of the settings. */
export type Edit = (now: NotificationSettings) => NotificationSettings

/**
 * Saves each change of what a person wants to be told of at once, one after the other. What another screen of theirs has changed
 * meanwhile is not lost: the change is refused, and the settings show what they are now.
 */
export function useNotificationSettings(): { busy: boolean; change: (edit: Edit) => void } {
  const { busy, run } = useAction(async (edit: Edit, send) => {
    const { Notifications: seen } = await queryClient.ensureQueryData(personalQuery)
    return savePersonalConfig({ Notifications: edit(seen), Seen: { Notifications: seen } }, send)
  })
  const line = useRef<Promise<unknown>>(Promise.resolve())
  const change = (edit: Edit) => {
    line.current = line.current.then(() => run(edit, () => t('personal:updated')))
  }
  return { busy, change }
}
