import { FIELD_REASONS, type FieldReason } from './reasons.ts'
import { z } from 'zod'

/** Reason by rejected field: a key of `errors.fields` in the locales. */
export const FieldErrors = z.record(z.string(), z.string())

/** Status of every answer: code 0 is success, any other a code of ERRORS (§7). */
export const Status = z.object({
  code: z.number().int(),
  error: z.string().optional(),
  fields: FieldErrors.optional(),
  /** Missing right, if the code is PERMISSION_DENIED. */
  missing: z.object({ feature: z.string(), operation: z.string() }).optional(),
  requestId: z.string().optional(),
})
export type Status = z.infer<typeof Status>

export interface Envelope<Results = unknown> {
  status: Status
  results?: Results
}

/** Reason by path of a rejected field, e.g. "Peripherals.3.RoomID". */
export function fieldErrors(error: z.ZodError): Record<string, FieldReason> {
  const fields: Record<string, FieldReason> = {}
  for (const issue of error.issues.flatMap(issuesOfBestOption)) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined]
    for (const key of keys) {
      const path = [...issue.path, ...(key === undefined ? [] : [key])].join('.')
      fields[path] ??= reasonOf(issue)
    }
  }
  return fields
}

/**
 * Issues that a caller can act on: for a union, those of the alternative that is closest to the value. The issue of the union
 * itself only says that no alternative fits.
 */
function issuesOfBestOption(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || isReason(issue.message)) return [issue]
  // Skip alternatives whose type does not fit the value at all.
  const fitting = issue.errors
    .map((issues) => issues.flatMap(issuesOfBestOption))
    .filter((issues) =>
      issues.every(
        ({ path, message, code }) => path.length > 0 || code === 'unrecognized_keys' || isReason(message),
      ),
    )
    .toSorted((a, b) => unknownKeys(a) - unknownKeys(b) || a.length - b.length)
  return fitting[0]?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue]
}

const unknownKeys = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 0), 0)

const isReason = (message: string): message is FieldReason =>
  (FIELD_REASONS as readonly string[]).includes(message)

/** Reason of an issue: its message if that is one of our reasons, otherwise derived from the code of zod's issue. */
function reasonOf(issue: z.core.$ZodIssue): FieldReason {
  if (isReason(issue.message)) return issue.message
  if (issue.code === 'invalid_type' && issue.message.includes('received undefined')) return 'required'
  if (isNoNumber(issue)) return 'number'
  return REASON_OF_CODE[issue.code as string] ?? 'invalid'
}

/** Whether the issue is a missing number or integer (§5, float and integer checks). */
export const isNoNumber = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_type' && (issue.expected === 'number' || issue.expected === 'int')

const REASON_OF_CODE: Record<string, FieldReason> = {
  too_small: 'tooSmall',
  too_big: 'tooBig',
  unrecognized_keys: 'unknown',
}
