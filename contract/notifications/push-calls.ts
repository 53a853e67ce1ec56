import { z } from 'zod'
import { credential } from '../kernel/credential.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { DepartmentID, HomeID, Millis, requiredText } from '../kernel/scalars.ts'

/** Maximum number of browsers of one user with push notifications. */
export const MAX_SUBSCRIPTIONS = 10
export const MAX_BROADCASTS_PER_DAY = 10

/** Bytes in base64url, with or without padding, as browsers produce them. */
const bytes = (count: number) =>
  z
    .string()
    .max(128, 'invalid')
    .regex(/^[\w-]+={0,2}$/, 'invalid')
    .refine((text) => Math.floor((text.replace(/=+$/, '').length * 3) / 4) === count, 'invalid')

/**
 * Push subscription of a browser, as returned by `PushSubscription.toJSON()`: p256dh is an uncompressed P-256 point (65 bytes), auth 16
 * bytes (RFC 8291). Only hosts of known push services are accepted, else INVALID `endpoint`.
 */
export const SubscriptionInfo = z.object({
  endpoint: credential(z.url('endpoint').max(1024, 'endpoint')),
  expirationTime: z.number().nullable().optional(),
  keys: credential(z.object({ p256dh: bytes(65), auth: bytes(16) })),
})
export type SubscriptionInfo = z.infer<typeof SubscriptionInfo>

export const PushSubscriptionRecord = z.object({
  SubscriptionID: z.uuid(),
  /** SHA-256 of the endpoint, hex, by which a browser recognizes its own subscription. */
  EndpointHash: z.string(),
  UserAgent: z.string(),
  Since: Millis,
  /** Time at which a push service last accepted a message for it; null if never. */
  LastSentAt: Millis.nullable(),
})
export type PushSubscriptionRecord = z.infer<typeof PushSubscriptionRecord>

export const push = {
  webPushSubscriptionSetting: defineEndpoint({
    path: '/WebPushSubscriptionSetting',
    summary:
      "ENABLE stores this browser's push subscription for the caller (at most 10), replacing another user's if the keys match; REMOVE deletes it. Both are idempotent.",
    access: 'signed-in',
    sites: 'none',
    input: z.object({ Status: z.enum(['ENABLE', 'REMOVE']), SubscriptionInfo }),
    results: z.object({ Status: z.enum(['ENABLE', 'REMOVE']) }),
    errors: ['CONFLICT', 'LIMIT_EXCEEDED'],
    mutates: true,
    changes: ['pushSubscription'],
  }),
  listPushSubscription: defineEndpoint({
    path: '/ListPushSubscription',
    summary: 'Browsers of the caller with a push subscription.',
    access: 'signed-in',
    sites: 'none',
    input: z.object({}),
    results: z.array(PushSubscriptionRecord),
    shows: ['pushSubscription'],
    freshFor: 0,
  }),
  deletePushSubscription: defineEndpoint({
    path: '/DeletePushSubscription',
    summary: 'Deletes a push subscription of the caller, e.g. of a lost device.',
    access: 'signed-in',
    sites: 'none',
    input: PushSubscriptionRecord.pick({ SubscriptionID: true }),
    results: PushSubscriptionRecord.pick({ SubscriptionID: true }),
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: ['pushSubscription'],
  }),
  testWebPush: defineEndpoint({
    path: '/TestWebPush',
    summary:
      'Sends a test push to the caller and returns how many push services accepted it, how many reported the browser as gone, and how many failed or did not answer in five seconds.',
    access: 'signed-in',
    sites: 'none',
    input: z.object({}),
    results: z.object({ Sent: z.number().int(), Gone: z.number().int(), Failed: z.number().int() }),
    errors: ['LIMIT_EXCEEDED'],
    mutates: true,
    // No transaction stays open while waiting for a push service.
    commitsItself: true,
    changes: ['pushSubscription'],
  }),
  webPushBroadcast: defineEndpoint({
    path: '/WebPushBroadcast',
    summary:
      'Sends a message to users: those with access to a home, those of departments, or all; Recipients is the number of users who received it. At most 10 per day and company.',
    access: { feature: 'company', operation: 'Update' },
    sites: 'orCompany',
    input: z.object({
      Title: requiredText(64),
      Text: requiredText(500),
      HomeID: HomeID.optional(),
      DepartmentIDs: z.array(DepartmentID).max(50, 'tooManyRecipients').optional(),
      Severity: z.enum(['info', 'warning']).default('info'),
    }),
    results: z.object({ Recipients: z.number().int() }),
    errors: ['NOT_FOUND', 'LIMIT_EXCEEDED'],
    mutates: true,
    changes: ['notification'],
  }),
}
