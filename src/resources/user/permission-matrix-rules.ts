import {
  FEATURES,
  OPERATIONS,
  type FeatureKey,
  type Operation,
  type Permission,
} from '../../../contract/features.ts'

/** Whether all, none or some of a row, a column or the whole matrix is granted. */
export type Coverage = 'all' | 'some' | 'none'

/** Rights as a set of "feature.operation", which is what the matrix switches on and off. */
export type Grants = ReadonlySet<`${FeatureKey}.${Operation}`>

/** The rights of a stored permission list. */
export const grantsOf = (permissions: readonly Permission[]): Grants =>
  new Set(
    permissions.flatMap((p) => p.OperationList.map((operation) => `${p.FeatureKey}.${operation}` as const)),
  )

/** The permission list of rights, in the specification's order; features without a right are left out (§3, §6). */
export const permissionsOf = (grants: Grants): Permission[] =>
  FEATURES.map((feature) => ({
    FeatureKey: feature,
    OperationList: OPERATIONS.filter((operation) => grants.has(`${feature}.${operation}`)),
  })).filter((permission) => permission.OperationList.length > 0)

/** The cells a row (feature), a column (operation), one cell (both) or the whole matrix (neither) stands for. */
const cells = (feature?: FeatureKey, operation?: Operation) =>
  (feature ? [feature] : FEATURES).flatMap((f) =>
    (operation ? [operation] : OPERATIONS).map((o) => `${f}.${o}` as const),
  )

/** How much of a row, column or the whole matrix is granted. */
export function coverage(grants: Grants, feature?: FeatureKey, operation?: Operation): Coverage {
  const all = cells(feature, operation)
  const held = all.filter((cell) => grants.has(cell)).length
  return held === 0 ? 'none' : held === all.length ? 'all' : 'some'
}

/** The rights after a row, column, cell or everything is switched: to all, unless it was all already. */
export function toggled(grants: Grants, feature?: FeatureKey, operation?: Operation): Grants {
  const next = new Set(grants)
  const remove = coverage(grants, feature, operation) === 'all'
  for (const cell of cells(feature, operation))
    if (remove) next.delete(cell)
    else next.add(cell)
  return next
}
