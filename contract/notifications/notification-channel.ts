import { z } from 'zod'
import { credential } from '../kernel/credential.ts'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import { HomeID, Language, Millis, Name, NotificationChannelID, Version } from '../kernel/scalars.ts'
import { NOTIFICATION_CATEGORIES, NOTIFICATION_SEVERITIES } from './settings.ts'

/** Most channels of a company. */
export const MAX_NOTIFICATION_CHANNELS = 20

/**
 * line     LINE Messaging API: Token is the channel access token, Target a user, group or room
 * teams    a workflow's webhook of Microsoft Teams: Address
 * webhook  any address that takes JSON with an HMAC-SHA256 of the body in `X-Signature-256`: Address, Token is the secret
 */
export const CHANNEL_KINDS = ['line', 'teams', 'webhook'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** A way out of the product for what a company is told: a chat, or a system of its own. Secrets are written, never read. */
export const NotificationChannel = z.object({
  NotificationChannelID,
  ChannelName: Name,
  Kind: z.enum(CHANNEL_KINDS),
  Enabled: z.boolean(),
  Language,
  Categories: z.array(z.enum(NOTIFICATION_CATEGORIES)).min(1, 'required'),
  /** The least severity that goes there. */
  Least: z.enum(NOTIFICATION_SEVERITIES),
  /** Homes of which it hears; empty is all. */
  HomeIDs: z.array(HomeID).max(500, 'tooManyRows'),
  /** Of LINE: messages a month that may be paid for; null without limit. */
  MonthlyBudget: z.number().int().min(1, 'tooSmall').max(1_000_000, 'tooBig').nullable(),
  Version,
  /** The host of the address, or the last characters of the target: enough to know it again. */
  Hint: z.string(),
  SentThisMonth: z.number().int(),
  LastSentAt: Millis.nullable(),
  /** Why the last message did not go, a key of `channels.errors` in the locales; null when it went. */
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
      summary: "A company's channels by name, without their secrets.",
      input: z.object({}),
      results: z.array(NotificationChannel),
      shows: ['home'],
    },
    create: {
      path: '/CreateNotificationChannel',
      summary: 'Adds a channel; at most 20. An address that points inside is refused with `address`.',
      input: z.object(given),
      results: NotificationChannel,
      errors: ['CONFLICT', 'LIMIT_EXCEEDED', 'NOT_FOUND'],
    },
    update: {
      path: '/UpdateNotificationChannel',
      summary: 'Changes a channel; fields left out stay, secrets too. Refused if Version is given and old.',
      input: Key.extend({
        ...z.object(given).partial().shape,
        /** As it is: a channel of another kind is another channel. */
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
      input: Key,
      results: Key,
      errors: ['NOT_FOUND'],
    },
  },
})
