import { z } from 'zod'
import { credential } from '../kernel/credential.ts'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import { HomeID, Language, Millis, Name, NotificationChannelID, Version } from '../kernel/scalars.ts'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { NOTIFICATION_CATEGORIES, NOTIFICATION_SEVERITIES } from './settings.ts'

export const MAX_NOTIFICATION_CHANNELS = 20

/**
 * Kinds of channels.
 *
 * line     LINE Messaging API: Token is the channel access token, Target a user, group or room
 * teams    webhook of a Microsoft Teams workflow: Address
 * webhook  any address that accepts JSON with an HMAC-SHA256 of the body in `X-Signature-256`: Address; Token is the secret
 */
export const CHANNEL_KINDS = ['line', 'teams', 'webhook'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** Outbound channel for a company's notifications: a chat, or a system of its own. Secrets are write-only. */
export const NotificationChannel = z.object({
  NotificationChannelID,
  ChannelName: Name,
  Kind: z.enum(CHANNEL_KINDS),
  Enabled: z.boolean(),
  Language,
  Categories: z.array(z.enum(NOTIFICATION_CATEGORIES)).min(1, 'required'),
  /** Minimum severity. */
  Least: z.enum(NOTIFICATION_SEVERITIES),
  /** Homes whose notifications are sent; empty means all. */
  HomeIDs: z.array(HomeID).max(500, 'tooManyRows'),
  /** For LINE: maximum number of paid messages per month; null without a limit. */
  MonthlyBudget: z.number().int().min(1, 'tooSmall').max(1_000_000, 'tooBig').nullable(),
  Version,
  /** Host of the address, or the last characters of the target, for recognition. */
  Hint: z.string(),
  SentThisMonth: z.number().int(),
  LastSentAt: Millis.nullable(),
  /** Error of the last message, a key of `channels.errors` in the locales; null if it was sent. */
  LastError: z.enum(['refused', 'unreachable', 'forbiddenAddress', 'budget']).nullable(),
})
export type NotificationChannel = z.infer<typeof NotificationChannel>

const given = {
  ChannelName: NotificationChannel.shape.ChannelName,
  Kind: NotificationChannel.shape.Kind,
  Enabled: z.boolean().default(true),
  Language: Language.default('zh-TW'),
  Categories: NotificationChannel.shape.Categories.default(['alarm', 'guard']),
  Least: NotificationChannel.shape.Least.default('critical'),
  HomeIDs: NotificationChannel.shape.HomeIDs.default([]),
  MonthlyBudget: NotificationChannel.shape.MonthlyBudget.default(null),
  Address: credential(z.url({ protocol: /^https$/, error: 'address' }).max(1024, 'tooLong')).optional(),
  Token: credential(z.string().trim().min(8, 'tooSmall').max(1024, 'tooLong')).optional(),
  Target: credential(z.string().trim().max(128, 'tooLong')).optional(),
}

const Key = NotificationChannel.pick({ NotificationChannelID: true })

export const notificationChannel = defineResource({
  name: 'notificationChannel',
  scope: 'company',
  feature: 'company',
  record: NotificationChannel,
  key: ['NotificationChannelID'],
  events: eventsOf(Key),
  operations: {
    list: {
      path: '/ListNotificationChannel',
      summary: 'Notification channels of the company by name, without their secrets.',
      sites: 'company',
      input: z.object({}),
      results: z.array(NotificationChannel),
      shows: ['home'],
    },
    create: {
      path: '/CreateNotificationChannel',
      summary: 'Adds a channel; at most 20. An address in an internal network is rejected with `address`.',
      sites: 'company',
      input: z.object(given),
      results: NotificationChannel,
      errors: ['CONFLICT', 'LIMIT_EXCEEDED', 'NOT_FOUND'],
    },
    update: {
      path: '/UpdateNotificationChannel',
      summary:
        'Changes a channel; omitted fields, including secrets, keep their values. Rejected if Version is given and outdated.',
      sites: 'company',
      input: Key.extend({
        ...z.object(given).partial().shape,
        /** Must equal the present kind, which cannot be changed. */
        Kind: NotificationChannel.shape.Kind.optional(),
        Enabled: z.boolean().optional(),
        Language: Language.optional(),
        Categories: NotificationChannel.shape.Categories.optional(),
        Least: NotificationChannel.shape.Least.optional(),
        HomeIDs: NotificationChannel.shape.HomeIDs.optional(),
        MonthlyBudget: NotificationChannel.shape.MonthlyBudget.optional(),
        Version: Version.optional(),
      }),
      results: NotificationChannel,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    remove: {
      path: '/DeleteNotificationChannel',
      summary: 'Deletes a channel with its secrets.',
      sites: 'company',
      input: Key,
      results: Key,
      errors: ['NOT_FOUND'],
    },
  },
})

export const notificationChannelCalls = {
  test: defineEndpoint({
    path: '/TestNotificationChannel',
    summary: 'Sends a test message through a channel and returns the outcome, within five seconds.',
    access: right('company', 'Update'),
    sites: 'company',
    input: NotificationChannel.pick({ NotificationChannelID: true }),
    results: z.object({ Sent: z.boolean(), Error: NotificationChannel.shape.LastError }),
    errors: ['NOT_FOUND', 'LIMIT_EXCEEDED'],
    mutates: true,
    changes: ['notificationChannel'],
  }),
}
