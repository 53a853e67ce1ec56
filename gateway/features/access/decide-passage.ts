import {
  type Denial,
  type Direction,
  movement,
  type Pass,
  type Visit,
  visitorDenial,
  cardDigits,
} from '../../../contract/access-control/access-pass.ts'
import { Visitor } from '../../../contract/access-control/visitor.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, sql } from '../../kernel/db.ts'
import type { Passes } from './passes.ts'

/** Holder of a credential, as stored. */
type CredentialHolder =
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

/** Holder of a credential, locked until the transaction ends. */
export interface PassHolder {
  kind: 'visitor' | 'employee'
  id: string
  name: string
  holder: CredentialHolder
}

/** Person that a card or code belongs to at a scanner; undefined if it is unknown. */
export async function findPerson(
  tx: Db,
  passes: Pick<Passes, 'read'>,
  query: { tenant: string; thingName: string; type: 'qr' | 'card'; credential: string },
): Promise<PassHolder | undefined> {
  const { tenant, thingName } = query
  const pass = query.type === 'qr' ? passes.read(tenant, query.credential) : undefined
  if (query.type === 'qr' && !pass) return undefined
  if (pass?.kind === 'visitor') {
    const [visit] = await tx.query<Visitor>(sql`select ${columnsOf(Visitor)} from visitors
      where tenant = ${tenant} and visitor_id = ${pass.id} for update`)
    return (
      visit && {
        kind: 'visitor',
        id: pass.id,
        name: visit.VisitorName,
        holder: { kind: 'visitor', visit, pass },
      }
    )
  }
  const condition = pass
    ? sql`employee_id = ${pass.id} and pass_serial = ${pass.serial}::bigint`
    : sql`card_number = ${cardDigits(query.credential)}`
  const [found] = await tx.query<{ id: string; name: string; active: boolean; assigned: boolean }>(sql`
    select employee_id as id, employee_name as name, active, exists (select 1 from scanner_employees s
      where s.tenant = e.tenant and s.employee_id = e.employee_id and s.thing_name = ${thingName}) as assigned
    from employees e where tenant = ${tenant} and ${condition} for share of e`)
  if (!found) return undefined
  const { active, assigned } = found
  return { kind: 'employee', id: found.id, name: found.name, holder: { kind: 'employee', active, assigned } }
}
