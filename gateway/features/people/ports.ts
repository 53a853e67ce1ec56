import type { PermissionSubject } from '../../../contract/kernel/permissions.ts'
import type { SignedIn } from '../../kernel/context.ts'

/** What people need of others. */
export interface PeoplePorts {
  /**
   * Sees to the automations that act with the rights of a person, whose rights change.
   *
   * person  as they will be; undefined of one who is disabled or about to be deleted
   */
  handOver(context: SignedIn, cognitoId: string, person: PermissionSubject | undefined): Promise<void>
  /** Sees to the dashboards of a person who is about to be deleted. */
  leaveDashboards(context: SignedIn, cognitoId: string): Promise<void>
  /** Short-lived address of a stored photo. */
  photoAddressOf(url: string): string
}
