import { createHash } from 'node:crypto'
import { idsOf, type Person } from './person.ts'

/** Name and address that replace those of an erased person in remaining data. */
export interface Pseudonym {
  name: string
  email: string
}

/** Domain of the addresses of erased persons: reserved (RFC 2606), so that no email can reach it. */
const ERASED_DOMAIN = 'deleted.invalid'
/** Whether an address is that of an erased person, to which no email is sent. */
export const isErasedAddress = (address: string): boolean => address.endsWith(`@${ERASED_DOMAIN}`)

/**
 * Stable pseudonym of a person, derived from a random id, so that it reveals nothing. In both languages, as it is stored once for all
 * readers.
 */
export function pseudonymOf(person: Person): Pseudonym {
  const mark = createHash('sha256')
    .update(idsOf(person)[0] ?? '')
    .digest('hex')
    .slice(0, 8)
  return { name: `已刪除 Deleted ${mark.toUpperCase()}`, email: `deleted-${mark}@${ERASED_DOMAIN}` }
}

/** Fields of the person's records that contain only personal data. */
const PERSONAL_FIELDS = new Set(
  'FirstName LastName nickname EmployeeName VisitorName Company Phone Ext Purpose UserAgent PhotoUrl'.split(
    ' ',
  ),
)

/** Columns and fields with the display name of the acting person. */
const NAME_FIELD = /by_?(name)?$|^author_?name$|^host_?(name)?$|^owner_?name$/i

/** Replaces the traces of a person in texts and in JSON. */
export interface Replacer {
  /** field   column or field that contains the text */
  text(value: string, field: string): string
  json(value: unknown, field: string): unknown
}

const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')

/** A name of one Latin word, such as Lin or Manual, may be another word; it is replaced only in fields for names. */
const isDistinctive = (name: string): boolean => /\s|\p{Script=Han}/u.test(name)
/** Two Han characters may be part of another name; they are replaced only if they are the whole text. */
const isLong = (name: string): boolean => /\s/.test(name) || /^\p{Script=Han}{3,}$/u.test(name)

export function createReplacer(person: Person, pseudonym: Pseudonym): Replacer {
  const ids = new Set(idsOf(person))
  const names = new Set(person.names)
  const patterns: [RegExp, string][] = [
    [new RegExp(`(?<![\\w.+-])${escaped(person.email)}(?![\\w-]|\\.\\w)`, 'gi'), pseudonym.email],
    ...person.phones.map((phone): [RegExp, string] => [
      new RegExp(`(?<!\\d)${escaped(phone)}(?!\\d)`, 'g'),
      '',
    ]),
    ...person.names
      .filter(isLong)
      .map((name): [RegExp, string] => [
        new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`, 'gu'),
        pseudonym.name,
      ]),
  ]
  const text = (value: string, field: string): string => {
    const trimmed = value.trim()
    if (names.has(trimmed) && (isDistinctive(trimmed) || NAME_FIELD.test(field))) return pseudonym.name
    return patterns.reduce((replaced, [pattern, by]) => replaced.replace(pattern, () => by), value)
  }
  const isOfPerson = (value: unknown): boolean =>
    typeof value === 'string' && (ids.has(value) || value.toLowerCase() === person.email)
  const json = (value: unknown, field: string): unknown => {
    if (typeof value === 'string') return text(value, field)
    if (Array.isArray(value)) return value.map((item) => json(item, field))
    if (typeof value !== 'object' || value === null) return value
    const isRecord = Object.values(value).some(isOfPerson)
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        text(key, ''),
        isRecord && PERSONAL_FIELDS.has(key) && typeof inner === 'string' ? '' : json(inner, key),
      ]),
    )
  }
  return { text, json }
}
