import { createHash } from 'node:crypto'
import { join, sql, type Db, type Sql } from '../../kernel/db.ts'
import { PoolError, wrongPassword } from './pool-error.ts'
import type { Clock, Log, Random } from '../../kernel/ports.ts'
import type { RequestCaller, UserSession } from '../../domain/identity/identity.ts'
import { deriveKey, open, seal } from '../../lib/seal.ts'
import type { TokenSubject } from './tokens.ts'
import type { AccessTrail } from './access-trail.ts'
import { isUuid } from './people.ts'

const LIFE = 30 * 86_400_000
const GRACE = 30_000
const MAX_PER_PERSON = 100

export type Sessions = ReturnType<typeof createSessions>

/**
 * Sessions and their refresh tokens: 30 days from the sign-in, a new token at each use, revocable at once.
 *
 * Tokens are random and stored as SHA-256. A spent token that is used again within 30 s, before its successor was used, returns the
 * same successor (two tabs that refresh at once); later it counts as stolen, and the session ends. The successor is encrypted with
 * a key derived from the spent token, so the database alone reveals nothing.
 *
 * onRevoked  called after sessions of a person ended, with their ids
 */
export function createSessions({
  db,
  clock,
  random,
  log,
  trail,
  onRevoked,
}: {
  db: Db
  clock: Clock
  random: Random
  log: Log
  trail: AccessTrail
  onRevoked: (cognitoId: string, sessions: readonly string[]) => void
}) {
  const newToken = () => Buffer.from(random.bytes(32)).toString('base64url')
  const hashOf = (token: string) => createHash('sha256').update(token).digest()
  const successorKey = (token: string) => deriveKey(token, 'refresh-successor')

  /** Deletes sessions together with their tokens. */
  async function end(where: Sql, on: Db = db): Promise<number> {
    const ended = await on.query<{ person: string; session: string }>(
      sql`delete from sessions where ${where} returning cognito_id as person, session_id as session`,
    )
    const people = new Map<string, string[]>()
    for (const { person, session } of ended) people.set(person, [...(people.get(person) ?? []), session])
    for (const [person, sessions] of people) onRevoked(person, sessions)
    return ended.length
  }

  async function successorOf(
    tx: Db,
    spentToken: { token: string; used_at: number; successor: Buffer; id: string },
  ) {
    if (clock.now() - spentToken.used_at > GRACE) return undefined
    const token = open(successorKey(spentToken.token), spentToken.successor, spentToken.id).toString()
    const rotated = await tx.query(
      sql`select 1 as one from refresh_tokens where token_hash = ${hashOf(token)} and used_at is null`,
    )
    return rotated.length ? token : undefined
  }

  return {
    /**
     * Starts a session; above a hundred, the oldest ends. Throws NotAuthorizedException if the person was disabled or their password
     * replaced since it was checked, so that a concurrent revocation of all sessions does not miss this one.
     */
    async start(
      person: { tenant: string; cognitoId: string; passwordChangedAt: number },
      caller: RequestCaller,
    ): Promise<TokenSubject & { refreshToken: string }> {
      const [sessionId, refreshToken, now] = [random.uuid(), newToken(), clock.now()]
      await db.transaction(async (tx) => {
        // Lock order: the person first, as everywhere.
        const enabled = await tx.query(sql`
          select 1 from users where cognito_id = ${person.cognitoId}::uuid and enabled for share`)
        const unchanged = await tx.query(sql`
          select 1 from credentials where cognito_id = ${person.cognitoId}::uuid
            and password_changed_at = ${person.passwordChangedAt}::bigint for share`)
        if (!enabled.length || !unchanged.length) throw wrongPassword()
        await tx.query(sql`
          insert into sessions (session_id, tenant, cognito_id, user_agent, address, created_at, last_used_at, expires_at)
          values (${sessionId}::uuid, ${person.tenant}::uuid, ${person.cognitoId}::uuid, ${caller.userAgent.slice(0, 256)},
            ${caller.address}, ${now}, ${now}, ${now + LIFE})`)
        await tx.query(sql`
          insert into refresh_tokens (token_hash, session_id) values (${hashOf(refreshToken)}, ${sessionId}::uuid)`)
      })
      await end(sql`session_id in (select session_id from sessions
        where cognito_id = ${person.cognitoId}::uuid order by created_at desc offset ${MAX_PER_PERSON})`)
      return { sessionId, refreshToken, since: now }
    },

    /** Spends a refresh token; throws NotAuthorizedException if it is unknown, expired, revoked or was spent before. */
    async rotate(
      token: string,
      caller: RequestCaller,
    ): Promise<TokenSubject & { refreshToken: string; cognitoId: string }> {
      const outcome = await db.transaction(async (tx) => {
        const [found] = await tx.query<{ id: string; cognitoId: string; since: number }>(sql`
          select s.session_id as id, s.cognito_id as "cognitoId", s.created_at as since from sessions s
          where s.session_id = (select session_id from refresh_tokens where token_hash = ${hashOf(token)})
            and s.expires_at > ${clock.now()}::bigint for update`)
        if (!found) return undefined
        // Read after locking: the previous lock owner may have spent the token.
        const [row] = await tx.query<{ used_at: number | null; successor: Buffer | null }>(sql`
          select used_at, successor from refresh_tokens where token_hash = ${hashOf(token)}`)
        const session = { sessionId: found.id, cognitoId: found.cognitoId, since: found.since }
        if (row?.used_at != null && row.successor) {
          const spentToken = { token, used_at: row.used_at, successor: row.successor, id: found.id }
          const refreshToken = await successorOf(tx, spentToken)
          return { ...session, refreshToken }
        }
        const refreshToken = newToken()
        const successor = seal(successorKey(token), refreshToken, found.id)
        await tx.query(sql`
          update refresh_tokens set used_at = ${clock.now()}, successor = ${successor} where token_hash = ${hashOf(token)}`)
        await tx.query(sql`
          insert into refresh_tokens (token_hash, session_id) values (${hashOf(refreshToken)}, ${found.id}::uuid)`)
        await tx.query(sql`
          update sessions set last_used_at = ${clock.now()}, address = ${caller.address},
            user_agent = ${caller.userAgent.slice(0, 256)} where session_id = ${found.id}::uuid`)
        return { ...session, refreshToken }
      })
      if (!outcome) throw new PoolError('NotAuthorizedException', 'Invalid Refresh Token')
      const { refreshToken } = outcome
      if (refreshToken === undefined) {
        log.warn(
          { sessionId: outcome.sessionId, cognitoId: outcome.cognitoId },
          'refresh token reused, session ended',
        )
        await end(sql`session_id = ${outcome.sessionId}::uuid`)
        await trail.record('RevokeReusedToken', outcome.cognitoId, caller)
        throw new PoolError('NotAuthorizedException', 'Refresh Token has been revoked')
      }
      return { ...outcome, refreshToken }
    },

    /** Whether a session exists and has not expired. */
    async isActive(sessionId: string): Promise<boolean> {
      const rows = await db.query(sql`
        select 1 as one from sessions where session_id = ${sessionId}::uuid and expires_at > ${clock.now()}::bigint`)
      return rows.length > 0
    },

    /** Sessions of a person, the last used first. */
    list: (cognitoId: string): Promise<UserSession[]> =>
      db.query<UserSession>(sql`
        select session_id as "SessionID", user_agent as "UserAgent", address as "Address", created_at as "CreatedAt",
          last_used_at as "LastUsedAt"
        from sessions where cognito_id = ${cognitoId}::uuid and expires_at > ${clock.now()}::bigint
        order by last_used_at desc, created_at desc`),

    /** Active sessions of these people, by person. */
    async findByPeople(cognitoIds: readonly string[]): Promise<Map<string, string[]>> {
      if (cognitoIds.length === 0) return new Map()
      const rows = await db.query<{ person: string; sessions: string[] }>(sql`
        select cognito_id as person, array_agg(session_id::text) as sessions from sessions
        where cognito_id::text in (${join([...cognitoIds])}) and expires_at > ${clock.now()}::bigint group by cognito_id`)
      return new Map(rows.map(({ person, sessions }) => [person, sessions]))
    },

    /** Ends one session of a person; false if that person has no such session. */
    revoke: async (cognitoId: string, sessionId: string, on: Db = db): Promise<boolean> =>
      isUuid(sessionId) &&
      (await end(sql`cognito_id = ${cognitoId}::uuid and session_id = ${sessionId}::uuid`, on)) > 0,

    /** Ends the session of a refresh token, spent or not; an unknown token is not an error. */
    revokeByToken: async (token: string, caller: RequestCaller): Promise<void> => {
      const ofToken = sql`session_id = (select session_id from refresh_tokens where token_hash = ${hashOf(token)})`
      const [owner] = await db.query<{ id: string }>(
        sql`select cognito_id as id from sessions where ${ofToken}`,
      )
      await end(ofToken)
      if (owner) await trail.record('RevokeToken', owner.id, caller)
    },

    /** Ends all sessions of a person, except one if named. */
    revokeAll: (
      cognitoId: string,
      { except, on }: { except?: string | undefined; on?: Db } = {},
    ): Promise<number> =>
      end(
        except
          ? sql`cognito_id = ${cognitoId}::uuid and session_id <> ${except}::uuid`
          : sql`cognito_id = ${cognitoId}::uuid`,
        on,
      ),

    prune: async (): Promise<void> => {
      await db.query(sql`delete from sessions where expires_at <= ${clock.now()}::bigint`)
    },
  }
}
