import { isRecord } from '../kernel/is-record.ts'

/** Reports whose clock is further ahead are rejected: otherwise they would supersede all correct reports until that time. */
export const MAX_CLOCK_AHEAD_MS = 10 * 60_000

/** Maximum difference in ms between two correct clocks; a time further ahead is that of a wrong clock. */
export const CLOCK_TOLERANCE_MS = 10_000

/**
 * Converts a device Timestamp to epoch milliseconds: more than 10 digits are milliseconds, otherwise seconds (§4).
 *
 * returns  undefined for an invalid time: NaN, infinite or negative
 */
export function toMillis(timestamp: number): number | undefined {
  if (!Number.isFinite(timestamp) || timestamp < 0) return undefined
  return timestamp >= 1e10 ? Math.trunc(timestamp) : Math.round(timestamp * 1000)
}

/** Whether a report replaces the stored one: an older Timestamp is ignored, an equal one is not older (§4). */
export const supersedes = (next: { Timestamp: number }, prev: { Timestamp: number } | undefined): boolean =>
  prev === undefined || next.Timestamp >= prev.Timestamp

/**
 * Whether the device reports every requested value. Other fields of a record are ignored; for a list, each requested entry must
 * match some reported entry, so that thermostat zones are identified by NodeID.
 */
export const confirms = (status: Record<string, unknown>, values: Record<string, unknown>): boolean =>
  Object.entries(values).every(([field, value]) => shows(status[field], value))

/** Reported values that differ from the requested ones, by name: `setpoint: 18`, or `unknown` if there is none. */
export const reportedInstead = (status: Record<string, unknown>, values: Record<string, unknown>): string[] =>
  Object.entries(values).flatMap(([field, value]) => {
    const reported = status[field]
    if (shows(reported, value)) return []
    if (isRecord(value) && isRecord(reported)) return reportedInstead(reported, value)
    return [`${field}: ${reported === null || reported === undefined ? 'unknown' : JSON.stringify(reported)}`]
  })

function shows(reported: unknown, requested: unknown): boolean {
  if (Array.isArray(requested))
    return (
      Array.isArray(reported) &&
      requested.every((entry) => reported.some((reportedEntry) => shows(reportedEntry, entry)))
    )
  if (isRecord(requested)) return isRecord(reported) && confirms(reported, requested)
  if (typeof requested === 'number' && typeof reported === 'number') return isSameNumber(reported, requested)
  return reported === requested
}

/** Tolerates binary rounding: some hubs report 21.600000000000001 for 21.6. */
const isSameNumber = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))

/** Whether a reading is younger than its meter's update frequency in seconds (§4); at that age the next one is due. */
export const isCurrent = (timestamp: number, frequencySeconds: number, now: number): boolean =>
  now - timestamp < frequencySeconds * 1000

type Values = Readonly<Record<string, unknown>>
type Entry = Record<string, unknown>

/**
 * Fields that contain a table, with the key of its entries (§4: thermostat tables merge by NodeID). The gateway's SQL merges these
 * fields and replaces all others.
 */
const TABLES: Readonly<Record<string, string>> = { ThermostatTable: 'NodeID' }

/**
 * Merges a report into the known status: reported fields replace known ones, table entries replace the reported fields of their own
 * node only (§4). Entries are sorted by key.
 */
export function mergeStatus<T extends Values>(known: T, report: T): T {
  const merged: Record<string, unknown> = { ...known, ...report }
  for (const [field, key] of Object.entries(TABLES))
    if (Array.isArray(known[field]) && Array.isArray(report[field]))
      merged[field] = mergeTable(known[field] as Entry[], report[field] as Entry[], key)
  return merged as T
}

function mergeTable(known: readonly Entry[], reported: readonly Entry[], key: string): Entry[] {
  const byKey = new Map<unknown, Entry>()
  for (const entry of [...known, ...reported]) byKey.set(entry[key], { ...byKey.get(entry[key]), ...entry })
  return [...byKey.values()].sort((a, b) => Number(a[key]) - Number(b[key]))
}

/** Whether the next report replaces the previous one completely: it contains every field, and every field of every entry. */
export const replaces = (next: Values, previous: Values): boolean =>
  Object.entries(previous).every(([field, previousValue]) => {
    if (!(field in next)) return false
    const key = TABLES[field]
    if (!key || !Array.isArray(previousValue)) return true
    const byKey = new Map((next[field] as Entry[]).map((entry) => [entry[key], entry]))
    return (previousValue as Entry[]).every((entry) =>
      Object.keys(entry).every((name) => name in (byKey.get(entry[key]) ?? {})),
    )
  })

/**
 * Whether two commands set something in common: a field, a value of a record, or a field of the same node of a table. Such commands
 * conflict.
 */
export const commonPaths = (a: Values, b: Values): boolean =>
  Object.entries(a).some(([field, valueA]) => {
    if (!(field in b)) return false
    const valueB = b[field]
    const key = TABLES[field]
    if (key && Array.isArray(valueA) && Array.isArray(valueB))
      return (valueA as Entry[]).some((entryA) =>
        (valueB as Entry[]).some(
          (entryB) => entryA[key] === entryB[key] && commonPaths(omit(entryA, key), omit(entryB, key)),
        ),
      )
    return !isRecord(valueA) || !isRecord(valueB) || commonPaths(valueA, valueB)
  })

const omit = (entry: Entry, key: string): Entry =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => name !== key))
