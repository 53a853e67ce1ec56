import type { Measurement } from './support/measurement.ts'
import { measureCalls } from './findings/calls.ts'
import { measureCost } from './findings/cost.ts'
import { measureFound } from './findings/found.ts'

export const name = 'findings'
export const bar =
  'faults found in 10 days, a quiet building at most 1 row a quarter-year; a day of 1,000 meters at most 0.10 of the CPU of ingesting it; /GetSaving at most 3 x a call of one row'

export const parts = {
  found: measureFound,
  cost: measureCost,
  calls: measureCalls,
} satisfies (Measurement & { parts: object })['parts']
