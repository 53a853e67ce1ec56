import { z } from 'zod'

/** Masking of a credential in the audit and in stored results: the whole value, or only the query of an address. */
export type Masking = 'whole' | 'query'

const credentials = z.registry<{ masking: Masking }>()

/**
 * Flags a schema as a credential: a password, token, key, or an address that contains one. Its values are masked in the audit and
 * in stored results. Apply it last, because further checks return a new schema.
 */
export function credential<T extends z.ZodType>(schema: T, masking: Masking = 'whole'): T {
  credentials.add(schema, { masking })
  return schema
}

/** Masking of this very schema; undefined if it is not flagged. */
export const maskingOf = (schema: z.core.$ZodType): Masking | undefined => credentials.get(schema)?.masking
