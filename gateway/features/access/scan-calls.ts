import type { accessControl, Inside, ScanEvent } from '../../../contract/access-control/calls.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { type Sql, sql } from '../../store/db.ts'
import { containsAllWords, paginate } from '../../store/page.ts'

/** Who a row aliased x is about; null once they are gone or anonymised. */
const NAME = sql`coalesce(nullif(v.visitor_name, ''), e.employee_name)`
const NAMED = sql`left join visitors v on x.person_kind = 'visitor' and v.tenant = x.tenant and v.visitor_id = x.person_id
  left join employees e on x.person_kind = 'employee' and e.tenant = x.tenant and e.employee_id = x.person_id`

/** What scanners saw, and who is inside. */
export const scanHandlers: Pick<HandlersOf<typeof accessControl>, 'listScanEvent' | 'listInside'> = {
  listScanEvent: async (input, { db, actor }) => {
    const { Search, From, Until, ThingName, PersonKind, Allow, Cursor, Limit } = input
    const page = paginate({
      by: sql`x.scan_event_id`,
      cast: 'bigint',
      id: sql`x.scan_event_id`,
      idCast: 'bigint',
      descending: true,
      Cursor,
      Limit,
    })
    const unless = (value: unknown, condition: Sql) => (value === undefined ? sql`true` : condition)
    const where = sql`x.tenant = ${actor.tenant}
      and ${unless(From, sql`x.timestamp >= ${From}::bigint`)} and ${unless(Until, sql`x.timestamp < ${Until}::bigint`)}
      and ${unless(ThingName, sql`x.thing_name = ${ThingName}`)}
      and ${unless(PersonKind, sql`x.person_kind = ${PersonKind}`)} and ${unless(Allow, sql`x.allow = ${Allow}`)}
      and ${containsAllWords(sql`fold_text(coalesce(${NAME}, '') || ' ' || coalesce(s.scanner_name, ''))`, Search)}`
    const from = sql`from scan_events x ${NAMED}
      left join scanners s on s.tenant = x.tenant and s.thing_name = x.thing_name`
    const [found, [count]] = await Promise.all([
      db.query<ScanEvent & { placeBy: number; placeId: number }>(sql`
        select x.scan_event_id as "ScanEventID", x.timestamp as "Timestamp", x.thing_name as "ThingName",
          s.scanner_name as "ScannerName", x.home_id as "HomeID", x.type as "Type", x.person_kind as "PersonKind",
          x.person_id as "PersonID", ${NAME} as "PersonName", x.allow as "Allow", x.reason as "Reason",
          x.movement as "Movement", ${page.place}
        ${from} where ${where} and ${page.after} ${page.order}`),
      db.query<{ total: number }>(sql`select count(*) as total ${from} where ${where}`),
    ])
    return { ...page.answer<ScanEvent>(found), Total: count?.total ?? 0 }
  },

  listInside: (_, { db, actor }) =>
    db.query<Inside>(sql`select x.person_kind as "PersonKind", x.person_id as "PersonID", ${NAME} as "PersonName",
        case x.person_kind when 'visitor' then v.company else d.department end as "Of", v.phone as "Phone",
        x.since as "Since", s.scanner_name as "ScannerName", x.home_id as "HomeID"
      from people_inside x ${NAMED}
        left join departments d on d.tenant = e.tenant and d.department_id = e.department_id
        left join scanners s on s.tenant = x.tenant and s.thing_name = x.thing_name
      where x.tenant = ${actor.tenant} order by lower(${NAME}), x.person_id`),
}
