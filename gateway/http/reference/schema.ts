import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

/** A schema of the contract as JSON Schema 2020-12, which OpenAPI 3.1 and AsyncAPI 3 both read. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
