import { z } from 'zod'
import { UNMAPPED_REASONS } from '../devices/channels/unmapped.ts'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { Millis } from '../kernel/scalars.ts'
import { ThingKey } from '../devices/thing.ts'

/** Topic or value that a hub receives and does not map to a device. */
export const UnmappedValue = z.object({
  Topic: z.string(),
  /** Null if the hub reports none. */
  Name: z.string().nullable(),
  Reason: z.enum(UNMAPPED_REASONS),
  /** Reason as text from the hub; null if it reports none. */
  Detail: z.string().nullable(),
  /** Time of the first report that contains it with this reason; restarts after a report without it. */
  Since: Millis,
})
export type UnmappedValue = z.infer<typeof UnmappedValue>

export const unmapped = {
  listUnmapped: defineEndpoint({
    path: '/ListUnmapped',
    summary: 'Data that a hub last reported as received but not mapped: topic, reason and since when.',
    access: right('device', 'Read'),
    input: ThingKey,
    results: z.object({
      /** Null if the hub has never reported unmapped values, e.g. because it bridges none. */
      ReportedAt: Millis.nullable(),
      /** Number of all unmapped values; Entries are the first 200. */
      Total: z.number().int(),
      Entries: z.array(UnmappedValue),
    }),
    errors: ['NOT_FOUND'],
    shows: ['thing'],
    freshFor: 10_000,
  }),
}
