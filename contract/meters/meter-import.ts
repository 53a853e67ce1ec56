import { QUARTER_MS } from '../time/periods.ts'

/** Meaning of an import row: counter value, or energy of an interval. */
export const IMPORT_KINDS = ['counter', 'interval'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

/** Reasons to reject an import row, beyond parse errors of the file. */
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

/** Import row: kWh, and for intervals the length in quarter-hours. */
export interface ImportRow {
  timestamp: number
  quarters: number
  value: number
}

/** Earliest plausible date: 1990-01-01. */
const OLDEST = Date.UTC(1990, 0, 1)
/** Maximum counter value (capability meter). */
const LARGEST_COUNTER = 1e12
/** Maximum mean power of an interval; higher values are probably Wh instead of kWh. */
const LARGEST_POWER_KW = 100_000
/** Tolerance for clocks ahead of the gateway's, ms. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000
/** Maximum length of an interval: a month of 31 days plus an hour. */
export const MAX_IMPORT_QUARTERS = (31 * 24 + 1) * 4

/**
 * Validates a single row; undefined if valid.
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
    if (timestamp > now + MAX_CLOCK_SKEW_MS) return 'future'
    return value > LARGEST_COUNTER ? 'tooBig' : undefined
  }
  if (timestamp % QUARTER_MS !== 0) return 'notQuarter'
  if (timestamp + quarters * QUARTER_MS > now + MAX_CLOCK_SKEW_MS) return 'future'
  return value > (LARGEST_POWER_KW * quarters) / 4 ? 'tooBig' : undefined
}
