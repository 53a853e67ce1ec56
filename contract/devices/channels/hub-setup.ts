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
const TRIAL_REASONS = [
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

/**
 * Reason for which a received topic or value is not mapped: no device type or field fits; it is a setting or diagnosis; another
 * value of its device is used instead; it belongs to a meter without a counter; it does not count all energy; its unit does not fit
 * its quantity; the announcement is incomplete; the message is unreadable; its template is unusable; the value is outside its
 * limits; its device has not announced itself or is disabled; the message is too large; there are too many; any other.
 */
export const UNMAPPED_REASONS = [
  'noType',
  'setting',
  'otherValue',
  'noCounter',
  'otherCounter',
  'unit',
  'incomplete',
  'malformed',
  'template',
  'value',
  'unannounced',
  'disabled',
  'tooLarge',
  'tooMany',
  'other',
] as const
export type UnmappedReason = (typeof UNMAPPED_REASONS)[number]

export const MAX_UNMAPPED = 200
export const MAX_UNMAPPED_TEXT = { topic: 256, name: 64, detail: 160 }

/** Topic or value that a hub receives and does not map to a device. */
const UnmappedTopic = z.object({
  /** Topic on which it is announced or published; a part of the message is appended after `#`. */
  Topic: z.string().min(1),
  Name: z.string().nullish(),
  Reason: z.enum(UNMAPPED_REASONS).catch('other'),
  /** Reason as text from the hub. */
  Detail: z.string().nullish(),
})

export const unmappedReport = defineChannel(
  topics.unmappedReport,
  z.object({
    /** Number of all unmapped topics; may exceed the number of entries, which is limited. */
    Total: z.number().int().min(0),
    Entries: z.array(UnmappedTopic).max(MAX_UNMAPPED),
  }),
)
