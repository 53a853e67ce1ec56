import { displayName } from '../../../contract/rules/display-name.ts'
import { type people, type USER_SORTS, UserRow } from '../../../contract/procedures/people.ts'
import { User } from '../../../contract/resources/user.ts'
import type { HandlersOf } from '../../context.ts'
import { GatewayError } from '../../errors.ts'
import { grantsBeyond } from './user.ts'
import { columnsOf } from '../../store/columns.ts'
import { type Sql, sql } from '../../store/db.ts'
import { holdsWords, pageBy } from '../../store/page.ts'

/** Enough names to find somebody by; a company with more has other ways. */
const MOST_GRANTORS = 10

/** As displayName writes it, so that the order is the one that is seen. */
const NAME = sql`lower(coalesce(nullif(case when u.first_name || u.last_name ~ '[一-鿿]' then u.last_name || u.first_name
  else trim(u.first_name || ' ' || u.last_name) end, ''), nullif(u.nickname, ''), u.email))`

const SORTS: Record<(typeof USER_SORTS)[number], { by: Sql; cast: 'text' | 'bigint' }> = {
  Name: { by: NAME, cast: 'text' },
  Email: { by: sql`u.email`, cast: 'text' },
  Department: { by: sql`lower(coalesce(d.department, ''))`, cast: 'text' },
  rank: { by: sql`u.rank::bigint`, cast: 'bigint' },
}

const ROW = sql`${columnsOf(UserRow.omit({ Department: true, Rights: true }), 'u')}, d.department as "Department",
  (select coalesce(sum(jsonb_array_length(p -> 'OperationList')), 0) from jsonb_array_elements(u.permissions) p) as "Rights"`
const FROM = sql`from users u
  left join departments d on d.tenant = u.tenant and d.department_id = u.department_id`

/** Both orders of the name: people write their own in either, with a space or without one. */
const WORDS = sql`lower(concat_ws(' ', u.first_name, u.last_name, u.last_name || u.first_name, u.nickname, u.email, d.department))`

export const peopleHandlers: HandlersOf<typeof people> = {
  listUserPage: async (input, { db, actor }) => {
    const { Search, DepartmentID, enabled, Sort, Descending, Cursor, Limit } = input
    const page = pageBy({
      ...SORTS[Sort],
      id: sql`u.cognito_id::text`,
      descending: Descending,
      Cursor,
      Limit,
    })
    const where = sql`u.tenant = ${actor.tenant} and ${holdsWords(WORDS, Search)}
      and (${enabled ?? null}::boolean is null or u.enabled = ${enabled ?? null}::boolean)
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

  getUser: async ({ CognitoId }, { db, actor }) => {
    const [record] = await db.query<User>(sql`select ${columnsOf(User)} from users
      where tenant = ${actor.tenant} and cognito_id = ${CognitoId}::uuid`)
    if (!record) throw new GatewayError('NOT_FOUND', `Person ${CognitoId} does not exist`)
    return record
  },

  listGrantors: async ({ Right }, { db, actor }) => {
    // Nobody hands on a right that they do not hold.
    const needed = [
      { FeatureKey: 'user', OperationList: ['Update'] },
      ...(Right ? [{ FeatureKey: Right.FeatureKey, OperationList: [Right.Operation] }] : []),
    ]
    const found = await db.query<Pick<User, 'FirstName' | 'LastName' | 'nickname'>>(sql`
      select first_name as "FirstName", last_name as "LastName", nickname from users
      where tenant = ${actor.tenant} and enabled and first_name || last_name || nickname <> ''
        and (cognito_id = tenant or permissions @> ${JSON.stringify(needed)}::jsonb)
      order by cognito_id <> tenant, rank desc, cognito_id limit ${MOST_GRANTORS}::int`)
    // The address is nobody's name here: only those with a name are told.
    return found.map((person) => ({ Name: displayName({ ...person, Email: '' }) }))
  },

  checkUserImport: async ({ People }, { db, actor }) => {
    const [taken, departments] = await Promise.all([
      // Over all companies, as an address is one person's; creating them would tell the same.
      db.query<{ email: string }>(
        sql`select email from users where email = any(${People.map(({ Email }) => Email)}::text[])`,
      ),
      db.query<{ id: string }>(
        sql`select department_id as id from departments where tenant = ${actor.tenant}`,
      ),
    ])
    const used = new Set(taken.map(({ email }) => email))
    const known = new Set(departments.map(({ id }) => id))
    const faults: Awaited<ReturnType<HandlersOf<typeof people>['checkUserImport']>> = []
    for (const [Row, { Email, DepartmentID, Permissions }] of People.entries()) {
      if (used.has(Email)) faults.push({ Row, Field: 'Email', Reason: 'taken' })
      // A second row of the same address would be refused, too.
      used.add(Email)
      if (DepartmentID !== null && !known.has(DepartmentID))
        faults.push({ Row, Field: 'DepartmentID', Reason: 'notFound' })
      if (grantsBeyond(actor, Permissions)) faults.push({ Row, Field: 'Permissions', Reason: 'beyondOwn' })
    }
    return faults
  },
}
