import type { z } from 'zod'

type Check = (value: unknown) => boolean
interface Field {
  isValid: Check
  isRequired: boolean
}
interface SchemaDefinition {
  type: string
  coerce?: boolean
  innerType?: z.ZodType
  values?: readonly unknown[]
  checks?: { _zod: { def: Record<string, unknown> } }[]
}

/**
 * Type guard of an object schema for parsed JSON: same result as `safeParse`, in a tenth of the time and without a
 * copy. Supports plain fields only: numbers with bounds, literals, strings with a pattern, each required or optional.
 *
 * errors  throws for a schema with any other field
 */
export function compileFastSchema<S extends z.ZodObject>(schema: S): (value: unknown) => value is z.infer<S> {
  const fields: Record<string, Field> = Object.create(null)
  for (const [name, field] of Object.entries(schema.shape)) fields[name] = fieldOf(name, field as z.ZodType)
  const isRequired = Object.values(fields).filter((field) => field.isRequired).length

  return (value): value is z.infer<S> => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    let missing = isRequired
    for (const name in value) {
      const field = fields[name]
      if (field === undefined) continue
      if (!field.isValid(value[name as keyof typeof value])) return false
      if (field.isRequired) missing--
    }
    return missing === 0
  }
}

function fieldOf(name: string, schema: z.ZodType): Field {
  const { type, coerce, innerType, values, checks = [] } = schema._zod.def as SchemaDefinition
  if (type === 'optional') return { ...fieldOf(name, innerType as z.ZodType), isRequired: false }
  if (type === 'nonoptional') return { ...fieldOf(name, innerType as z.ZodType), isRequired: true }
  const isValid =
    type === 'number'
      ? numberCheck(checks)
      : type === 'literal'
        ? choiceCheck(values)
        : textCheck(type, checks)
  if (!isValid || coerce) throw new Error(`The field ${name} is of a kind that has no plain check`)
  return { isValid, isRequired: true }
}

function numberCheck(checks: NonNullable<SchemaDefinition['checks']>): Check | undefined {
  let [min, max] = [-Infinity, Infinity]
  for (const { _zod } of checks) {
    const { check, value, inclusive } = _zod.def
    if (inclusive !== true || typeof value !== 'number') return undefined
    if (check === 'greater_than') min = Math.max(min, value)
    else if (check === 'less_than') max = Math.min(max, value)
    else return undefined
  }
  return (value) => typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max
}

const choiceCheck = (values: readonly unknown[] = []): Check => {
  const choices = new Set(values)
  return (value) => choices.has(value)
}

function textCheck(type: string, checks: NonNullable<SchemaDefinition['checks']>): Check | undefined {
  const patterns = checks.map(({ _zod }) => _zod.def['pattern'])
  if (type !== 'string' || !patterns.every((pattern) => pattern instanceof RegExp)) return undefined
  return (value) => typeof value === 'string' && patterns.every((pattern) => pattern.test(value))
}
