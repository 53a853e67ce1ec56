import type { Notification } from '../../contract/notifications/calls.ts'

/** The n-th id of a test's notifications. */
export const notificationId = (n: number): string =>
  `6b1f7a52-6f0a-4f7b-9f0e-3a52b2a3c${String(n).padStart(3, '0')}`

/** Unread notification of a smoke detector that reports fire. */
export const notificationRecord = (overrides: Partial<Notification> = {}): Notification => ({
  NotificationID: notificationId(1),
  Category: 'alarm',
  Severity: 'critical',
  Kind: 'alarmRaised',
  HomeID: 'h1',
  AlarmID: null,
  Values: {
    kind: 'state',
    subject: '機房偵煙器',
    home: '總部',
    peripheralType: '756',
    field: 'SmokeState',
    value: 3,
  },
  Path: '/Alarm/h1?tab=live',
  At: Date.now() - 150_000,
  ReadAt: null,
  ...overrides,
})
