import { FIELD_REASONS, type FieldReason } from './reasons.ts'
import { z } from 'zod'

/** Why one field was refused: a key of `errors.fields` in the locales. */
export const FieldErrors = z.record(z.string(), z.string())

/** How every call answers: code 0 is success, anything else is a key of ERRORS (§7). */
export const Status = z.object({
  code: z.number().int(),
  error: z.string().optional(),
  fields: FieldErrors.optional(),
  /** The right that is missing, when the code is PERMISSION_DENIED. */
  missing: z.object({ feature: z.string(), operation: z.string() }).optional(),
  requestId: z.string().optional(),
})
export type Status = z.infer<typeof Status>

export interface Envelope<Results = unknown> {
  status: Status
  results?: Results
}

/** Field errors of a refused input: each path ("Peripherals.3.RoomID") to a reason key. */
export function fieldErrors(error: z.ZodError): Record<string, FieldReason> {
  const fields: Record<string, FieldReason> = {}
  for (const issue of error.issues) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined]
    for (const key of keys) {
      const path = [...issue.path, ...(key === undefined ? [] : [key])].join('.')
      fields[path] ??= reasonOf(issue)
    }
  }
  return fields
}

/** A message that is one of our reasons is meant; the library's own sentences are told apart by their code. */
function reasonOf(issue: z.core.$ZodIssue): FieldReason {
  if ((FIELD_REASONS as readonly string[]).includes(issue.message)) return issue.message as FieldReason
  if (issue.code === 'invalid_type' && issue.message.includes('received undefined')) return 'required'
  if (isNoNumber(issue)) return 'number'
  return REASON_OF_CODE[issue.code as string] ?? 'invalid'
}

/** Whether a number was expected, or a whole one, and something else was given (§5, float and integer checks). */
export const isNoNumber = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_type' && (issue.expected === 'number' || issue.expected === 'int')

const REASON_OF_CODE: Record<string, FieldReason> = {
  too_small: 'tooSmall',
  too_big: 'tooBig',
  unrecognized_keys: 'unknown',
}
