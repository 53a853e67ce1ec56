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

/** Person whose rights are checked: root has all rights, others those in `permissions`. */
export interface PermissionSubject {
  isRoot: boolean
  permissions: readonly Permission[]
}

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
): true | 'sign-in' | 'root' | Right {
  if (access === 'public') return true
  if (!subject) return 'sign-in'
  if (subject.isRoot || access === 'signed-in') return true
  if (access === 'root') return 'root'
  if (access === 'homes' || access === 'rooms')
    return knows(subject, access) || right(access === 'homes' ? 'home' : 'room', 'Read')
  if (access === 'alarms')
    return may(subject, 'device', 'Read') || decide(right('power_meter_alarm', 'Read'), subject)
  if (access === 'alarmActs')
    return may(subject, 'device_control', 'Control') || decide(right('power_meter_alarm', 'Control'), subject)
  return may(subject, access.feature, access.operation) ? true : access
}

const knows = ({ permissions }: PermissionSubject, names: 'homes' | 'rooms'): boolean =>
  permissions.some(
    ({ FeatureKey, OperationList }) =>
      OperationList.length > 0 &&
      !OF_COMPANY.includes(FeatureKey) &&
      (names === 'homes' || FeatureKey !== 'conference_room'),
  )

/** Whether this person holds the right; root holds all (§6). */
export function may(subject: PermissionSubject, feature: FeatureKey, operation: Operation): boolean {
  if (subject.isRoot) return true
  for (const permission of subject.permissions)
    if (permission.FeatureKey === feature && permission.OperationList.includes(operation)) return true
  return false
}

/** The first of the granted rights that the person does not hold; undefined if they hold all. */
export function rightBeyond(subject: PermissionSubject, granted: readonly Permission[]): Right | undefined {
  for (const { FeatureKey, OperationList } of granted)
    for (const operation of OperationList)
      if (!may(subject, FeatureKey, operation)) return right(FeatureKey, operation)
  return undefined
}

/** Shorthand for declarations: `right('room', 'Read')`. */
export const right = (feature: FeatureKey, operation: Operation): Right => ({ feature, operation })
