import { z } from 'zod'

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

/** Rights at named sites, in addition to those at every site. */
export interface HomeGrant {
  HomeIDs: readonly string[]
  Permissions: readonly Permission[]
}

/** Person whose rights are checked: root has all rights, others those that are granted. */
export interface PermissionSubject {
  isRoot: boolean
  /** Rights at every site, also at those added later. */
  permissions: readonly Permission[]
  homeGrants?: readonly HomeGrant[]
}

/** Place of a right that holds at every site of the company, also at those added later. */
export const EVERYWHERE = Symbol('everywhere')
/** Place of a right that holds at one site or more. */
export const SOMEWHERE = Symbol('somewhere')
/** Place where a right is needed: a site by its HomeID, every site, or any site. */
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

/** Features that concern the company and its people rather than its homes. */
const OF_COMPANY: readonly FeatureKey[] = ['user', 'company']

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
      !OF_COMPANY.includes(FeatureKey) &&
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

/** The first of the rights granted at every site that the person does not hold there; undefined if they hold all. */
export function rightBeyond(subject: PermissionSubject, granted: readonly Permission[]): Right | undefined {
  for (const { FeatureKey, OperationList } of granted)
    for (const operation of OperationList)
      if (!may(subject, FeatureKey, operation, EVERYWHERE)) return right(FeatureKey, operation)
  return undefined
}

/** Shorthand for declarations: `right('room', 'Read')`. */
export const right = (feature: FeatureKey, operation: Operation): Right => ({ feature, operation })
