import type { z } from 'zod'
import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import {
  createRetentionJob,
  createFuturePartitions,
  type RetentionTarget,
  type RetentionOptions,
  dropMonthsOlderThan,
} from '../../store/retention.ts'
import { type AuditPerson, AuditRow, type audit as auditCalls } from '../../../contract/people/audit-calls.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Sql, sql } from '../../kernel/db.ts'
import { containsAllWords, paginate } from '../../store/page.ts'

/** Text that a search covers. */
const TEXT = sql`fold_text(by_name || ' ' || path || ' ' || input::text || ' ' || coalesce(before::text, '') || ' ' ||
  coalesce(after::text, ''))`

export const auditHandlers: HandlersOf<typeof auditCalls> = {
  listAuditLog: async ({ From, Until, CognitoId, Path, Search, Cursor, Limit }, { db, actor }) => {
    const page = paginate({
      by: sql`at`,
      cast: 'bigint',
      id: sql`audit_id`,
      idCast: 'bigint',
      isDescending: true,
      Cursor,
      Limit,
    })
    const ifGiven = (value: unknown, condition: Sql) => (value === undefined ? sql`true` : condition)
    const where = sql`tenant = ${actor.tenant}
      and ${ifGiven(From, sql`at >= ${From}::bigint`)} and ${ifGiven(Until, sql`at < ${Until}::bigint`)}
      and ${ifGiven(CognitoId, sql`cognito_id = ${CognitoId}::uuid`)} and ${ifGiven(Path, sql`path = ${Path}`)}
      and ${containsAllWords(TEXT, Search)}`
    const [found, [count]] = await Promise.all([
      db.query<AuditRow & { placeBy: number; placeId: number }>(
        sql`select ${columnsOf(AuditRow)}, ${page.place} from audit_log where ${where} and ${page.after} ${page.order}`,
      ),
      db.query<{ total: number }>(sql`select count(*) as total from audit_log where ${where}`),
    ])
    return { ...page.toPage<AuditRow>(found), Total: count?.total ?? 0 }
  },

  // Distinct values are read from the index one by one: the log can be long, and they are few.
  listAuditChoice: async (_, { db, actor }) => {
    const [People, paths] = await Promise.all([
      db.query<z.infer<typeof AuditPerson>>(sql`
        with recursive one as (
          (select cognito_id, by_name from audit_log where tenant = ${actor.tenant} and cognito_id is not null
            order by cognito_id, at desc limit 1)
          union all
          select next.* from one, lateral (
            select cognito_id, by_name from audit_log where tenant = ${actor.tenant} and cognito_id > one.cognito_id
            order by cognito_id, at desc limit 1) as next
        )
        select cognito_id as "CognitoId", by_name as "ByName" from one order by lower(by_name)`),
      db.query<{ path: string }>(sql`
        with recursive one as (
          (select path from audit_log where tenant = ${actor.tenant} order by path limit 1)
          union all
          select next.* from one, lateral (
            select path from audit_log where tenant = ${actor.tenant} and path > one.path order by path limit 1) as next
        )
        select path from one`),
    ])
    return { People, Paths: paths.map(({ path }) => path) }
  },
}

/** Audit log: who changed what. */
const AUDIT = { table: 'audit_log', at: 'at', key: 'audit_id, at' } as const

/** Retention of the audit, by whole months. */
export const auditRetention = (
  options: Pick<RetentionOptions, 'db' | 'clock'>,
  days: number,
): RetentionTarget[] => dropMonthsOlderThan(options, days, AUDIT)

export function audit(deps: Deps) {
  const partitions = createFuturePartitions(deps, AUDIT)
  return {
    handlers: { audit: auditHandlers },
    jobs: [
      partitions.job,
      createRetentionJob('audit', deps, auditRetention(deps, deps.config.retentionDays.audit)),
    ],
    prepare: partitions.prepare,
  } satisfies Feature
}
