import {
  type Denial,
  type Direction,
  movement,
  type Pass,
  type Visit,
  visitorDenial,
} from '../../../contract/access-control/access-pass.ts'

/** Somebody a credential stands for, as the database knows them. */
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
 * Whether somebody may pass a door.
 *
 * known    undefined for a credential that is nobody's
 * inside   whether they are in now
 * special  who is inside may leave, whatever has run out, been taken back or switched off meanwhile: nobody is locked in
 */
export function decidePassage(
  known: CredentialHolder | undefined,
  door: ScannerAccess,
  inside: boolean,
  now: number,
): PassageDecision {
  if (!known) return { allow: false, movement: null, reason: 'unknown' }
  const way = movement(door.Direction, inside)
  const reason = known.kind === 'visitor' ? visitorReason(known, door, now) : employeeReason(known, door)
  if (reason === undefined) return { allow: true, movement: way }
  const leaves = way === 'out' && inside && reason !== 'notAssigned' && reason !== 'checkedOut'
  return leaves ? { allow: true, movement: way } : { allow: false, movement: way, reason }
}

function visitorReason(
  { visit, pass }: Extract<CredentialHolder, { kind: 'visitor' }>,
  door: ScannerAccess,
  now: number,
): Denial | undefined {
  if (!door.AllowVisitors) return 'notAssigned'
  // The printed window counts too: a pass that was given for a shorter visit does not grow with it.
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
