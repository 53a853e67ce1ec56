import type { PermissionSubject } from '../../../contract/kernel/permissions.ts'
import { Notification, type notifications } from '../../../contract/notifications/calls.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'
import { paginate } from '../../store/page.ts'
import { isReadableBy } from '../../domain/person-data/readable-notifications.ts'

/** Calls on the notifications of the calling user only. */
export const notificationHandlers: HandlersOf<typeof notifications> = {
  listNotification: async ({ HomeID, Category, Severity, Unread, Since, Cursor, Limit }, { db, actor }) => {
    const { tenant, cognitoId } = actor
    const page = paginate({
      by: sql`at`,
      cast: 'bigint',
      id: sql`notification_id::text`,
      isDescending: true,
      Cursor,
      Limit,
    })
    const unless = (value: unknown, condition: Sql) => (value === undefined ? sql`true` : condition)
    const where = sql`tenant = ${tenant} and cognito_id = ${cognitoId} and ${isReadableBy(actor)}
      and ${unless(HomeID, sql`(home_id = ${HomeID} or home_id is null)`)} and ${unless(Category, sql`category = ${Category}`)}
      and ${unless(Severity, sql`severity = ${Severity}`)} and ${unless(Since, sql`at >= ${Since}::bigint`)}
      and ${Unread ? sql`read_at is null` : sql`true`}`
    const [found, [count], unread] = await Promise.all([
      db.query<Notification & { placeBy: number; placeId: string }>(
        sql`select ${columnsOf(Notification)}, ${page.place} from notifications
          where ${where} and ${page.after} ${page.order}`,
      ),
      db.query<{ total: number }>(sql`select count(*) as total from notifications where ${where}`),
      countUnread(db, actor),
    ])
    return {
      ...page.toPage<Notification>(found),
      Total: count?.total ?? 0,
      Unread: unread,
    }
  },

  readNotification: async ({ NotificationIDs, Before, Read }, context) => {
    const { db, actor, clock } = context
    const which = sql`${NotificationIDs ? sql`notification_id = any(${NotificationIDs}::uuid[])` : sql`true`}
      and ${Before === undefined ? sql`true` : sql`at <= ${Before}::bigint`}`
    // Without a selection nothing changes.
    const changed =
      NotificationIDs === undefined && Before === undefined
        ? []
        : await db.query(sql`
            update notifications set read_at = ${Read ? clock.now() : null}::bigint
            where cognito_id = ${actor.cognitoId} and ${isReadableBy(actor)} and (read_at is null) = ${Read} and ${which} returning 1 as one`)
    // Not audited: reading notifications is private, and the audit log covers changes that concern the company.
    context.audit('none')
    const unread = await countUnread(db, actor)
    if (changed.length > 0)
      context.emit('notificationsRead', { tenant: actor.tenant, cognitoId: actor.cognitoId })
    return { Changed: changed.length, Unread: unread }
  },
}

/** Number of unread notifications that a person may read; the count stops at `limit`. */
export async function countUnread(
  db: Db,
  person: PermissionSubject & { cognitoId: string },
  limit: number | null = null,
): Promise<number> {
  const [count] = await db.query<{ unread: number }>(sql`
    select count(*)::int as unread from (
      select from notifications where cognito_id = ${person.cognitoId}::uuid and read_at is null and ${isReadableBy(person)}
      limit ${limit}::int) as some_of_them`)
  return count?.unread ?? 0
}
