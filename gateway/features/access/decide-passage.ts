import {
  type Denial,
  type Direction,
  movement,
  type Pass,
  type Visit,
  visitorDenial,
} from '../../../contract/access-control/access-pass.ts'

/** Holder of a credential, as stored. */
export type CredentialHolder =
  | { kind: 'visitor'; visit: Visit; pass: Extract<Pass, { kind: 'visitor' }> }
  | { kind: 'employee'; active: boolean; assigned: boolean }

export interface ScannerAccess {
  Direction: Direction
  AllEmployees: boolean
  AllowVisitors: boolean
}

export type PassageDecision =
  { allow: true; movement: 'in' | 'out' } | { allow: false; movement: 'in' | 'out' | null; reason: Denial }

/**
 * Decides whether a person may pass a door.
 *
 * holder    undefined for an unknown credential
 * isInside   whether the person is inside now
 * special  a person inside may always leave, even if their pass has expired or been revoked, so that nobody is locked in
 */
export function decidePassage(
  holder: CredentialHolder | undefined,
  door: ScannerAccess,
  isInside: boolean,
  now: number,
): PassageDecision {
  if (!holder) return { allow: false, movement: null, reason: 'unknown' }
  const direction = movement(door.Direction, isInside)
  const reason = holder.kind === 'visitor' ? visitorReason(holder, door, now) : employeeReason(holder, door)
  if (reason === undefined) return { allow: true, movement: direction }
  const mayLeave = direction === 'out' && isInside && reason !== 'notAssigned' && reason !== 'checkedOut'
  return mayLeave ? { allow: true, movement: direction } : { allow: false, movement: direction, reason }
}

function visitorReason(
  { visit, pass }: Extract<CredentialHolder, { kind: 'visitor' }>,
  door: ScannerAccess,
  now: number,
): Denial | undefined {
  if (!door.AllowVisitors) return 'notAssigned'
  // The validity in the pass counts too: extending the visit does not extend a pass issued before.
  return (
    visitorDenial(visit, now) ??
    visitorDenial({ ...visit, ValidFrom: pass.from, ValidUntil: pass.until }, now)
  )
}

function employeeReason(
  { active, assigned }: Extract<CredentialHolder, { kind: 'employee' }>,
  door: ScannerAccess,
): Denial | undefined {
  if (!active) return 'inactive'
  return door.AllEmployees || assigned ? undefined : 'notAssigned'
}
