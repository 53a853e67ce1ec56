import {
  EVERYWHERE,
  type HomeGrant,
  may,
  OPERATIONS,
  type Permission,
  type Right,
  rightBeyond,
} from '../../../contract/kernel/permissions.ts'
import type { User } from '../../../contract/people/user.ts'
import type { Actor, SignedIn } from '../../kernel/context.ts'
import type { GatewayConfig } from '../deps.ts'
import { sql } from '../../kernel/db.ts'
import { GatewayError } from '../../kernel/errors.ts'

/** Rights that a person is granted: at every home, and at single homes. */
export type GrantedRights = Pick<User, 'Permissions' | 'HomeGrants'>

/** Errors: UNAVAILABLE if rights at single homes are granted before every answer and message is limited to them. */
export function assertMayLimitToHomes(
  { HomeGrants }: GrantedRights,
  { homeGrants }: Pick<GatewayConfig, 'homeGrants'>,
): void {
  if (HomeGrants.length > 0 && !homeGrants)
    throw new GatewayError('UNAVAILABLE', 'Rights cannot be limited to homes yet')
}

/**
 * Normal form of the rights that a person is about to have. Homes that were deleted since they were granted are dropped.
 *
 * before  the stored rights
 * errors  NOT_FOUND with `HomeGrants` if a home does not exist
 */
export async function normalizeRights(
  { Permissions, HomeGrants }: GrantedRights,
  before: Pick<GrantedRights, 'HomeGrants'>,
  { db, actor }: SignedIn,
): Promise<GrantedRights> {
  const homeIds = [...new Set(HomeGrants.flatMap(({ HomeIDs }) => HomeIDs))]
  const known = new Set<string>()
  if (homeIds.length > 0)
    for (const { id } of await db.query<{ id: string }>(sql`select home_id as id from homes
      where tenant = ${actor.tenant} and home_id = any(${homeIds}::text[]) for key share`))
      known.add(id)
  const granted = new Set(before.HomeGrants.flatMap(({ HomeIDs }) => HomeIDs))
  const unknown = homeIds.find((id) => !known.has(id) && !granted.has(id))
  if (unknown !== undefined)
    throw new GatewayError('NOT_FOUND', `Home ${unknown} does not exist`, { HomeGrants: 'notFound' })
  return {
    Permissions: normalizePermissions(Permissions),
    HomeGrants: normalizeHomeGrants(HomeGrants, (id) => known.has(id)),
  }
}

/** Normal form of permissions: one entry per feature, operations in the order of §6, without empty ones. */
export function normalizePermissions(permissions: readonly Permission[]): Permission[] {
  const byFeature = new Map<string, Permission>()
  for (const { FeatureKey, OperationList } of permissions) {
    const existing = byFeature.get(FeatureKey)?.OperationList ?? []
    const all = OPERATIONS.filter(
      (operation) => existing.includes(operation) || OperationList.includes(operation),
    )
    if (all.length) byFeature.set(FeatureKey, { FeatureKey, OperationList: all })
  }
  return [...byFeature.values()].toSorted((a, b) => a.FeatureKey.localeCompare(b.FeatureKey))
}

/** Normal form of rights at single homes: each home in one grant, and homes with equal rights in the same. */
function normalizeHomeGrants(
  grants: readonly HomeGrant[],
  exists: (homeId: string) => boolean,
): User['HomeGrants'] {
  const byHome = new Map<string, Permission[]>()
  for (const { HomeIDs, Permissions } of grants)
    for (const id of HomeIDs.filter(exists)) byHome.set(id, [...(byHome.get(id) ?? []), ...Permissions])
  const byRights = new Map<string, User['HomeGrants'][number]>()
  for (const [id, permissions] of [...byHome].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const Permissions = normalizePermissions(permissions)
    if (Permissions.length === 0) continue
    const key = JSON.stringify(Permissions)
    const grant = byRights.get(key) ?? { HomeIDs: [], Permissions }
    grant.HomeIDs.push(id)
    byRights.set(key, grant)
  }
  return [...byRights.values()]
}

/** Asserts that the caller has every right that they add, at the same place; the owner has all. Errors: PERMISSION_DENIED. */
export function assertGrantable(actor: Actor, before: GrantedRights, after: GrantedRights): void {
  const previous = { isRoot: false, permissions: before.Permissions, homeGrants: before.HomeGrants }
  const added = (place: string | typeof EVERYWHERE, permissions: readonly Permission[]) =>
    permissions.map(({ FeatureKey, OperationList }) => ({
      FeatureKey,
      OperationList: OperationList.filter((operation) => !may(previous, FeatureKey, operation, place)),
    }))
  const missingRight = rightBeyond(actor, {
    Permissions: added(EVERYWHERE, after.Permissions),
    HomeGrants: after.HomeGrants.flatMap(({ HomeIDs, Permissions }) =>
      HomeIDs.map((id) => ({ HomeIDs: [id], Permissions: added(id, Permissions) })),
    ),
  })
  if (missingRight)
    throw new GatewayError('PERMISSION_DENIED', `You do not hold ${inWords(missingRight)} yourself`, {
      Permissions: 'beyondOwn',
    })
}

/** Asserts that a person whom the caller changes, disables or deletes has no rights beyond the caller's. Errors: PERMISSION_DENIED. */
export function assertNotStronger(actor: Actor, person: GrantedRights): void {
  const missingRight = rightBeyond(actor, person)
  if (missingRight)
    throw new GatewayError(
      'PERMISSION_DENIED',
      `You do not hold ${inWords(missingRight)} as this person does`,
      { Email: 'stronger' },
    )
}

const inWords = ({ feature, operation }: Right) => `${feature} ${operation}`
