import { z } from 'zod'
import { topics } from '../../channels/table.ts'
import { defineChannel } from '../../kernel/define-channel.ts'
import { Millis, ThingName } from '../../kernel/scalars.ts'

/** Progress of a new hub: nothing received; a sign-in was attempted; signed in; a message received. */
export const TRIAL_STAGES = ['waiting', 'reached', 'signedIn', 'message'] as const

/**
 * Problem: wrong password, Count times; the hub's clock is off by OffBy ms (negative: behind); messages to topics of another site
 * or company; to unknown topics; unreadable messages; or nothing received for two minutes.
 */
export const TRIAL_REASONS = [
  'wrongPassword',
  'clockOff',
  'otherHome',
  'unknownTopic',
  'malformed',
  'silent',
] as const

/** Time in ms after its secret was created for which the first connection of a hub is watched. */
export const TRIAL_TIMEOUT_MS = 30 * 60_000

/** Progress for the user who connects a hub. Published at each step, and again to new subscribers. */
export const hubTrial = defineChannel(
  topics.hubTrial,
  z.object({
    ThingName,
    Stage: z.enum(TRIAL_STAGES),
    Reason: z.enum(TRIAL_REASONS).optional(),
    /** Address of the hub, if the broker reports it. */
    From: z.string().optional(),
    Count: z.number().int().optional(),
    OffBy: z.number().optional(),
    /** By the gateway's clock. */
    Timestamp: Millis,
  }),
)
