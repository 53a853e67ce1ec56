import type {
  NotificationEvent,
  Notify,
} from '../../../../gateway/domain/notifications/notification-transport.ts'

/** Records notices, oldest first. */
export function createNoticesBook(): {
  notify: Notify
  notices: NotificationEvent[]
  of(kind: NotificationEvent['kind']): NotificationEvent[]
  forget(): void
} {
  const notices: NotificationEvent[] = []
  return {
    notices,
    notify: async (_, told) => void notices.push(...told),
    of: (kind) => notices.filter((one) => one.kind === kind),
    forget: () => void notices.splice(0),
  }
}
