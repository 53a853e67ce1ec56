import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

/** Converts a contract schema to JSON Schema 2020-12, as OpenAPI 3.1 and AsyncAPI 3 use. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
