import { QUARTER_MS } from '../time/periods.ts'

/** What a row of an import says: where the counter stood, or what was used from a moment on. */
export const IMPORT_KINDS = ['counter', 'interval'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

/** Why a row of an import cannot be taken, beyond what the reader of a file finds. */
export const IMPORT_FAULTS = [
  'future',
  'tooOld',
  'negative',
  'tooBig',
  'notQuarter',
  'duplicate',
  'overlap',
  'forgotten',
] as const
export type ImportFault = (typeof IMPORT_FAULTS)[number]

/** One row: kWh, and for intervals how many quarters of an hour it covers. */
export interface ImportRow {
  timestamp: number
  quarters: number
  value: number
}

/** Before electricity was counted by machines, a date is a slip: 1990-01-01. */
const OLDEST = Date.UTC(1990, 0, 1)
/** A counter holds no more (capability meter). */
const LARGEST_COUNTER = 1e12
/** More than this, over the time of an interval, is Wh taken for kWh. */
const LARGEST_POWER_KW = 100_000
/** A little ahead of the gateway's clock is a clock that is not set well. */
const AHEAD = 5 * 60_000
/** The longest interval is a month of 31 days and an hour. */
export const MOST_QUARTERS = (31 * 24 + 1) * 4

/**
 * What is wrong with a row by itself, or undefined.
 *
 * row  an interval's timestamp is its beginning
 * now  epoch ms
 */
export function importFault(
  kind: ImportKind,
  { timestamp, quarters, value }: ImportRow,
  now: number,
): ImportFault | undefined {
  if (timestamp < OLDEST) return 'tooOld'
  if (value < 0) return 'negative'
  if (kind === 'counter') {
    if (timestamp > now + AHEAD) return 'future'
    return value > LARGEST_COUNTER ? 'tooBig' : undefined
  }
  if (timestamp % QUARTER_MS !== 0) return 'notQuarter'
  if (timestamp + quarters * QUARTER_MS > now + AHEAD) return 'future'
  return value > (LARGEST_POWER_KW * quarters) / 4 ? 'tooBig' : undefined
}
