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
const cells = (within: Grants, feature?: FeatureKey, operation?: Operation) =>
  (feature ? [feature] : FEATURES)
    .flatMap((f) => (operation ? [operation] : OPERATIONS).map((o) => `${f}.${o}` as const))
    .filter((cell) => within.has(cell))

/** Whether a user with the rights `within` may switch any cell of a row, column, cell or the whole matrix. */
export const isOpen = (within: Grants, feature?: FeatureKey, operation?: Operation): boolean =>
  cells(within, feature, operation).length > 0

/** Coverage of a row, column or the whole matrix, counting only switchable cells if there are any. */
export function coverage(
  grants: Grants,
  feature?: FeatureKey,
  operation?: Operation,
  within: Grants = EVERYTHING,
): Coverage {
  const all = cells(isOpen(within, feature, operation) ? within : EVERYTHING, feature, operation)
  const held = all.filter((cell) => grants.has(cell)).length
  return held === 0 ? 'none' : held === all.length ? 'all' : 'some'
}

/** Rights after toggling a row, column, cell or the whole matrix: grants all switchable cells, or removes them if all were granted. */
export function toggled(
  grants: Grants,
  feature?: FeatureKey,
  operation?: Operation,
  within: Grants = EVERYTHING,
): Grants {
  const next = new Set(grants)
  const remove = coverage(grants, feature, operation, within) === 'all'
  for (const cell of cells(within, feature, operation))
    if (remove) next.delete(cell)
    else next.add(cell)
  return next
}

/** The wanted rights that may be granted, and the number of those that may not. */
export function limitedTo(within: Grants, wanted: Grants): { grants: Grants; leftOut: number } {
  const grants: Grants = new Set([...wanted].filter((cell) => within.has(cell)))
  return { grants, leftOut: wanted.size - grants.size }
}

const without = (grants: Grants, others: Grants): Grants =>
  new Set([...grants].filter((cell) => !others.has(cell)))

/** Added and removed rights between two permission lists. */
export const difference = (before: readonly Permission[], after: readonly Permission[]) => ({
  added: permissionsOf(without(grantsOf(after), grantsOf(before))),
  removed: permissionsOf(without(grantsOf(before), grantsOf(after))),
})

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
