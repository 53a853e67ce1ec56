import type { z } from 'zod'

/** Reason key in `errors.fields` for a schema issue; a missing value, or one missing in a pair, is 'required'. */
export function reasonOfIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const at = issue.path.reduce<unknown>(
    (parent, key) => (parent as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  )
  const isEmpty = (input: unknown) => input === undefined || input === null || input === ''
  if (isEmpty(at) || (Array.isArray(at) && at.some(isEmpty))) return 'required'
  const customIssue = [issue, ...(issue.code === 'invalid_union' ? issue.errors.flat() : [])].find(
    ({ message }) => /^[a-z][A-Za-z]*$/.test(message),
  )
  if (customIssue) return customIssue.message
  if (issue.code === 'too_small') return 'tooSmall'
  return issue.code === 'too_big' ? 'tooBig' : 'invalid'
}
