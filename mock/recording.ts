import type { AnyEndpoint } from '../contract/kernel/define-endpoint.ts'
import { rowsOf } from './store.ts'

/** Recorded answers of a real gateway to screens. */
export interface Recording {
  /** Epoch ms of the recording; the page's clock starts there, so that its screenshots are the same every day. */
  At: number
  Calls: readonly RecordedCall[]
  /** Pictures that the answers refer to, WebP in base64 by their address. */
  Pictures: Readonly<Record<string, string>>
}

export interface RecordedCall {
  Path: string
  Input: Readonly<Record<string, unknown>>
  Results: unknown
}

/** Finds the recorded answer to the same input, or else to the most similar one. */
export function createRecorded({ Calls }: Recording) {
  const byPath = new Map<string, RecordedCall[]>()
  for (const call of Calls) byPath.set(call.Path, [...(byPath.get(call.Path) ?? []), call])
  return ({ path }: AnyEndpoint, input: Readonly<Record<string, unknown>>): unknown => {
    const [first, ...others] = byPath.get(path) ?? []
    if (!first) return undefined
    let best = first
    for (const call of others) if (likeness(call.Input, input) > likeness(best.Input, input)) best = call
    return named(structuredClone(best.Results), input)
  }
}

/** Removes rows of other things than the requested one: of another site, or automations of another type. */
export function withoutOthers(
  endpoint: AnyEndpoint,
  results: unknown,
  input: Readonly<Record<string, unknown>>,
): unknown {
  const rows = rowsOf(endpoint, results)
  const asked = Object.entries(input).filter(([, value]) => isId(value))
  const own = rows?.filter((row) => asked.every(([name, value]) => !isId(row[name]) || row[name] === value))
  if (rows && own) rows.splice(0, rows.length, ...own)
  return results
}

/** Whether a value is an id: a text or a small number. Timestamps and dates select a range, not a row. */
const isId = (value: unknown): boolean =>
  typeof value === 'string' ? !/^\d{4}-\d{2}/.test(value) : typeof value === 'number' && value < 1_000_000

/**
 * Similarity of two inputs. Equal fields count one, equal timestamps half, because the subject matters more than the time; different
 * numbers count by their distance. A field that only one of them has counts against it.
 */
function likeness(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): number {
  let sum = 0
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [one, other] = [a[name], b[name]]
    if (JSON.stringify(one) === JSON.stringify(other)) sum += isMoment(one) ? 0.5 : 1
    else if (typeof one === 'number' && typeof other === 'number')
      sum += 1 / (1 + Math.abs(one - other) / 86_400_000) / 2
    else if (one === undefined || other === undefined) sum -= 0.5
  }
  return sum
}

const isMoment = (value: unknown): boolean => typeof value === 'number' && value >= 1e9

/** Puts the requested ids into an answer about one record. */
function named(results: unknown, input: Readonly<Record<string, unknown>>): unknown {
  if (typeof results !== 'object' || results === null || Array.isArray(results)) return results
  const own = results as Record<string, unknown>
  for (const [name, value] of Object.entries(input))
    if (typeof value === 'string' && typeof own[name] === 'string') own[name] = value
  return own
}
