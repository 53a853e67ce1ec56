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

/** One feature's rights as §3 writes them. */
export const Permission = z.object({
  FeatureKey: z.enum(FEATURES),
  OperationList: z.array(z.enum(OPERATIONS)).max(OPERATIONS.length),
})
export type Permission = z.infer<typeof Permission>

/** A person as the policy sees one: root may everything, others what their permissions say. */
export interface Subject {
  isRoot: boolean
  permissions: readonly Permission[]
}

/** A right that a call, topic or page asks for. */
export interface Right {
  feature: FeatureKey
  operation: Operation
}

/** What a call, topic or page asks of the person: nothing, a signed-in person, the owner, or a right. */
export type Access = 'public' | 'signed-in' | 'root' | Right

/**
 * The one policy of the product: HTTP gateway, broker and screens all ask here (§6).
 *
 * returns  true, or what is missing: 'sign-in', 'root', or the right
 */
export function decide(access: Access, subject: Subject | undefined): true | 'sign-in' | 'root' | Right {
  if (access === 'public') return true
  if (!subject) return 'sign-in'
  if (subject.isRoot || access === 'signed-in') return true
  if (access === 'root') return 'root'
  return may(subject, access.feature, access.operation) ? true : access
}

/** Whether this person holds the right; root holds all (§6). */
export function may(subject: Subject, feature: FeatureKey, operation: Operation): boolean {
  if (subject.isRoot) return true
  for (const permission of subject.permissions)
    if (permission.FeatureKey === feature && permission.OperationList.includes(operation)) return true
  return false
}

/** Shorthand for declarations: `right('room', 'Read')`. */
export const right = (feature: FeatureKey, operation: Operation): Right => ({ feature, operation })
