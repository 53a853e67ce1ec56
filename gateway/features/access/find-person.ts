import { cardDigits } from '../../../contract/access-control/access-pass.ts'
import { Visitor } from '../../../contract/access-control/visitor.ts'
import { columnsOf } from '../../store/columns.ts'
import { type Db, sql } from '../../kernel/db.ts'
import type { CredentialHolder } from './decide-passage.ts'
import type { Passes } from './passes.ts'

/** Holder of a credential, locked until the transaction ends. */
export interface PassHolder {
  kind: 'visitor' | 'employee'
  id: string
  name: string
  known: CredentialHolder
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
        known: { kind: 'visitor', visit, pass },
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
  return { kind: 'employee', id: found.id, name: found.name, known: { kind: 'employee', active, assigned } }
}
