import { may, type PermissionSubject } from '../kernel/permissions.ts'
import type { Shared } from './dashboard.ts'

/** Whether anybody beside the owner sees a dashboard. */
export const isShared = ({ Everyone, DepartmentIDs }: Shared): boolean => Everyone || DepartmentIDs.length > 0

interface Held {
  OwnerID: string | null
  Shared: Shared
}

/** Whether a dashboard is a person's to decide about: their own, or one whose owner is gone. */
export const isMine = ({ OwnerID }: Held, cognitoId: string): boolean =>
  OwnerID === null || OwnerID === cognitoId

/** Whether a person who sees a dashboard may change its name and cards: what others see takes dashboard Update. */
export function mayChange(board: Held, subject: PermissionSubject, cognitoId: string): boolean {
  const isOwn = board.OwnerID === cognitoId
  if (isOwn && !isShared(board.Shared)) return true
  if (!isMine(board, cognitoId) && board.Shared.May !== 'edit') return false
  return may(subject, 'dashboard', 'Update')
}

/** Whether a person who sees a dashboard may delete it: their own always. */
export const mayDelete = (board: Held, subject: PermissionSubject, cognitoId: string): boolean =>
  board.OwnerID === cognitoId || mayChange(board, subject, cognitoId)
