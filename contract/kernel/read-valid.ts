import { z } from 'zod'
import { isRecord } from './is-record.ts'

/** Value that a schema does not accept. */
export interface OddValue {
  /** Names and keys down to the value, joined by dots; list entries by index. */
  path: string
  came: unknown
}

/** Maximum odd values that are listed per message part; further ones are also left out of the result, but not listed. */
const MAX_ODD = 32
const MAX_NUMBER_LENGTH = 32
const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/

/** Parses a text as a finite number; undefined if it is not one. */
export function numberIn(text: unknown): number | undefined {
  if (typeof text !== 'string' || text.length > MAX_NUMBER_LENGTH || !NUMBER.test(text)) return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

/**
 * Reads the valid part of a value. Numbers written as texts are parsed; invalid list entries are left out; invalid optional or
 * nullable members of objects and records become null.
 *
 * odd      receives the values left out; null is not odd, it means that the sender does not know the value
 * returns  undefined if nothing valid is left
 */
export function readValid(schema: z.ZodType, value: unknown, path: string, odd: OddValue[]): unknown {
  const whole = schema.safeParse(value)
  if (whole.success) return whole.data
  if (value === null) return undefined
  const number = numberIn(value)
  if (number !== undefined) {
    const parsed = schema.safeParse(number)
    if (parsed.success) return parsed.data
  }
  const found = odd.length
  const members = membersOf(inner(schema), value, path, odd)
  const parsed = members === undefined ? undefined : schema.safeParse(members)
  if (parsed?.success) return withUnknown(inner(schema), parsed.data, value)
  // Unknown members do not invalidate the entries of a list; the list may still be too long or contain duplicates.
  if (Array.isArray(members) && schema.safeParse(members.map(withoutUnknown)).success) return members
  // List the whole value as odd unless something within it is listed, e.g. if a member is missing.
  if (odd.length === found) list(odd, path, value)
  return undefined
}

/** Adds null for object members that were received but are invalid: their value is unknown. */
function withUnknown(schema: z.ZodType, data: unknown, came: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || !isRecord(data) || !isRecord(came)) return data
  const unknown = Object.keys(schema.shape).filter(
    (name) => came[name] !== undefined && data[name] === undefined,
  )
  return { ...data, ...Object.fromEntries(unknown.map((name) => [name, null])) }
}

const withoutUnknown = (entry: unknown): unknown =>
  isRecord(entry) ? Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null)) : entry

function list(odd: OddValue[], path: string, came: unknown): void {
  if (odd.length < MAX_ODD) odd.push({ path, came })
}

function inner(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? inner(schema.unwrap() as z.ZodType)
    : schema
}

/** Valid members of an object, list or record; undefined for any other value. */
function membersOf(schema: z.ZodType, value: unknown, path: string, odd: OddValue[]): unknown {
  if (schema instanceof z.ZodObject && isRecord(value)) return readMembers(schema.shape, value, path, odd)
  if (schema instanceof z.ZodRecord && isRecord(value)) {
    const [key, member] = [schema.keyType as z.ZodType, schema.valueType as z.ZodType]
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, one]) => {
        if (!key.safeParse(name).success) {
          list(odd, pathTo(path, name), one)
          return []
        }
        const valid = readValid(member, one, pathTo(path, name), odd)
        if (valid !== undefined) return [[name, valid]]
        return member.safeParse(null).success ? [[name, null]] : []
      }),
    )
  }
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item, i) => {
      const valid = readValid(schema.element as z.ZodType, item, pathTo(path, String(i)), odd)
      return valid === undefined ? [] : [valid]
    })
  return undefined
}

/** Valid members of an object, each read by its schema; members without a schema are ignored. */
export function readMembers(
  shape: Readonly<Record<string, z.ZodType>>,
  value: Readonly<Record<string, unknown>>,
  path: string,
  odd: OddValue[],
): Record<string, unknown> {
  const valid: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(shape)) {
    if (value[name] === undefined) continue
    const member = readValid(schema, value[name], pathTo(path, name), odd)
    if (member !== undefined) valid[name] = member
  }
  return valid
}

const pathTo = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)
