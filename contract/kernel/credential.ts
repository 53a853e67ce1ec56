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

/** Pattern of an email address (§5). */
export const EMAIL_PATTERN = /^[^\s@<>()"',;:\\]+@[^\s@<>()"',;:\\]+\.[^\s@<>()"',;:\\.]+$/

/** Rules for passwords (§2, §5); the key of each is also the key of its message. */
export const PASSWORD_RULES = {
  length: (password: string) => password.length >= 6,
  digit: (password: string) => /\d/.test(password),
  lower: (password: string) => /[a-z]/.test(password),
} as const

export type PasswordRule = keyof typeof PASSWORD_RULES

/** Whether a password meets every rule and has at most 256 characters, which bounds the cost of hashing. */
export const isPassword = (password: string): boolean =>
  password.length <= 256 && Object.values(PASSWORD_RULES).every((matches) => matches(password))
