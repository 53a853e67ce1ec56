import type { z } from 'zod'

// oxlint-disable-next-line typescript/no-explicit-any -- schemas of every shape, read by what they say of themselves
type AnySchema = z.ZodType & { def: any }

/** Texts of the formats in the contract; the first that a schema accepts is its sample. */
const TEXTS = [
  'sample',
  '2026-10-01',
  '2026-10',
  '2026',
  '08:00',
  '528',
  'sample@example.com',
  '0911-222-333',
  'Asia/Taipei',
  'https://example.com/sample',
  '/images/sample',
  '#3366cc',
  '1.0.0',
  '00000000-0000-4000-8000-000000000000',
  '0'.repeat(64),
  '0'.repeat(11),
  '123456',
  'zh-TW',
  'image/png',
  'Passw0rd',
]
const NUMBERS = [0, 1, 2, 15, 60, 900, 2026, 1_700_000_000_000, -1]

/**
 * The smallest value that a schema accepts, derived from the schema: empty lists, nulls, first options.
 *
 * serial   distinguishes records: goes into the texts and numbers of keys
 * returns  undefined if cross-field rules reject every value; the caller parses it
 */
export function sampleOf(given: z.ZodType, serial = 0): unknown {
  const schema = given as AnySchema
  const { def } = schema
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries<AnySchema>(def.shape).flatMap(([name, field]) =>
          field.def.type === 'optional' ? [] : [[name, sampleOf(field, serial)]],
        ),
      )
    case 'array':
      return firstTaken(
        schema,
        [0, 1, 2].map((length) => Array.from({ length }, (_, i) => sampleOf(def.element, serial + i))),
      )
    case 'tuple':
      return def.items.map((item: AnySchema) => sampleOf(item, serial))
    case 'string':
      return firstTaken(schema, [...(serial ? [`sample-${serial}`] : []), ...TEXTS])
    case 'number':
      return firstTaken(schema, [...(serial ? [serial] : []), ...NUMBERS])
    case 'boolean':
      return false
    case 'enum':
      return Object.values(def.entries)[0]
    case 'literal':
      return def.values[0]
    case 'union':
      return firstTaken(
        schema,
        def.options.map((option: AnySchema) => sampleOf(option, serial)),
      )
    case 'intersection':
      return { ...(sampleOf(def.left, serial) as object), ...(sampleOf(def.right, serial) as object) }
    case 'record':
      return firstTaken(schema, [{}, { [String(sampleOf(def.keyType))]: sampleOf(def.valueType, serial) }])
    case 'nullable':
      return null
    case 'optional':
      return undefined
    case 'pipe':
      return sampleOf(def.in, serial)
    case 'lazy':
      return sampleOf(def.getter(), serial)
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
    case 'nonoptional':
      return sampleOf(def.innerType, serial)
    default:
      return firstTaken(schema, [{}, ...TEXTS, ...NUMBERS, null])
  }
}

const firstTaken = (schema: z.ZodType, values: readonly unknown[]): unknown =>
  values.find((value) => schema.safeParse(value).success)
