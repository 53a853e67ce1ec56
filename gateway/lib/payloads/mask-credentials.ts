import type { z } from 'zod'
import { type Masking, maskingOf } from '../../../contract/kernel/credential.ts'
import { isRecord } from '../../../contract/kernel/is-record.ts'
import { endpoints, resources } from '../../../contract/index.ts'

/** Replacement of a masked value. */
const MASKED = '***'

type Schema = z.core.$ZodType

/** Schemas by which a value may have been parsed: the schema itself, the one it wraps, and each option of a union. */
function variantsOf(schema: Schema): Schema[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return [schema, ...variantsOf(def.innerType)]
    case 'pipe':
      return [schema, ...variantsOf(def.in), ...variantsOf(def.out)]
    case 'union':
      return [schema, ...def.options.flatMap(variantsOf)]
    case 'intersection':
      return [schema, ...variantsOf(def.left), ...variantsOf(def.right)]
    case 'lazy':
      return [schema, ...variantsOf(def.getter())]
    default:
      return [schema]
  }
}

function maskingOfAny(variants: readonly Schema[]): Masking | undefined {
  const maskings = variants.flatMap((variant) => maskingOf(variant) ?? [])
  return maskings.includes('whole') ? 'whole' : maskings[0]
}

const elementsOf = (variants: readonly Schema[]): Schema[] =>
  variants.flatMap((variant) => {
    const { def } = (variant as z.core.$ZodTypes)._zod
    if (def.type === 'array') return [def.element]
    return def.type === 'tuple' ? [...def.items] : []
  })

const fieldsOf = (variants: readonly Schema[], name: string): Schema[] =>
  variants.flatMap((variant) => {
    const { def } = (variant as z.core.$ZodTypes)._zod
    if (def.type === 'record') return [def.valueType]
    return def.type === 'object' ? (def.shape[name] ?? []) : []
  })

function mask(value: unknown, masking: Masking): unknown {
  if (masking === 'whole' || typeof value !== 'string') return MASKED
  return value.replace(/[?#].*$/s, `?${MASKED}`)
}

/**
 * Masks every credential of a value, at any depth.
 *
 * schemas      possible schemas of the value; a field is masked if one of them flags it
 * isSensitive  decides on fields that none of the schemas has
 */
export function maskCredentials(
  value: unknown,
  schemas: readonly Schema[],
  isSensitive: (name: string) => boolean = () => false,
): unknown {
  if (value === null || value === undefined) return value
  const variants = schemas.flatMap(variantsOf)
  const masking = maskingOfAny(variants)
  if (masking) return mask(value, masking)
  if (Array.isArray(value)) {
    const elements = elementsOf(variants)
    return value.map((each) => maskCredentials(each, elements, isSensitive))
  }
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const fields = fieldsOf(variants, name)
      const isUnknown = fields.length === 0 && each !== null && isSensitive(name)
      return [name, isUnknown ? MASKED : maskCredentials(each, fields, isSensitive)]
    }),
  )
}

/** Whether a value contains a credential, at any depth. */
export const holdsCredential = (value: unknown, schema: Schema): boolean =>
  JSON.stringify(maskCredentials(value, [schema])) !== JSON.stringify(value)

/** Fields of a schema by name, including nested ones, with whether they are flagged as credentials. */
export function listFields(schema: Schema, seen = new Set<Schema>()): [name: string, flagged: boolean][] {
  return variantsOf(schema).flatMap((variant): [string, boolean][] => {
    if (seen.has(variant)) return []
    seen.add(variant)
    const { def } = (variant as z.core.$ZodTypes)._zod
    if (def.type === 'array') return listFields(def.element, seen)
    if (def.type === 'tuple') return def.items.flatMap((item) => listFields(item, seen))
    if (def.type === 'record') return listFields(def.valueType, seen)
    if (def.type !== 'object') return []
    return Object.entries(def.shape).flatMap(([name, field]): [string, boolean][] => {
      const isFlagged = maskingOfAny(variantsOf(field)) !== undefined
      return [[name, isFlagged], ...(isFlagged ? [] : listFields(field, seen))]
    })
  })
}

let names: ReadonlySet<string> | undefined

/**
 * Whether every field of this name in the contract is flagged as a credential: for values without a declared schema, such as what a
 * handler adds to an audit row.
 */
export function isCredentialName(name: string): boolean {
  names ??= readNames()
  return names.has(name)
}

function readNames(): ReadonlySet<string> {
  const credentials = new Set<string>()
  const plain = new Set<string>()
  const schemas = [
    ...Object.values(endpoints).flatMap(({ input, results }) => [input, results]),
    ...Object.values(resources).map(({ record }) => record),
  ]
  for (const [name, isFlagged] of schemas.flatMap((schema) => listFields(schema)))
    (isFlagged ? credentials : plain).add(name)
  return new Set([...credentials].filter((name) => !plain.has(name)))
}
