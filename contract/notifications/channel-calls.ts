import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { NotificationChannel } from './notification-channel.ts'

export const notificationChannelCalls = {
  test: defineEndpoint({
    path: '/TestNotificationChannel',
    summary: 'Sends a test message through a channel and returns the outcome, within five seconds.',
    access: right('company', 'Update'),
    input: NotificationChannel.pick({ NotificationChannelID: true }),
    results: z.object({ Sent: z.boolean(), Error: NotificationChannel.shape.LastError }),
    errors: ['NOT_FOUND', 'LIMIT_EXCEEDED'],
    mutates: true,
    changes: ['notificationChannel'],
  }),
}
