import { Notification, type notifications } from '../../../contract/procedures/notifications.ts'
import type { HandlersOf } from '../../context.ts'
import { columnsOf } from '../../store/columns.ts'
import { type Db, type Sql, sql } from '../../store/db.ts'
import { pageBy } from '../../store/page.ts'

/** Calls on what a person was told; of nobody else's. */
export const notificationHandlers: HandlersOf<typeof notifications> = {
  listNotification: async (
    { HomeID, Category, Severity, Unread, Since, Cursor, Limit },
    { db, actor: { tenant, cognitoId } },
  ) => {
    const page = pageBy({
      by: sql`at`,
      cast: 'bigint',
      id: sql`notification_id::text`,
      descending: true,
      Cursor,
      Limit,
    })
    const unless = (value: unknown, condition: Sql) => (value === undefined ? sql`true` : condition)
    const where = sql`tenant = ${tenant} and cognito_id = ${cognitoId}
      and ${unless(HomeID, sql`(home_id = ${HomeID} or home_id is null)`)} and ${unless(Category, sql`category = ${Category}`)}
      and ${unless(Severity, sql`severity = ${Severity}`)} and ${unless(Since, sql`at >= ${Since}::bigint`)}
      and ${Unread ? sql`read_at is null` : sql`true`}`
    const [found, [count], unread] = await Promise.all([
      db.query<Notification & { placeBy: number; placeId: string }>(
        sql`select ${columnsOf(Notification)}, ${page.place} from notifications
          where ${where} and ${page.after} ${page.order}`,
      ),
      db.query<{ total: number }>(sql`select count(*) as total from notifications where ${where}`),
      countUnread(db, [cognitoId]),
    ])
    return {
      ...page.answer<Notification>(found),
      Total: count?.total ?? 0,
      Unread: unread.get(cognitoId) ?? 0,
    }
  },

  readNotification: async ({ NotificationIDs, Before, Read }, context) => {
    const { db, actor, clock } = context
    const which = sql`${NotificationIDs ? sql`notification_id = any(${NotificationIDs}::uuid[])` : sql`true`}
      and ${Before === undefined ? sql`true` : sql`at <= ${Before}::bigint`}`
    // Nothing named is nothing meant.
    const changed =
      NotificationIDs === undefined && Before === undefined
        ? []
        : await db.query(sql`
            update notifications set read_at = ${Read ? clock.now() : null}::bigint
            where cognito_id = ${actor.cognitoId} and (read_at is null) = ${Read} and ${which} returning 1 as one`)
    // What one reads is nobody else's affair: the audit is of what concerns the company.
    context.audit('none')
    const unread = (await countUnread(db, [actor.cognitoId])).get(actor.cognitoId) ?? 0
    if (changed.length > 0)
      context.emit('notificationsRead', { tenant: actor.tenant, cognitoId: actor.cognitoId })
    return { Changed: changed.length, Unread: unread }
  },
}

/** How many notifications each of these people has not read; those with none are left out. */
export async function countUnread(db: Db, people: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counts = await db.query<{ person: string; unread: number }>(sql`
    select cognito_id as person, count(*)::int as unread from notifications
    where cognito_id = any(${[...people]}::uuid[]) and read_at is null group by cognito_id`)
  return new Map(counts.map(({ person, unread }) => [person, unread]))
}
