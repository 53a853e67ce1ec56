import { LRUCache } from 'lru-cache'
import { displayName } from '../../../contract/kernel/text.ts'
import type { PermissionSubject } from '../../../contract/kernel/permissions.ts'
import type { Actor } from '../../kernel/context.ts'
import { sql, type Db } from '../../kernel/db.ts'
import type { Clock } from '../../kernel/ports.ts'
import { SUBJECT_COLUMNS } from '../../domain/identity/subject.ts'
import { ADDRESS } from '../../lib/mail/address.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Identity } from '../../domain/identity/identity.ts'
import { isUuid } from './people.ts'
import type { TokenVerifier } from './tokens.ts'

const CACHED_FOR = 30_000

export interface AuthenticationProof {
  email?: string | undefined
  originJti?: string | undefined
  /** Epoch seconds. */
  authTime?: number | undefined
}

type Row = PermissionSubject & {
  tenant: string
  cognitoId: string
  Email: string
  FirstName: string
  LastName: string
  nickname: string
}

interface Entry {
  actor: Promise<Actor | undefined>
  /** Undefined while loading: a foreign pool uses another id for a person. */
  cognitoId: string | undefined
  until: number
}

/**
 * Loads the actor of a call in one query, cached for at most 30 s and until `purge`.
 *
 * ownPool  true: the session named by `originJti` must exist. false (a foreign pool): a person unknown by subject is found by
 *          the address that the pool has verified, and must have signed in after their last sign-out here
 */
export function createActors({ db, clock, ownPool }: { db: Db; clock: Clock; ownPool: boolean }) {
  const cache = new LRUCache<string, Entry>({ max: 10_000 })

  async function load(
    sub: string,
    { email, originJti, authTime }: AuthenticationProof,
  ): Promise<Actor | undefined> {
    if (!isUuid(sub) || (originJti !== undefined && !isUuid(originJti) && ownPool)) return undefined
    const session = ownPool ? (originJti ?? null) : null
    const [row] = await db.query<Row>(sql`
      select u.tenant, u.cognito_id as "cognitoId", ${ADDRESS} as "Email", u.first_name as "FirstName",
        u.last_name as "LastName", u.nickname, ${SUBJECT_COLUMNS}
      from users u
      where (u.cognito_id = ${sub}::uuid or u.email = ${ownPool ? null : (email?.toLowerCase() ?? null)}::text)
        and u.enabled
        and (${ownPool ? null : (authTime ?? null)}::bigint is null or ${authTime ?? 0}::bigint >= u.signed_out_at / 1000)
        and (${session}::uuid is null or exists (select from sessions s
          where s.session_id = ${session}::uuid and s.cognito_id = u.cognito_id
            and s.expires_at > ${clock.now()}::bigint))
      order by u.cognito_id = ${sub}::uuid desc limit 1`)
    if (!row) return undefined
    const { tenant, cognitoId, isRoot, permissions, homeGrants = [] } = row
    return {
      tenant,
      cognitoId,
      email: row.Email,
      name: displayName(row),
      isRoot,
      permissions,
      homeGrants,
      sessionId: originJti ?? '',
    }
  }

  return {
    /** Person of a verified token; undefined if deleted, disabled or signed out. */
    load(sub: string, proof: AuthenticationProof = {}): Promise<Actor | undefined> {
      const key = `${sub} ${proof.originJti ?? ''} ${ownPool ? '' : `${proof.email ?? ''} ${proof.authTime ?? ''}`}`
      const cached = cache.get(key)
      if (cached && cached.until > clock.now()) return cached.actor
      const actor = load(sub, proof)
      const entry: Entry = { actor, cognitoId: undefined, until: clock.now() + CACHED_FOR }
      cache.set(key, entry)
      actor.then(
        (found) => (entry.cognitoId = found?.cognitoId ?? sub),
        () => cache.peek(key) === entry && cache.delete(key),
      )
      return actor
    },

    /** Invalidates the cache of one person, or of everyone: call it after a change of rights, state or sessions. */
    purge(cognitoId?: string): void {
      if (cognitoId === undefined) return cache.clear()
      // An entry that is still loading may have read the old row, so it is removed too.
      for (const [key, entry] of cache)
        if (entry.cognitoId === undefined || entry.cognitoId === cognitoId) cache.delete(key)
    },
  }
}

/** Creates the function that maps a pool's token to the person stored in the database. */
export const createAuthenticate =
  (verifier: TokenVerifier, loadActor: Identity['loadActor']): Identity['authenticate'] =>
  async (token, accessToo = false): Promise<Actor> => {
    const asId = () => verifier.verify(token, 'id')
    const claims = await (accessToo ? verifier.verify(token, 'access').catch(asId) : asId())
    const actor = await loadActor(claims.sub, claims)
    if (!actor) throw new GatewayError('UNAUTHENTICATED', 'Signed out')
    return actor
  }
