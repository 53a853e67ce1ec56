/** Operations on shadow documents, as AWS IoT defines them; pure functions. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Section = { [key: string]: Json }
/** Same shape as its section, with `{ timestamp }` (s) in place of each leaf. */
export type Metadata = { [key: string]: unknown }

export interface Document {
  desired: Section | null
  reported: Section | null
  metadata: { desired?: Metadata; reported?: Metadata }
}

export type Patch = { desired?: Section | null; reported?: Section | null }

export const MAX_DEPTH = 6
export const MAX_BYTES = 8 * 1024

const isObject = (value: unknown): value is Section =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object without a prototype, so that a key called __proto__ is a key. */
const emptyObject = <T>(): { [key: string]: T } => Object.create(null) as { [key: string]: T }

/** Levels of objects and arrays in a value: 1 for a flat object. Stops counting at one more than `maxDepth`. */
export function depthOf(value: unknown, maxDepth = Infinity): number {
  if (typeof value !== 'object' || value === null) return 0
  if (maxDepth < 1) return 1
  let deepest = 0
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, maxDepth - 1))
  return deepest + 1
}

/** Bytes of the document that count against its limit: both sections as JSON, without metadata. */
export const sizeOf = ({ desired, reported }: Pick<Document, 'desired' | 'reported'>): number =>
  Buffer.byteLength(JSON.stringify({ desired: desired ?? undefined, reported: reported ?? undefined }))

/** Metadata with the timestamp of each leaf. Omits null leaves, because null removes. */
export function stamp(value: Json, timestamp: number): unknown {
  if (Array.isArray(value)) return value.map((inner) => stamp(inner, timestamp))
  if (!isObject(value)) return { timestamp }
  const stamps = emptyObject<unknown>()
  for (const [key, inner] of Object.entries(value)) if (inner !== null) stamps[key] = stamp(inner, timestamp)
  return stamps
}

/** A section after a patch: objects merge, everything else replaces, null removes. */
export function merge(section: Section | null, patch: Section): Section {
  const merged = Object.assign(emptyObject<Json>(), section)
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else if (isObject(value)) merged[key] = merge(isObject(merged[key]) ? merged[key] : null, value)
    else merged[key] = value
  }
  return merged
}

function mergeMetadata(
  metadata: Metadata | undefined,
  before: Section | null,
  patch: Section,
  timestamp: number,
): Metadata {
  const merged = Object.assign(emptyObject<unknown>(), metadata)
  for (const [key, value] of Object.entries(patch)) {
    const previous = before?.[key]
    if (value === null) delete merged[key]
    else if (isObject(value))
      merged[key] = mergeMetadata(
        isObject(previous) ? (merged[key] as Metadata) : undefined,
        isObject(previous) ? previous : null,
        value,
        timestamp,
      )
    else merged[key] = stamp(value, timestamp)
  }
  return merged
}

/** The document after an update; a section given as null is removed. `timestamp` in seconds. */
export function apply(document: Document, patch: Patch, timestamp: number): Document {
  const next: Document = { ...document, metadata: { ...document.metadata } }
  for (const name of ['desired', 'reported'] as const) {
    const change = patch[name]
    if (change === undefined) continue
    if (change === null) {
      next[name] = null
      delete next.metadata[name]
    } else {
      next[name] = merge(document[name], change)
      next.metadata[name] = mergeMetadata(document.metadata[name], document[name], change, timestamp)
    }
  }
  return next
}

/** Desired values that differ from the reported ones, with metadata; undefined if there is no difference. Arrays are leaves. */
export function difference(
  desired: Section | null,
  reported: Section | null,
  metadata: Metadata = {},
): { state: Section; metadata: Metadata } | undefined {
  const state = emptyObject<Json>()
  const stamps = emptyObject<unknown>()
  for (const [key, desiredValue] of Object.entries(desired ?? {})) {
    const reportedValue = reported?.[key]
    if (isObject(desiredValue) && isObject(reportedValue)) {
      const inner = difference(desiredValue, reportedValue, metadata[key] as Metadata)
      if (!inner) continue
      state[key] = inner.state
      stamps[key] = inner.metadata
    } else if (!isSame(desiredValue, reportedValue)) {
      state[key] = desiredValue
      stamps[key] = metadata[key]
    }
  }
  return Object.keys(state).length ? { state, metadata: stamps } : undefined
}

function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((inner, i) => isSame(inner, b[i]))
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => isSame(a[key], b[key]))
}
