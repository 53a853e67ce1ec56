import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { pageOf, PageInput } from '../kernel/page.ts'
import { AutomationID, GroupID, HomeID, Millis, PeripheralUID, RunID } from '../kernel/scalars.ts'

/**
 * off        its load is confirmed off           failed    its load did not go off, or nobody knows
 * sent       the command is on its way           givenBack its load is as it was before, or a hand has set it since
 */
export const SHEDDING_STATES = ['sent', 'off', 'failed', 'givenBack'] as const

/** One load that a contract guard shed. */
export const Shedding = z.object({
  SheddingID: z.uuid(),
  HomeID,
  AutomationID,
  AutomationName: z.string(),
  PeripheralUID: PeripheralUID.nullable(),
  GroupID: GroupID.nullable(),
  State: z.enum(SHEDDING_STATES),
  /** What it drew when it was shed, kW. */
  Kw: z.number().nullable(),
  ShedAt: Millis,
  ConfirmedAt: Millis.nullable(),
  GivenBackAt: Millis.nullable(),
  /** The run that shed it, and the one that gave it back. */
  RunID,
  GivenBackRunID: RunID.nullable(),
  /** When it was decided: the demand that was foretold for the quarter, the target, kW. */
  Forecast: z.number(),
  Target: z.number(),
})
export type Shedding = z.infer<typeof Shedding>

/** What a guard makes of the quarter of an hour that runs. */
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
   * idle        the first minutes of the quarter, or the rule is off      watching     below the target
   * shedding    loads are off or going off                                givingBack   loads are given back one a minute
   * cannotHold  all listed loads together do not suffice                  partialData  a main meter does not report: nothing is shed
   * tooSlow     a main meter reports more seldom than every minute        noContract   no capacity is agreed for now
   */
  State: z.enum(GUARD_STATES),
  /** Of the quarter that runs, kW; null for what is not known. */
  Forecast: z.number().nullable(),
  Target: z.number().nullable(),
  At: Millis,
})
export type Guard = z.infer<typeof Guard>

/** What the guard has avoided in a billing period, an estimate: the bill with the peaks as they would have been, less the bill. */
export const AvoidedCost = z.object({
  /** First day of the billing period, YYYY-MM-DD by the home's clock. */
  From: z.string(),
  Band: z.string(),
  /** kW: the highest quarter as measured, and as it would have been. */
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
    summary: 'Loads of a home that its contract guards shed, the newest first.',
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
    summary: 'How the contract guards of a home stand, by name.',
    input: z.object({ HomeID }),
    results: z.object({ Guards: z.array(Guard) }),
    shows: ['shedding', 'automation', 'home'],
    freshFor: 15_000,
  }),
  getAvoidedPeaks: defineEndpoint({
    ...READ,
    path: '/GetAvoidedPeaks',
    summary:
      'What the contract guards of a home have avoided in the last 124 days, an estimate, the newest billing period first.',
    input: z.object({ HomeID }),
    results: z.object({ Avoided: z.array(AvoidedCost) }),
    shows: ['shedding', 'pricing', 'home'],
  }),
}
