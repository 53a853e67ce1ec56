import { z } from 'zod'
import { isNoNumber } from '../../contract/kernel/envelope.ts'

/**
 * Reason key of `errors.fields` if a field's schema rejects a value.
 *
 * returns  undefined if the value is valid; an empty required field is 'required', an empty optional one is valid
 */
export function reasonFor(schema: z.ZodType, value: unknown): string | undefined {
  const normalized = value === '' || value === null ? undefined : value
  if (normalized === undefined) {
    if (isAccepted(schema, undefined) || isAccepted(schema, null) || isAccepted(schema, '')) return undefined
    return 'required'
  }
  const parsed = schema.safeParse(normalized)
  if (parsed.success) return undefined
  return reasonOf(parsed.error)
}

/**
 * Reason why a form's values are invalid at one field, including rules between fields; undefined if the field is valid.
 *
 * values  by field; null and absent are empty
 */
export function firstReason(schema: z.ZodType, values: unknown, field: string): string | undefined {
  const parsed = schema.safeParse(values)
  if (parsed.success) return undefined
  const issue = parsed.error.issues.find(({ path }) => path[0] === field)
  if (!issue) return undefined
  const value = (values as Record<string, unknown> | undefined)?.[field]
  return value === undefined || value === null ? 'required' : messageKeyOf(issue)
}

/** Whether a form must not leave the field empty. */
export const isRequired = (schema: z.ZodType): boolean => reasonFor(schema, undefined) === 'required'

/** Maximum length of text that the schema accepts; undefined if it has none. */
export const maxLengthOf = (schema: z.ZodType): number | undefined => {
  const inner = unwrap(schema)
  return inner instanceof z.ZodString ? (inner.maxLength ?? undefined) : undefined
}

/** Inner schema of optional, nullable and default. */
export function unwrap(schema: z.ZodType): z.ZodType {
  let inner = schema
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault)
    inner = inner.unwrap() as z.ZodType
  return inner
}

const isAccepted = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

/** Reason key of an error: the contract's schemas use it as message, zod's own messages are mapped. */
const reasonOf = (error: z.ZodError): string => (error.issues[0] ? messageKeyOf(error.issues[0]) : 'invalid')

function messageKeyOf(issue: z.core.$ZodIssue): string {
  if (/^[a-z][A-Za-z]*$/.test(issue.message)) return issue.message
  if (issue.code === 'too_small') return 'tooSmall'
  if (issue.code === 'too_big') return 'tooBig'
  return isNoNumber(issue) ? 'number' : 'invalid'
}
