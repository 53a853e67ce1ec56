import type { PermissionSubject } from '../../../contract/kernel/permissions.ts'
import type { SignedIn } from '../../kernel/context.ts'

export interface PeoplePorts {
  /**
   * Updates the automations owned by a person whose rights change.
   *
   * person  after the change; undefined if disabled or about to be deleted
   */
  transferOwnership(
    context: SignedIn,
    cognitoId: string,
    person: PermissionSubject | undefined,
  ): Promise<void>
  /** Updates the dashboards of a person who is about to be deleted. */
  onOwnerDeleted(context: SignedIn, cognitoId: string): Promise<void>
  /** Short-lived address of a stored photo. */
  photoAddressOf(url: string): string
}
