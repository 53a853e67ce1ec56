import type { Permission } from '../../../../contract/kernel/permissions.ts'
import type { User } from '../../../../contract/people/user.ts'
import { difference } from './permission-matrix-rules.ts'

/** Access that a user has not used yet: an invitation or an initial password; it ends when their rights change. */
export function pendingAccess(
  { InvitedUntil, HasInitialPassword }: Pick<User, 'InvitedUntil' | 'HasInitialPassword'>,
  now: number,
): 'invitation' | 'initialPassword' | undefined {
  if (InvitedUntil !== null) return InvitedUntil > now ? 'invitation' : undefined
  return HasInitialPassword ? 'initialPassword' : undefined
}

export function differ(before: readonly Permission[], after: readonly Permission[]): boolean {
  const { added, removed } = difference(before, after)
  return added.length + removed.length > 0
}
