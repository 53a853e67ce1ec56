import type { AnyEndpoint } from '../contract/kernel/define-endpoint.ts'
import { rowsOf } from './store.ts'

/** What the real gateway answered to screens, once. */
export interface Recording {
  /** Epoch ms: the page lives at this moment, so that its pictures are the same every day. */
  At: number
  Calls: readonly RecordedCall[]
  /** Pictures that the answers name, WebP in base64 by their address. */
  Pictures: Readonly<Record<string, string>>
}

export interface RecordedCall {
  Path: string
  Input: Readonly<Record<string, unknown>>
  Results: unknown
}

/** Finds in a recording what was answered to the same input, or else to the one most like it. */
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

/** Leaves out rows of another thing than the one that was asked for: another site's, or automations of another type. */
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

/** A text or a small number: moments and dates are asked for as a span, not as what a row is. */
const isId = (value: unknown): boolean =>
  typeof value === 'string' ? !/^\d{4}-\d{2}/.test(value) : typeof value === 'number' && value < 1_000_000

/**
 * How many fields say the same. Numbers count by how near they are, and moments by half: what was asked for matters more than of when.
 * A field that one has and the other has not asks for something else.
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

/** An answer about one thing names that which was asked for. */
function named(results: unknown, input: Readonly<Record<string, unknown>>): unknown {
  if (typeof results !== 'object' || results === null || Array.isArray(results)) return results
  const own = results as Record<string, unknown>
  for (const [name, value] of Object.entries(input))
    if (typeof value === 'string' && typeof own[name] === 'string') own[name] = value
  return own
}
