import { Visitor } from '../../../contract/access-control/visitor.ts'
import { visitState } from '../../../contract/access-control/access-pass.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Events } from '../../kernel/events.ts'
import type { Clock, Log, Mail } from '../../kernel/ports.ts'
import { columnsOf } from '../../store/columns.ts'
import { type Db, sql } from '../../store/db.ts'
import { composePassMail } from './compose-pass-mail.ts'
import type { Passes } from './passes.ts'

/** Mails visitors their passes: when one is due, and when somebody asks for it. */
export function createPassMail(options: {
  db: Db
  mail: Mail
  events: Events
  clock: Clock
  log: Log
  passes: Pick<Passes, 'write'>
}) {
  const { db, mail, events, clock, log, passes } = options

  /** Errors: NOT_FOUND, CONFLICT when the visit is over, UNAVAILABLE when the mail server does not take it. */
  async function send(tenant: string, VisitorID: string): Promise<void> {
    const [visitor] = await db.query<
      Visitor & { HostName: string | null; company: string; zone: string | null }
    >(sql`
      select ${columnsOf(Visitor, 'v')}, e.employee_name as "HostName", c.company_name as company,
        (select time_zone from homes h where h.tenant = v.tenant order by created_at limit 1) as zone
      from visitors v join companies c on c.tenant = v.tenant
        left join employees e on e.tenant = v.tenant and e.employee_id = v.host_employee_id
      where v.tenant = ${tenant} and visitor_id = ${VisitorID}`)
    if (!visitor) throw new GatewayError('NOT_FOUND', `Visitor ${VisitorID} does not exist`)
    if (!['expected', 'inside'].includes(visitState(visitor, clock.now())))
      throw new GatewayError('CONFLICT', 'This visit is over')
    const { ValidFrom: from, ValidUntil: until } = visitor
    const composed = composePassMail({
      to: visitor.Email,
      name: visitor.VisitorName,
      company: visitor.company,
      host: visitor.HostName,
      from,
      until,
      timeZone: visitor.zone ?? 'Asia/Taipei',
      token: passes.write(tenant, { kind: 'visitor', id: VisitorID, from, until }),
    })
    try {
      await mail.send(composed)
    } catch (err) {
      log.warn({ err: { code: (err as { code?: string }).code }, VisitorID }, 'A pass could not be mailed')
      throw new GatewayError('UNAVAILABLE', 'The mail server did not take the pass')
    }
  }

  const off = events.on('visitorPassDue', async ({ tenant, VisitorID }) => {
    // Said in the log; people see the pass on the page and can mail it again.
    await send(tenant, VisitorID).catch((error: unknown) => {
      if (!(error instanceof GatewayError)) throw error
    })
  })
  return { send, close: off }
}
