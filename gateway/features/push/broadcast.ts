import type { Access } from '../../../contract/kernel/permissions.ts'
import type { InputOf, ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { MAX_BROADCASTS_PER_DAY, type push } from '../../../contract/notifications/push-calls.ts'
import type { SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { findHome } from '../../domain/homes/find-home.ts'
import type { CountRecipients, Notify } from '../../domain/notifications/notification-transport.ts'
import { type Db, sql } from '../../kernel/db.ts'

const DAY = 86_400_000

export interface BroadcastPorts {
  notify: Notify
  countRecipients: CountRecipients
}

type Asked = InputOf<typeof push.webPushBroadcast>

/** Sends a user's message to people of the company. Errors: NOT_FOUND (home, department), LIMIT_EXCEEDED. */
export async function broadcast(
  { Title, Text, HomeID = undefined, DepartmentIDs, Severity }: Asked,
  { db, actor: { tenant }, clock, random }: SignedIn,
  { notify, countRecipients }: BroadcastPorts,
): Promise<ResultsOf<typeof push.webPushBroadcast>> {
  if (HomeID !== undefined) await findHome(db, tenant, HomeID)
  const departments = DepartmentIDs && [...new Set(DepartmentIDs)]
  if (departments) await findDepartments(db, tenant, departments)
  const id = random.uuid()
  await countBroadcast(db, { tenant, id, now: clock.now() })
  const access: Access = HomeID === undefined ? 'signed-in' : 'homes'
  const to = departments ? { access, departments } : { access }
  const Recipients = await countRecipients(db, tenant, to)
  await notify(db, [
    {
      tenant,
      homeId: HomeID ?? null,
      category: 'broadcast',
      severity: Severity,
      kind: 'broadcast',
      alarmId: null,
      values: { title: Title, text: Text },
      path: null,
      to,
      topic: `broadcast:${id}`,
      at: clock.now(),
    },
  ])
  return { Recipients }
}

async function findDepartments(db: Db, tenant: string, ids: readonly string[]): Promise<void> {
  const found = await db.query(sql`
    select 1 from departments where tenant = ${tenant} and department_id = any(${[...ids]})`)
  if (found.length < ids.length) throw new GatewayError('NOT_FOUND', 'A department does not exist')
}

/** Counts a broadcast, with the company locked. Errors: LIMIT_EXCEEDED. */
async function countBroadcast(
  db: Db,
  { tenant, id, now }: { tenant: string; id: string; now: number },
): Promise<void> {
  await db.query(sql`select 1 from companies where tenant = ${tenant} for no key update`)
  const [sent] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from push_broadcasts where tenant = ${tenant} and sent_at > ${now - DAY}::bigint`)
  if ((sent?.count ?? 0) >= MAX_BROADCASTS_PER_DAY)
    throw new GatewayError(
      'LIMIT_EXCEEDED',
      `A company sends at most ${MAX_BROADCASTS_PER_DAY} broadcasts a day`,
    )
  await db.query(sql`
    insert into push_broadcasts (broadcast_id, tenant, sent_at) values (${id}, ${tenant}, ${now})`)
}
