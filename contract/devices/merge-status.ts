import { isRecord } from '../kernel/is-record.ts'

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
