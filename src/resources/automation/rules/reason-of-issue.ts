import type { z } from 'zod'

/** Reason key in `errors.fields` for a schema issue; a missing value, or one missing in a pair, is 'required'. */
export function reasonOfIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const at = issue.path.reduce<unknown>(
    (within, key) => (within as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  )
  const isEmpty = (one: unknown) => one === undefined || one === null || one === ''
  if (isEmpty(at) || (Array.isArray(at) && at.some(isEmpty))) return 'required'
  const said = [issue, ...(issue.code === 'invalid_union' ? issue.errors.flat() : [])].find(({ message }) =>
    /^[a-z][A-Za-z]*$/.test(message),
  )
  if (said) return said.message
  if (issue.code === 'too_small') return 'tooSmall'
  return issue.code === 'too_big' ? 'tooBig' : 'invalid'
}
