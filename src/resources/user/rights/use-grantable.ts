import type { Permission } from '../../../../contract/kernel/permissions.ts'
import { useMe } from '../../../data/session.ts'
import { EVERYTHING, grantsOf, limitedTo, permissionsOf, type Grants } from './permission-matrix-rules.ts'

/**
 * Rights that the current user may grant: their own, and those that the other user already has.
 *
 * held  rights of the other user
 */
export function useGrantable(held: readonly Permission[]): {
  within: Grants
  /** The wanted rights that may be granted, and the number of those that may not. */
  limit: (wanted: readonly Permission[]) => { permissions: Permission[]; leftOut: number }
} {
  const me = useMe()
  const isRoot = me !== undefined && me.CognitoId === me.RootCognitoId
  const within = isRoot ? EVERYTHING : grantsOf([...(me?.Permissions ?? []), ...held])
  return {
    within,
    limit(wanted) {
      const { grants, leftOut } = limitedTo(within, grantsOf(wanted))
      return { permissions: permissionsOf(grants), leftOut }
    },
  }
}
