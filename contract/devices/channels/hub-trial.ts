import { z } from 'zod'
import { right } from '../../kernel/permissions.ts'
import { defineChannel } from '../../kernel/define-channel.ts'
import { Millis, ThingName } from '../../kernel/scalars.ts'

/** How far a new hub has come: nothing was heard of it, something tried to sign in as it, it is signed in, it has said something. */
export const TRIAL_STAGES = ['waiting', 'reached', 'signedIn', 'message'] as const

/**
 * What is wrong: the password, as often as Count says; the hub's clock, by OffBy ms (negative: behind); messages to the topics of
 * another site or company; to topics that mean nothing here; messages that cannot be read; or nothing came for two minutes.
 */
export const TRIAL_REASONS = [
  'wrongPassword',
  'clockOff',
  'otherHome',
  'unknownTopic',
  'malformed',
  'silent',
] as const

/** How long the first connection of a hub is watched after a secret was made for it, in ms. */
export const TRIAL_TIMEOUT_MS = 30 * 60_000

/** What a person who connects a hub hears of it meanwhile. Sent at each step, and again to who subscribes. */
export const hubTrial = defineChannel({
  template: '{rootId}/{homeId}/hub/trial',
  summary: 'How far a hub has come whose secret was made in the last 30 minutes, and what is wrong.',
  publishers: ['gateway'],
  subscribers: ['screen'],
  access: right('device', 'Create'),
  payload: z.object({
    ThingName,
    Stage: z.enum(TRIAL_STAGES),
    Reason: z.enum(TRIAL_REASONS).optional(),
    /** The address that the hub connects from, as far as the broker says it. */
    From: z.string().optional(),
    Count: z.number().int().optional(),
    OffBy: z.number().optional(),
    /** Epoch ms of the gateway's clock. */
    Timestamp: Millis,
  }),
})
