import type { Permission } from '../../../contract/kernel/permissions.ts'
import { useMe } from '../../data/session.ts'
import { EVERYTHING, grantsOf, limitedTo, permissionsOf, type Grants } from './permission-matrix-rules.ts'

/**
 * The rights that the person at the screen may hand on: their own, and those somebody holds already.
 *
 * held  rights that the other person has
 */
export function useGrantable(held: readonly Permission[]): {
  within: Grants
  /** Rights as far as they may be granted, and how many of them may not. */
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
