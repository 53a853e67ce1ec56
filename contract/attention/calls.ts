import { z } from 'zod'
import { FEATURES } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, Millis } from '../kernel/scalars.ts'
import { ATTENTION_VERDICTS } from './attention.ts'
import { AttentionItem } from './attention-item.ts'

/** Most items of one answer; Counts are of all. */
export const MAX_ATTENTION_ITEMS = 500

/** A demand and the age of a report change without an event, ms. */
const REFETCH_INTERVAL_MS = 60_000

const Count = z.number().int().min(0)

export const attention = {
  listAttention: defineEndpoint({
    path: '/ListAttention',
    summary:
      'What needs somebody in a home, or in all homes of the company when HomeID is left out, the most urgent first. Items of devices and hubs are shown to who may read device, those of rules to who may read power_meter_alarm, those of energy to who may read electricity; Without names the features whose items are left out.',
    access: 'signed-in',
    input: z.object({ HomeID: HomeID.optional() }),
    results: z.object({
      Items: z.array(AttentionItem).max(MAX_ATTENTION_ITEMS),
      /** Of all items: information needs nobody. */
      Counts: z.object({ critical: Count, warning: Count, info: Count }),
      /** `clear` only when everything that is watched is known; `unknown` for who may not read devices. */
      Verdict: z.enum(ATTENTION_VERDICTS),
      /** Of the devices and hubs that are watched, those whose state is known. */
      Known: Count,
      Watched: Count,
      /** Of those whose state is not known, how many are in which home. */
      UnknownIn: z.record(HomeID, Count),
      /** Devices and hubs that are not watched because somebody works on them. */
      Maintained: Count,
      /** By the gateway's clock. */
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
