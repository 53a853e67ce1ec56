import { right } from '../../contract/kernel/permissions.ts'
import type { NotificationEvent } from '../../gateway/domain/notifications/notification-transport.ts'

/** Notice of a company as features store it: an alarm of no home, for users who may read devices. */
export const noticeOf = (tenant: string, overrides: Partial<NotificationEvent> = {}): NotificationEvent => ({
  tenant,
  homeId: null,
  category: 'alarm',
  severity: 'warning',
  kind: 'alarmRaised',
  alarmId: null,
  values: { subject: 'Chiller' },
  path: null,
  to: { access: right('device', 'Read') },
  topic: null,
  at: Date.UTC(2026, 0, 5, 1),
  ...overrides,
})
