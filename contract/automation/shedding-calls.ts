import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import {
  pageOf,
  PageInput,
  AutomationID,
  GroupID,
  HomeID,
  Millis,
  PeripheralUID,
  RunID,
} from '../kernel/scalars.ts'

/**
 * State of a shed load.
 *
 * off        confirmed off                               failed    not switched off, or state unknown
 * sent       the command is pending                      givenBack restored, or set by a user since
 */
export const SHEDDING_STATES = ['sent', 'off', 'failed', 'givenBack'] as const

/** Load that a rule shed. */
export const Shedding = z.object({
  SheddingID: z.uuid(),
  HomeID,
  AutomationID,
  AutomationName: z.string(),
  PeripheralUID: PeripheralUID.nullable(),
  GroupID: GroupID.nullable(),
  State: z.enum(SHEDDING_STATES),
  /** Power when it was shed, kW. */
  Kw: z.number().nullable(),
  ShedAt: Millis,
  ConfirmedAt: Millis.nullable(),
  GivenBackAt: Millis.nullable(),
  /** The run that shed it, and the one that restored it. */
  RunID,
  GivenBackRunID: RunID.nullable(),
  /** Forecast demand of the quarter-hour and the target when it was shed, kW. */
  Forecast: z.number(),
  Target: z.number(),
})
export type Shedding = z.infer<typeof Shedding>

/** State of load shedding in the current quarter-hour. */
export const GUARD_STATES = [
  'idle',
  'watching',
  'shedding',
  'givingBack',
  'cannotHold',
  'partialData',
  'tooSlow',
  'noContract',
] as const
export const Guard = z.object({
  AutomationID,
  AutomationName: z.string(),
  /**
   * State of the rule.
   *
   * idle        the first minutes of the quarter, or the rule is off      watching     below the target
   * shedding    loads are off or being switched off                       givingBack   loads are being restored, one at a time
   * cannotHold  all listed loads together do not suffice                  partialData  a main meter does not report: nothing is shed
   * tooSlow     a main meter reports less often than every minute         noContract   no capacity is agreed at present
   */
  State: z.enum(GUARD_STATES),
  /** Demand of the current quarter-hour, kW; null if unknown. */
  Forecast: z.number().nullable(),
  Target: z.number().nullable(),
  At: Millis,
})
export type Guard = z.infer<typeof Guard>

/**
 * Estimated saving by load shedding in a billing period: the bill with the peaks that would have occurred, minus the actual bill.
 */
export const AvoidedCost = z.object({
  /** First day of the billing period, YYYY-MM-DD in the home's time zone. */
  From: z.string(),
  Band: z.string(),
  /** Highest quarter-hour in kW: as measured, and without shedding. */
  Peak: z.number(),
  PeakWithout: z.number(),
  /** NT$; needs electricity Read, else null. */
  Cost: z.number().nullable(),
})

export type AvoidedCost = z.infer<typeof AvoidedCost>

const READ = { access: right('power_meter_alarm', 'Read'), errors: ['NOT_FOUND'] } as const

export const sheddings = {
  listShedding: defineEndpoint({
    ...READ,
    path: '/ListShedding',
    summary: 'Loads of a home that its contract guards shed, newest first.',
    input: PageInput.extend({
      HomeID,
      AutomationID: AutomationID.optional(),
      Open: z.boolean().default(false),
    }),
    results: pageOf(Shedding),
    shows: ['shedding', 'automation', 'home'],
    freshFor: 15_000,
  }),
  getGuards: defineEndpoint({
    ...READ,
    path: '/GetGuards',
    summary: 'Status of the contract guards of a home, by name.',
    input: z.object({ HomeID }),
    results: z.object({ Guards: z.array(Guard) }),
    shows: ['shedding', 'automation', 'home'],
    freshFor: 15_000,
  }),
  getAvoidedPeaks: defineEndpoint({
    ...READ,
    path: '/GetAvoidedPeaks',
    summary:
      'Estimated peaks and costs that the contract guards of a home avoided in the last 124 days, the newest billing period first.',
    input: z.object({ HomeID }),
    results: z.object({ Avoided: z.array(AvoidedCost) }),
    shows: ['shedding', 'pricing', 'home'],
  }),
}
