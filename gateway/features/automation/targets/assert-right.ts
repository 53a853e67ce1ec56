import {
  type FeatureKey,
  may,
  type Operation,
  type AccessPlace,
  right,
} from '../../../../contract/kernel/permissions.ts'
import type { Actor } from '../../../kernel/context.ts'
import { PermissionDenied } from '../../../http/response.ts'

/** Asserts a right that a call needs in addition to its own. Errors: PERMISSION_DENIED, naming the right. */
export function assertRight(
  actor: Actor,
  feature: FeatureKey,
  operation: Operation,
  place: AccessPlace,
): void {
  if (!may(actor, feature, operation, place)) throw new PermissionDenied(right(feature, operation))
}
