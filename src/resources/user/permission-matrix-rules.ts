import {
  FEATURES,
  OPERATIONS,
  type FeatureKey,
  type Operation,
  type Permission,
} from '../../../contract/kernel/permissions.ts'

/** Whether all, none or some of a row, a column or the whole matrix is granted. */
export type Coverage = 'all' | 'some' | 'none'

/** Rights as a set of "feature.operation", which is what the matrix switches on and off. */
export type Grants = ReadonlySet<`${FeatureKey}.${Operation}`>

/** The rights of a stored permission list. */
export const grantsOf = (permissions: readonly Permission[]): Grants =>
  new Set(
    permissions.flatMap((p) => p.OperationList.map((operation) => `${p.FeatureKey}.${operation}` as const)),
  )

/** Every right there is. */
export const EVERYTHING: Grants = new Set(
  FEATURES.flatMap((f) => OPERATIONS.map((operation) => `${f}.${operation}` as const)),
)

/** The permission list of rights, in the specification's order; features without a right are left out (§3, §6). */
export const permissionsOf = (grants: Grants): Permission[] =>
  FEATURES.map((feature) => ({
    FeatureKey: feature,
    OperationList: OPERATIONS.filter((operation) => grants.has(`${feature}.${operation}`)),
  })).filter((permission) => permission.OperationList.length > 0)

/** The cells a row (feature), a column (operation), one cell (both) or the whole matrix (neither) stands for. */
const cells = (within: Grants, feature?: FeatureKey, operation?: Operation) =>
  (feature ? [feature] : FEATURES)
    .flatMap((f) => (operation ? [operation] : OPERATIONS).map((o) => `${f}.${o}` as const))
    .filter((cell) => within.has(cell))

/** Whether anything of a row, column, cell or the whole matrix may be switched by who holds `within`. */
export const isOpen = (within: Grants, feature?: FeatureKey, operation?: Operation): boolean =>
  cells(within, feature, operation).length > 0

/** How much of a row, column or the whole matrix is granted, as far as it may be switched; else as it is. */
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

/** The rights after a row, column, cell or everything is switched: to all that may be, unless it was all already. */
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

/** Rights taken from a template or another person, as far as they may be granted, and how many of them may not. */
export function limitedTo(within: Grants, wanted: Grants): { grants: Grants; leftOut: number } {
  const grants: Grants = new Set([...wanted].filter((cell) => within.has(cell)))
  return { grants, leftOut: wanted.size - grants.size }
}

const without = (grants: Grants, others: Grants): Grants =>
  new Set([...grants].filter((cell) => !others.has(cell)))

/** What is added and what is taken away between two sets of rights, each as a permission list. */
export const difference = (before: readonly Permission[], after: readonly Permission[]) => ({
  added: permissionsOf(without(grantsOf(after), grantsOf(before))),
  removed: permissionsOf(without(grantsOf(before), grantsOf(after))),
})
