import { z } from 'zod'
import { UNMAPPED_REASONS } from '../devices/channels/unmapped.ts'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { Millis } from '../kernel/scalars.ts'
import { ThingKey } from '../devices/thing.ts'

/** A topic or value that a hub receives and does not show. */
export const UnmappedValue = z.object({
  Topic: z.string(),
  /** Null if the hub states none. */
  Name: z.string().nullable(),
  Reason: z.enum(UNMAPPED_REASONS),
  /** The reason in the hub's own words; null if it states none. */
  Detail: z.string().nullable(),
  /** Time of the first report that has it with this reason; starts again after a report without it. */
  Since: Millis,
})
export type UnmappedValue = z.infer<typeof UnmappedValue>

/** Devices and values behind a hub that are not shown. */
export const unmapped = {
  listUnmapped: defineEndpoint({
    path: '/ListUnmapped',
    summary: 'What a hub last reported as received and not shown: topic, reason and since when.',
    access: right('device', 'Read'),
    input: ThingKey,
    results: z.object({
      /** Null for a hub that has reported none, such as one that bridges nothing. */
      ReportedAt: Millis.nullable(),
      /** Number of all of them, of which Entries are the first 200. */
      Total: z.number().int(),
      Entries: z.array(UnmappedValue),
    }),
    errors: ['NOT_FOUND'],
    shows: ['thing'],
    freshFor: 10_000,
  }),
}
