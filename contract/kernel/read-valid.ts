import { z } from 'zod'
import { isRecord } from './is-record.ts'

/** A value that a schema does not accept. */
export interface OddValue {
  /** Names and keys down to it, joined by dots; entries of a list by their index. */
  path: string
  /** The value as it came. */
  came: unknown
}

/** Odd values that are collected of one message part; further ones are left out of the result as well, but not listed. */
const MAX_ODD = 32
const MAX_NUMBER_LENGTH = 32
const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/

/** The number that a text is; undefined if it is none, `NaN` and `Infinity` included. */
export function numberIn(text: unknown): number | undefined {
  if (typeof text !== 'string' || text.length > MAX_NUMBER_LENGTH || !NUMBER.test(text)) return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

/**
 * The valid part of a value: numbers written as texts are read, odd members of lists are left out, those of objects and records are
 * null where they need not be there.
 *
 * odd      receives what was left out; null is not odd, it says that the sender does not know
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
  // The entries of a list are valid but for what is unknown of them; the list may still be too long, or hold an entry twice.
  if (Array.isArray(members) && schema.safeParse(members.map(withoutUnknown)).success) return members
  // Either something in it is listed already, or it is odd as a whole, e.g. because a member is missing.
  if (odd.length === found) list(odd, path, value)
  return undefined
}

/** Parsed value, with null for members of an object that came and are not valid: they are unknown. */
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

/** The valid members of an object, list or record; undefined for any other value. */
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
    return value.flatMap((one, i) => {
      const valid = readValid(schema.element as z.ZodType, one, pathTo(path, String(i)), odd)
      return valid === undefined ? [] : [valid]
    })
  return undefined
}

/** The valid members of an object, by the schema of each; members without a schema are ignored. */
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
