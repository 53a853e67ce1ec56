import { User, type user, type USER_SORTS, UserRow } from '../../../contract/people/user.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { ADDRESS } from '../../lib/mail/address.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Sql, sql } from '../../kernel/db.ts'
import { containsAllWords, paginate } from '../../store/page.ts'

/** Name as formatted by displayName, so that the order matches what users see. */
const NAME = sql`lower(coalesce(nullif(case when u.first_name || u.last_name ~ '[一-鿿]' then u.last_name || u.first_name
  else trim(u.first_name || ' ' || u.last_name) end, ''), nullif(u.nickname, ''), ${ADDRESS}))`

const SORTS: Record<(typeof USER_SORTS)[number], { by: Sql; cast: 'text' | 'bigint' }> = {
  Name: { by: NAME, cast: 'text' },
  Email: { by: ADDRESS, cast: 'text' },
  Department: { by: sql`lower(coalesce(d.department, ''))`, cast: 'text' },
  rank: { by: sql`u.rank::bigint`, cast: 'bigint' },
}

const INVITED_UNTIL = sql`(select i.expires_at from invitations i where i.cognito_id = u.cognito_id) as "InvitedUntil"`

/** Select list of a person, from `users u`. */
export const USER = sql`${columnsOf(User.omit({ Email: true, InvitedUntil: true, HasInitialPassword: true }), 'u')}, ${ADDRESS} as "Email", ${INVITED_UNTIL},
  exists (select from credentials c where c.cognito_id = u.cognito_id and c.must_change) as "HasInitialPassword"`

const ROW = sql`${columnsOf(UserRow.omit({ Email: true, Department: true, Rights: true, InvitedUntil: true }), 'u')}, ${ADDRESS} as "Email", ${INVITED_UNTIL}, d.department as "Department",
  (select coalesce(sum(jsonb_array_length(p -> 'OperationList')), 0) from jsonb_array_elements(u.permissions) p) as "Rights"`
const FROM = sql`from users u
  left join departments d on d.tenant = u.tenant and d.department_id = u.department_id`

/** Name in both orders, with and without a space, as users search for either. */
const WORDS = sql`fold_text(concat_ws(' ', u.first_name, u.last_name, u.last_name || u.first_name, u.nickname, ${ADDRESS}, d.department))`

/** Reading calls: all people, a page, or one. */
export const userReads: HandlersOf<Pick<typeof user.operations, 'list' | 'page' | 'get'>> = {
  list: (_, { db, actor }) =>
    db.query<User>(sql`select ${USER} from users u where u.tenant = ${actor.tenant}
      order by u.cognito_id <> u.tenant, u.rank desc, ${ADDRESS}`),

  page: async (input, { db, actor }) => {
    const { Search, DepartmentID, enabled, Invited, Sort, Descending, Cursor, Limit } = input
    const page = paginate({
      ...SORTS[Sort],
      id: sql`u.cognito_id::text`,
      descending: Descending,
      Cursor,
      Limit,
    })
    const where = sql`u.tenant = ${actor.tenant} and ${containsAllWords(WORDS, Search)}
      and (${enabled ?? null}::boolean is null or u.enabled = ${enabled ?? null}::boolean)
      and (${Invited ?? null}::boolean is null or ${Invited ?? null}::boolean =
        exists (select from invitations i where i.cognito_id = u.cognito_id))
      and (${DepartmentID ?? null}::text is null or u.department_id = ${DepartmentID ?? null}::text)`
    const [found, [count]] = await Promise.all([
      db.query<
        UserRow & { placeBy: string | number; placeId: string }
      >(sql`select ${ROW}, ${page.place} ${FROM}
        where ${where} and ${page.after} ${page.order}`),
      db.query<{ total: number }>(sql`select count(*) as total ${FROM} where ${where}`),
    ])
    return { ...page.answer<UserRow>(found), Total: count?.total ?? 0 }
  },

  get: async ({ CognitoId }, { db, actor }) => {
    const [record] = await db.query<User>(sql`select ${USER} from users u
      where u.tenant = ${actor.tenant} and u.cognito_id = ${CognitoId}::uuid`)
    if (!record) throw new GatewayError('NOT_FOUND', `Person ${CognitoId} does not exist`)
    return record
  },
}
