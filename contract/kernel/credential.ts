import { z } from 'zod'

/** Form of a credential where it must not be readable: hidden, or an address without its query. */
export type Masking = 'whole' | 'query'

const credentials = z.registry<{ masking: Masking }>()

/**
 * Flags a schema as a credential: a password, token, key, or an address that is one. Its values reach neither the audit nor a stored
 * result in clear. To be applied last, since other checks return another schema.
 */
export function credential<T extends z.ZodType>(schema: T, masking: Masking = 'whole'): T {
  credentials.add(schema, { masking })
  return schema
}

/** Mask of this very schema; undefined if it is not flagged. */
export const maskingOf = (schema: z.core.$ZodType): Masking | undefined => credentials.get(schema)?.masking
