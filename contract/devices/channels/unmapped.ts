import { z } from 'zod'
import { right } from '../../kernel/permissions.ts'
import { defineChannel } from '../../kernel/define-channel.ts'

/**
 * Reasons why a hub receives something and shows no device of it: no device type or field is for it; it is a setting or diagnosis;
 * another value of its device is shown instead; it belongs to a meter without a counter; it counts something else than all energy; its
 * unit is none of its quantity; the announcement lacks something; the message cannot be read; its template cannot be used; the value is
 * outside of its limits; its device has not announced itself or is disabled; the message is too large; there are too many; any other.
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

/** Topics in one report. */
export const MAX_UNMAPPED = 200
/** Characters that are kept of a topic, a name and details. */
export const MAX_UNMAPPED_TEXT = { topic: 256, name: 64, detail: 160 }

/** A topic or value that a hub receives and does not show. */
export const UnmappedTopic = z.object({
  /** Topic on which it is announced or published, with a part of it after `#`. */
  Topic: z.string().min(1),
  Name: z.string().nullish(),
  Reason: z.enum(UNMAPPED_REASONS).catch('other'),
  /** The same in the hub's own words. */
  Detail: z.string().nullish(),
})

export const unmappedReport = defineChannel({
  template: '{rootId}/{homeId}/unmapped/report/{thingName}',
  summary:
    'Everything that a hub which bridges devices receives and does not show. It replaces the report before.',
  publishers: ['hub'],
  subscribers: [],
  access: right('device', 'Read'),
  payload: z.object({
    /** Number of all of them; more than there are entries if they are more than a report may have. */
    Total: z.number().int().min(0),
    Entries: z.array(UnmappedTopic).max(MAX_UNMAPPED),
  }),
})
