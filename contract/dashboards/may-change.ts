import { may, type PermissionSubject } from '../kernel/permissions.ts'
import type { Shared } from './dashboard.ts'

/** Whether users other than the owner see a dashboard. */
export const isShared = ({ Everyone, DepartmentIDs }: Shared): boolean => Everyone || DepartmentIDs.length > 0

interface GrantedRights {
  OwnerID: string | null
  Shared: Shared
}

/** Whether a user owns a dashboard, or its owner was deleted. */
export const isMine = ({ OwnerID }: GrantedRights, cognitoId: string): boolean =>
  OwnerID === null || OwnerID === cognitoId

/** Whether a user who sees a dashboard may change its name and cards: a shared one requires dashboard Update. */
export function mayChange(board: GrantedRights, subject: PermissionSubject, cognitoId: string): boolean {
  const isOwn = board.OwnerID === cognitoId
  if (isOwn && !isShared(board.Shared)) return true
  if (!isMine(board, cognitoId) && board.Shared.May !== 'edit') return false
  return may(subject, 'dashboard', 'Update')
}

/** Whether a user who sees a dashboard may delete it; the owner always may. */
export const mayDelete = (board: GrantedRights, subject: PermissionSubject, cognitoId: string): boolean =>
  board.OwnerID === cognitoId || mayChange(board, subject, cognitoId)
