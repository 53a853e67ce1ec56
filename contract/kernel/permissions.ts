import { z } from 'zod'
import { HomeID } from './scalars.ts'

/** Feature keys of §6, in its order. */
export const FEATURES = [
  'dashboard',
  'home',
  'device',
  'room',
  'group',
  'scene',
  'user',
  'conference_room',
  'schedule',
  'smart_link',
  'power_meter_alarm',
  'history',
  'history_download',
  'electricity',
  'electricity_download',
  'company',
  'access_control_visitor',
  'access_control_employee',
  'access_control_scanner',
  'ota',
  'device_control',
] as const
export type FeatureKey = (typeof FEATURES)[number]

/** Operations of §6, in its order. */
export const OPERATIONS = ['Read', 'Create', 'Update', 'Delete', 'Export', 'Control'] as const
export type Operation = (typeof OPERATIONS)[number]

/** Rights of one feature in the format of §3. */
export const Permission = z.object({
  FeatureKey: z.enum(FEATURES),
  OperationList: z.array(z.enum(OPERATIONS)).max(OPERATIONS.length),
})
export type Permission = z.infer<typeof Permission>

/** Features that concern the company and its people rather than its homes: they cannot be limited to a home. */
export const COMPANY_FEATURES: readonly FeatureKey[] = ['user', 'company', 'access_control_employee']

/** Rights of a person at named homes, in addition to those at every home. */
export const HomeGrant = z.object({
  HomeIDs: z.array(HomeID).min(1, 'required').max(500, 'tooBig'),
  Permissions: z
    .array(Permission)
    .min(1, 'required')
    .max(FEATURES.length)
    .refine(
      (permissions) => permissions.every(({ FeatureKey }) => !COMPANY_FEATURES.includes(FeatureKey)),
      'everywhere',
    ),
})
export type HomeGrant = z.infer<typeof HomeGrant>

/** Person whose rights are checked: root has all rights, others those that are granted. */
export interface PermissionSubject {
  isRoot: boolean
  /** Rights at every home, also at those added later. */
  permissions: readonly Permission[]
  homeGrants?: readonly HomeGrant[]
}

/** Place of a right that holds at every home of the company, also at those added later. */
export const EVERYWHERE = Symbol('everywhere')
/** Place of a right that holds at one home or more. */
export const SOMEWHERE = Symbol('somewhere')
/** Place where a right is needed: a home by its HomeID, every home, or any home. */
export type AccessPlace = string | typeof EVERYWHERE | typeof SOMEWHERE

export interface Right {
  feature: FeatureKey
  operation: Operation
}

/**
 * Access levels that are not a single right. `homes`: any right on a feature about homes, so that names of homes are visible.
 * `rooms`: the same, except that conference_room alone does not suffice. `alarms`: the right to read devices or alarm rules; each
 * shows the alarms that it raises. `alarmActs`: the right to control alarm rules, or to control devices for alarms that no rule
 * raises.
 */
export const GENERAL_ACCESS = [
  'public',
  'signed-in',
  'root',
  'homes',
  'rooms',
  'alarms',
  'alarmActs',
] as const
/** Access that a call, topic or page needs: an access level or a right. */
export type Access = (typeof GENERAL_ACCESS)[number] | Right

/** Features whose pages show no names of homes. */
const WITHOUT_HOMES: readonly FeatureKey[] = ['user', 'company']

/**
 * Access policy of the product; HTTP gateway, broker and screens all use it (§6).
 *
 * returns  true, or what is missing: 'sign-in', 'root', or the right
 */
export function decide(
  access: Access,
  subject: PermissionSubject | undefined,
  place: AccessPlace,
): true | 'sign-in' | 'root' | Right {
  if (access === 'public') return true
  if (!subject) return 'sign-in'
  if (subject.isRoot || access === 'signed-in') return true
  if (access === 'root') return 'root'
  if (access === 'homes' || access === 'rooms')
    return knows(subject, access, place) || right(access === 'homes' ? 'home' : 'room', 'Read')
  if (access === 'alarms')
    return may(subject, 'device', 'Read', place) || decide(right('power_meter_alarm', 'Read'), subject, place)
  if (access === 'alarmActs')
    return (
      may(subject, 'device_control', 'Control', place) ||
      decide(right('power_meter_alarm', 'Control'), subject, place)
    )
  return may(subject, access.feature, access.operation, place) ? true : access
}

const knows = (subject: PermissionSubject, names: 'homes' | 'rooms', place: AccessPlace): boolean =>
  permissionsAt(subject, place).some(
    ({ FeatureKey, OperationList }) =>
      OperationList.length > 0 &&
      !WITHOUT_HOMES.includes(FeatureKey) &&
      (names === 'homes' || FeatureKey !== 'conference_room'),
  )

/** Whether this person holds the right at the place; root holds all (§6). */
export function may(
  subject: PermissionSubject,
  feature: FeatureKey,
  operation: Operation,
  place: AccessPlace,
): boolean {
  if (subject.isRoot) return true
  for (const permission of permissionsAt(subject, place))
    if (permission.FeatureKey === feature && permission.OperationList.includes(operation)) return true
  return false
}

function permissionsAt(
  { permissions, homeGrants = [] }: PermissionSubject,
  place: AccessPlace,
): readonly Permission[] {
  if (place === EVERYWHERE || homeGrants.length === 0) return permissions
  const grants =
    place === SOMEWHERE ? homeGrants : homeGrants.filter(({ HomeIDs }) => HomeIDs.includes(place))
  return [...permissions, ...grants.flatMap(({ Permissions }) => Permissions)]
}

/** Whether the person may know that a home exists: one with rights at single homes knows those where they have any. */
export const mayKnowHome = (subject: PermissionSubject, homeId: string): boolean =>
  subject.isRoot || !subject.homeGrants?.length || knows(subject, 'homes', homeId)

/** Homes at which a person has an access; null means all, also those added later. */
export function homesWith(subject: PermissionSubject, access: Access): string[] | null {
  const { homeGrants = [] } = subject
  // A person with rights at single homes may not know others, also by calls that need no right.
  const needed = access === 'signed-in' && homeGrants.length > 0 ? 'homes' : access
  if (decide(needed, subject, EVERYWHERE) === true) return null
  return homeGrants
    .flatMap(({ HomeIDs }) => HomeIDs)
    .filter((homeId) => decide(needed, subject, homeId) === true)
}

/** The first of the granted rights that the person does not hold at the same place; undefined if they hold all. */
export function rightBeyond(
  subject: PermissionSubject,
  granted: { Permissions: readonly Permission[]; HomeGrants?: readonly HomeGrant[] },
): Right | undefined {
  const { Permissions, HomeGrants = [] } = granted
  const places: [AccessPlace, readonly Permission[]][] = [
    [EVERYWHERE, Permissions],
    ...HomeGrants.flatMap((grant) =>
      grant.HomeIDs.map((homeId): [AccessPlace, readonly Permission[]] => [homeId, grant.Permissions]),
    ),
  ]
  for (const [place, permissions] of places)
    for (const { FeatureKey, OperationList } of permissions)
      for (const operation of OperationList)
        if (!may(subject, FeatureKey, operation, place)) return right(FeatureKey, operation)
  return undefined
}

/** Shorthand for declarations: `right('room', 'Read')`. */
export const right = (feature: FeatureKey, operation: Operation): Right => ({ feature, operation })
