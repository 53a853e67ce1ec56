import { isDeepStrictEqual } from 'node:util'
import { templateOf } from '../../../contract/people/permission-templates.ts'
import { User, type user, type USER_SORTS, UserRow } from '../../../contract/people/user.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Deps } from '../deps.ts'
import { type Db, sql, type Sql } from '../../kernel/db.ts'
import { assertVersion } from '../../lib/assert-version.ts'
import { conflictOnUniqueViolation } from '../../store/database-errors.ts'
import { hasAddress, ADDRESS } from '../../lib/mail/address.ts'
import { columnsOf } from '../../store/sql.ts'
import { containsAllWords, paginate } from '../../store/page.ts'
import { claimAddress, type createForeignNotice, readIsForeign } from './foreign-address.ts'
import {
  assertGrantable,
  assertMayLimitToHomes,
  assertNotStronger,
  normalizePermissions,
  normalizeRights,
} from './granted-rights.ts'
import type { PeoplePorts } from './ports.ts'

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
const USER = sql`${columnsOf(User.omit({ Email: true, InvitedUntil: true, HasInitialPassword: true }), 'u')}, ${ADDRESS} as "Email", ${INVITED_UNTIL},
  exists (select from credentials c where c.cognito_id = u.cognito_id and c.must_change) as "HasInitialPassword"`

const ROW = sql`${columnsOf(UserRow.omit({ Email: true, Department: true, Rights: true, Template: true, InvitedUntil: true }), 'u')}, u.permissions as "Permissions", ${ADDRESS} as "Email", ${INVITED_UNTIL}, d.department as "Department",
  (select coalesce(sum(jsonb_array_length(p -> 'OperationList')), 0) from jsonb_array_elements(u.permissions) p) as "Rights"`
const FROM = sql`from users u
  left join departments d on d.tenant = u.tenant and d.department_id = u.department_id`

/** Name in both orders, with and without a space, as users search for either. */
const WORDS = sql`fold_text(concat_ws(' ', u.first_name, u.last_name, u.last_name || u.first_name, u.nickname, ${ADDRESS}, d.department))`

/** Reading calls: all people, a page, or one. */
const userReads: HandlersOf<Pick<typeof user.operations, 'list' | 'page' | 'get'>> = {
  list: (_, { db, actor }) =>
    db.query<User>(sql`select ${USER} from users u where u.tenant = ${actor.tenant}
      order by u.cognito_id <> u.tenant, u.rank desc, ${ADDRESS}`),

  page: async (input, { db, actor }) => {
    const { Search, DepartmentID, enabled, Invited, Sort, Descending, Cursor, Limit } = input
    const page = paginate({
      ...SORTS[Sort],
      id: sql`u.cognito_id::text`,
      isDescending: Descending,
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
        Omit<UserRow, 'Template'> & Pick<User, 'Permissions'> & { placeBy: string | number; placeId: string }
      >(sql`select ${ROW}, ${page.place} ${FROM}
        where ${where} and ${page.after} ${page.order}`),
      db.query<{ total: number }>(sql`select count(*) as total ${FROM} where ${where}`),
    ])
    const rows = found.map(({ Permissions, ...row }) => ({
      ...row,
      Template: templateOf(Permissions) ?? null,
    }))
    return { ...page.toPage<UserRow>(rows), Total: count?.total ?? 0 }
  },

  get: async ({ CognitoId }, { db, actor }) => {
    const [record] = await db.query<User>(sql`select ${USER} from users u
      where u.tenant = ${actor.tenant} and u.cognito_id = ${CognitoId}::uuid`)
    if (!record) throw new GatewayError('NOT_FOUND', `Person ${CognitoId} does not exist`)
    return record
  },
}

export const NEW_PERSON = {
  FirstName: '',
  LastName: '',
  nickname: '',
  DepartmentID: null,
  enabled: true,
  rank: 0,
  Permissions: [],
  HomeGrants: [],
  InvitedUntil: null,
  Version: 1,
}

export const userHandlers = ({
  identity,
  notifyForeign,
  transferOwnership,
  onOwnerDeleted,
  config,
}: Pick<Deps, 'identity' | 'config'> &
  PeoplePorts & {
    notifyForeign: ReturnType<typeof createForeignNotice>
  }): HandlersOf<typeof user.operations> => ({
  ...userReads,

  create: async ({ password, ...input }, context) => {
    const { db, actor, random } = context
    const record: User = {
      CognitoId: random.uuid(),
      ...NEW_PERSON,
      ...input,
      HasInitialPassword: true,
    }
    assertMayLimitToHomes(record, config)
    Object.assign(record, await normalizeRights(record, NEW_PERSON, context))
    assertGrantable(actor, NEW_PERSON, record)
    await lockDepartment(db, actor.tenant, record.DepartmentID)
    await insertPerson(record, context)
    await identity.createCredentials(
      { tenant: actor.tenant, cognitoId: record.CognitoId, initialPassword: password },
      db,
    )
    if (await readIsForeign(record, context)) await notifyForeign(record, context)
    context.change('user.add', record)
    context.audit({ after: record })
    return record
  },

  update: async ({ Email, password, Version, ...changes }, context) => {
    const { db, actor } = context
    const before = await lockUser(Email, context)
    assertVersion(Version, before)
    const after: User = { ...before, ...changes, Version: before.Version + 1 }
    assertMayLimitToHomes(after, config)
    Object.assign(after, await normalizeRights(after, before, context))
    const haveRightsChanged = !isDeepStrictEqual(
      [normalizePermissions(before.Permissions), before.HomeGrants],
      [after.Permissions, after.HomeGrants],
    )
    const isOwner = before.CognitoId === actor.tenant
    if (isOwner && (haveRightsChanged || !after.enabled))
      throw new GatewayError('CONFLICT', 'The owner always has every right', { Email: 'owner' })
    if (isOwner && !actor.isRoot)
      throw new GatewayError('PERMISSION_DENIED', 'Only the owner changes the owner')
    if (before.CognitoId === actor.cognitoId && (haveRightsChanged || !after.enabled))
      throw new GatewayError('CONFLICT', 'Nobody changes their own rights', { Permissions: 'ownRights' })
    // Callers change their own password with the present one; otherwise a stolen token could take over the account.
    if (before.CognitoId === actor.cognitoId && password !== undefined)
      throw new GatewayError('CONFLICT', 'Your own password is changed in your settings', {
        password: 'ownPassword',
      })
    assertNotStronger(actor, before)
    assertGrantable(actor, before, after)
    await lockDepartment(db, actor.tenant, after.DepartmentID)
    await db.query(sql`update users set first_name = ${after.FirstName}, last_name = ${after.LastName},
        nickname = ${after.nickname}, department_id = ${after.DepartmentID}, rank = ${after.rank},
        permissions = ${JSON.stringify(after.Permissions)}, home_grants = ${JSON.stringify(after.HomeGrants)},
        version = ${after.Version}
      where tenant = ${actor.tenant} and cognito_id = ${after.CognitoId}`)
    if (after.enabled !== before.enabled) await identity.setEnabled(after.CognitoId, after.enabled, db)
    await updateAccess(identity, after, { password, haveRightsChanged }, context)
    after.InvitedUntil = await readInvitedUntil(after.CognitoId, db)
    if (password !== undefined) after.HasInitialPassword = true
    if (haveRightsChanged || after.enabled !== before.enabled)
      await transferOwnership(
        context,
        after.CognitoId,
        after.enabled
          ? { isRoot: isOwner, permissions: after.Permissions, homeGrants: after.HomeGrants }
          : undefined,
      )
    context.change('user.update', after)
    const key = { tenant: actor.tenant, cognitoId: after.CognitoId }
    if (!after.enabled && before.enabled) context.emit('personChanged', { ...key, change: 'revoked' })
    else context.emit('personChanged', { ...key, change: haveRightsChanged ? 'permissions' : 'profile' })
    context.audit({ before, after })
    return after
  },

  remove: async (key, context) => {
    const { db, actor } = context
    const before = await lockUser(key.Email, context)
    if (before.CognitoId === actor.tenant)
      throw new GatewayError('CONFLICT', 'The owner cannot be deleted', { Email: 'owner' })
    if (before.CognitoId === actor.cognitoId)
      throw new GatewayError('CONFLICT', 'Nobody deletes themselves', { Email: 'self' })
    assertNotStronger(actor, before)
    await transferOwnership(context, before.CognitoId, undefined)
    await onOwnerDeleted(context, before.CognitoId)
    await identity.removeCredentials(before.CognitoId, db)
    await db.query(sql`delete from users where tenant = ${actor.tenant} and cognito_id = ${before.CognitoId}`)
    context.change('user.remove', key)
    context.emit('personChanged', { tenant: actor.tenant, cognitoId: before.CognitoId, change: 'revoked' })
    context.audit({ before })
    return key
  },
})

/**
 * Inserts a person, even if their address belongs to an account of another company, which is not revealed (decision 0058).
 *
 * errors  CONFLICT with `Email: taken` if the company has a person of that address
 */
export async function insertPerson(record: User, { db, actor, clock }: SignedIn): Promise<void> {
  const { CognitoId, Email } = record
  const insert = (email: string, foreignAddress: string | null) => sql`
    insert into users (tenant, cognito_id, email, foreign_address, first_name, last_name, nickname, department_id, enabled,
      rank, permissions, home_grants, created_at)
    values (${actor.tenant}, ${CognitoId}, ${email}, ${foreignAddress}, ${record.FirstName}, ${record.LastName},
      ${record.nickname}, ${record.DepartmentID}, ${record.enabled}, ${record.rank},
      ${JSON.stringify(record.Permissions)}, ${JSON.stringify(record.HomeGrants)}, ${clock.now()})`
  const isInCompany = sql`select 1 as one from users u where u.tenant = ${actor.tenant} and ${hasAddress(Email)}`
  const emailTaken = () =>
    new GatewayError('CONFLICT', 'Somebody already uses that address', { Email: 'taken' })
  if ((await db.query(isInCompany)).length > 0) throw emailTaken()
  const inserted = await db.query(
    sql`${insert(Email, null)} on conflict (email) do nothing returning 1 as one`,
  )
  if (inserted.length > 0) return
  if ((await db.query(isInCompany)).length > 0) throw emailTaken()
  await conflictOnUniqueViolation(
    'Email',
    emailTaken().message,
    db.query(insert(`${CognitoId}@foreign.invalid`, Email)),
  )
}

/** Reads a person and locks the row until the transaction ends. Errors: NOT_FOUND. */
export async function lockUser(email: string, { db, actor }: SignedIn): Promise<User> {
  const [record] = await db.query<User>(
    sql`select ${USER} from users u where u.tenant = ${actor.tenant} and ${hasAddress(email)} for update of u`,
  )
  if (!record) throw new GatewayError('NOT_FOUND', `${email} does not exist`)
  return record
}

/** Ends sessions with the previous rights, and sets a new initial password if given. */
async function updateAccess(
  identity: Deps['identity'],
  { CognitoId }: User,
  { password, haveRightsChanged }: { password: string | undefined; haveRightsChanged: boolean },
  context: SignedIn,
): Promise<void> {
  const { db, actor } = context
  if (password !== undefined) await claimAddress({ CognitoId }, context)
  if (haveRightsChanged) await identity.endPendingAccess(CognitoId, db)
  if (password !== undefined)
    await identity.createCredentials(
      { tenant: actor.tenant, cognitoId: CognitoId, initialPassword: password },
      db,
    )
  if (haveRightsChanged) await identity.revokeAll(CognitoId, db)
}

async function readInvitedUntil(cognitoId: string, db: Db): Promise<number | null> {
  const [found] = await db.query<{ until: number }>(
    sql`select expires_at as until from invitations where cognito_id = ${cognitoId}::uuid`,
  )
  return found?.until ?? null
}

/** Locks a department until the transaction ends. Errors: NOT_FOUND. */
export async function lockDepartment(db: Db, tenant: string, id: string | null): Promise<void> {
  if (id === null) return
  const found = await db.query(
    sql`select 1 from departments where tenant = ${tenant} and department_id = ${id} for share`,
  )
  if (!found.length)
    throw new GatewayError('NOT_FOUND', 'The department does not exist', { DepartmentID: 'notFound' })
}
