import { z } from 'zod'
import { FEATURES } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, Millis } from '../kernel/scalars.ts'
import { ATTENTION_VERDICTS } from './attention.ts'
import { AttentionItem } from './attention-item.ts'

/** Maximum items per answer; Counts cover all of them. */
export const MAX_ATTENTION_ITEMS = 500

/** Refetch interval in ms, because demand and the age of reports change without an event. */
const REFETCH_INTERVAL_MS = 60_000

const Count = z.number().int().min(0)

export const attention = {
  listAttention: defineEndpoint({
    path: '/ListAttention',
    summary:
      'Items that need attention in a home, or in all homes of the company if HomeID is absent, the most urgent first. Items of devices and hubs require device Read, those of rules power_meter_alarm Read, those of energy electricity Read; Without lists the features whose items are omitted.',
    access: 'signed-in',
    sites: 'mixed',
    input: z.object({ HomeID: HomeID.optional() }),
    results: z.object({
      Items: z.array(AttentionItem).max(MAX_ATTENTION_ITEMS),
      /** Number of all items by severity; information needs no action. */
      Counts: z.object({ critical: Count, warning: Count, info: Count }),
      /** `clear` only if the state of everything monitored is known; `unknown` for callers who may not read devices. */
      Verdict: z.enum(ATTENTION_VERDICTS),
      /** Number of monitored devices and hubs whose state is known. */
      Known: Count,
      Watched: Count,
      /** Number of monitored devices and hubs whose state is unknown, by home. */
      UnknownIn: z.record(HomeID, Count),
      /** Number of devices and hubs in maintenance, which are not monitored. */
      Maintained: Count,
      /** Time of the answer by the gateway's clock. */
      AsOf: Millis,
      Without: z.array(z.enum(FEATURES)),
    }),
    errors: ['NOT_FOUND'],
    shows: [
      'alarm',
      'maintenance',
      'peripheral',
      'thing',
      'home',
      'room',
      'quarantinedReading',
      'automation',
      'tariff',
    ],
    freshFor: REFETCH_INTERVAL_MS,
  }),
}
