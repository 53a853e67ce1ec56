import {
  may,
  type FeatureKey,
  type Operation,
  type PermissionSubject,
  SOMEWHERE,
} from '../../contract/kernel/permissions.ts'
import type { Me } from '../../contract/people/session-calls.ts'
import { createStore, useStore } from '../lib/store.ts'

/** The signed-in user, from GetPersonalPermissions; undefined until loaded (§2: loading screen). */
export const me = createStore<Me | undefined>(undefined)

const subjects = new WeakMap<Me, PermissionSubject>()

/** The subject of a user in permission checks: root if the two ids are equal (§6). */
export function subjectOf(person: Me | undefined): PermissionSubject | undefined {
  if (!person) return undefined
  let subject = subjects.get(person)
  if (!subject) {
    subject = {
      isRoot: person.CognitoId === person.RootCognitoId,
      permissions: person.Permissions,
      homeGrants: person.HomeGrants ?? [],
    }
    subjects.set(person, subject)
  }
  return subject
}

export const useMe = (): Me | undefined => useStore(me)
export const useSubject = (): PermissionSubject | undefined => subjectOf(useStore(me))

/** Whether the signed-in user holds a right; false while unknown. */
export function mayNow(feature: FeatureKey, operation: Operation): boolean {
  const subject = subjectOf(me.get())
  return subject !== undefined && may(subject, feature, operation, SOMEWHERE)
}

export function useMay(feature: FeatureKey, operation: Operation): boolean {
  const subject = useSubject()
  return subject !== undefined && may(subject, feature, operation, SOMEWHERE)
}
