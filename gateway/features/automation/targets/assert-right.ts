import { type FeatureKey, may, type Operation, right } from '../../../../contract/kernel/permissions.ts'
import type { Actor } from '../../../kernel/context.ts'
import { PermissionDenied } from '../../../http/response.ts'

/** Refuses a person who lacks a right that a call asks for beside its own. Errors: PERMISSION_DENIED, naming it. */
export function assertRight(actor: Actor, feature: FeatureKey, operation: Operation): void {
  if (!may(actor, feature, operation)) throw new PermissionDenied(right(feature, operation))
}
