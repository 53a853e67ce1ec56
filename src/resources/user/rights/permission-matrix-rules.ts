import {
  FEATURES,
  OPERATIONS,
  type FeatureKey,
  type Operation,
  type Permission,
} from '../../../../contract/kernel/permissions.ts'
import { useMe } from '../../../data/session.ts'

/** Whether all, none or some rights of a row, a column or the whole matrix are granted. */
export type Coverage = 'all' | 'some' | 'none'

/** Rights as a set of "feature.operation", the cells of the matrix. */
export type Grants = ReadonlySet<`${FeatureKey}.${Operation}`>

/** Rights of a stored permission list. */
export const grantsOf = (permissions: readonly Permission[]): Grants =>
  new Set(
    permissions.flatMap((p) => p.OperationList.map((operation) => `${p.FeatureKey}.${operation}` as const)),
  )

export const EVERYTHING: Grants = new Set(
  FEATURES.flatMap((f) => OPERATIONS.map((operation) => `${f}.${operation}` as const)),
)

/** Permission list in the order of the specification; features without a right are left out (§3, §6). */
export const permissionsOf = (grants: Grants): Permission[] =>
  FEATURES.map((feature) => ({
    FeatureKey: feature,
    OperationList: OPERATIONS.filter((operation) => grants.has(`${feature}.${operation}`)),
  })).filter((permission) => permission.OperationList.length > 0)

/** Cells of a row (feature), a column (operation), one cell (both) or the whole matrix (neither). */
const cells = (allowed: Grants, feature?: FeatureKey, operation?: Operation) =>
  (feature ? [feature] : FEATURES)
    .flatMap((f) => (operation ? [operation] : OPERATIONS).map((o) => `${f}.${o}` as const))
    .filter((cell) => allowed.has(cell))

/** Whether a user with the rights `allowed` may switch any cell of a row, column, cell or the whole matrix. */
export const isOpen = (allowed: Grants, feature?: FeatureKey, operation?: Operation): boolean =>
  cells(allowed, feature, operation).length > 0

/** Coverage of a row, column or the whole matrix, counting only switchable cells if there are any. */
export function coverage(
  grants: Grants,
  feature?: FeatureKey,
  operation?: Operation,
  allowed: Grants = EVERYTHING,
): Coverage {
  const all = cells(isOpen(allowed, feature, operation) ? allowed : EVERYTHING, feature, operation)
  const grantedCount = all.filter((cell) => grants.has(cell)).length
  return grantedCount === 0 ? 'none' : grantedCount === all.length ? 'all' : 'some'
}

/** Rights after toggling a row, column, cell or the whole matrix: grants all switchable cells, or removes them if all were granted. */
export function toggled(
  grants: Grants,
  feature?: FeatureKey,
  operation?: Operation,
  allowed: Grants = EVERYTHING,
): Grants {
  const next = new Set(grants)
  const remove = coverage(grants, feature, operation, allowed) === 'all'
  for (const cell of cells(allowed, feature, operation))
    if (remove) next.delete(cell)
    else next.add(cell)
  return next
}

/** The wanted rights that may be granted, and the number of those that may not. */
export function limitedTo(allowed: Grants, requested: Grants): { grants: Grants; excludedCount: number } {
  const grants: Grants = new Set([...requested].filter((cell) => allowed.has(cell)))
  return { grants, excludedCount: requested.size - grants.size }
}

const subtractGrants = (grants: Grants, removed: Grants): Grants =>
  new Set([...grants].filter((cell) => !removed.has(cell)))

/** Added and removed rights between two permission lists. */
export const difference = (before: readonly Permission[], after: readonly Permission[]) => ({
  added: permissionsOf(subtractGrants(grantsOf(after), grantsOf(before))),
  removed: permissionsOf(subtractGrants(grantsOf(before), grantsOf(after))),
})

/**
 * Rights that the current user may grant: their own, and those that the other user already has.
 *
 * heldPermissions  rights of the other user
 */
export function useGrantable(heldPermissions: readonly Permission[]): {
  allowed: Grants
  /** The wanted rights that may be granted, and the number of those that may not. */
  limit: (requested: readonly Permission[]) => { permissions: Permission[]; excludedCount: number }
} {
  const me = useMe()
  const isRoot = me !== undefined && me.CognitoId === me.RootCognitoId
  const allowed = isRoot ? EVERYTHING : grantsOf([...(me?.Permissions ?? []), ...heldPermissions])
  return {
    allowed,
    limit(requested) {
      const { grants, excludedCount } = limitedTo(allowed, grantsOf(requested))
      return { permissions: permissionsOf(grants), excludedCount }
    },
  }
}
