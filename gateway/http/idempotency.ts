import { createHmac } from 'node:crypto'
import type { z } from 'zod'
import type { Actor } from '../kernel/context.ts'
import { GatewayError } from '../kernel/errors.ts'
import type { Sealer } from '../lib/seal.ts'
import { sql, type Db } from '../kernel/db.ts'
import { BATCH, type RetentionTarget, type RetentionOptions, deleteOlderThan } from '../store/retention.ts'
import { holdsCredential } from '../lib/payloads/mask-credentials.ts'

/** Time for which a RequestID returns its first result again, in ms: a day. */
const IDEMPOTENCY_TTL_MS = 24 * 3_600_000

export const resultRetention = (options: Pick<RetentionOptions, 'db' | 'clock'>): RetentionTarget[] =>
  deleteOlderThan(options, 1, {
    request_results: (before) => sql`
      delete from request_results where (tenant, cognito_id, request_id) in (
        select tenant, cognito_id, request_id from request_results where created_at <= ${before}::bigint
        order by created_at limit ${BATCH}::int) returning 1 as one`,
  })

/** Mutation that may arrive twice. */
export interface IdempotencyKey {
  actor: Actor
  requestId: string
  path: string
  inputHash: Buffer
}

/**
 * Keyed digest of a parsed input, whose fields are in the schema's order. Keyed, because an input may contain a password that a plain
 * digest would let an attacker guess.
 */
export const hashInput = (key: Uint8Array, input: unknown): Buffer =>
  createHmac('sha256', key).update(JSON.stringify(input)).digest()

/**
 * Claims a RequestID in the transaction of its mutation. A second call with the same id waits here until the first has committed or
 * rolled back, so only one of them executes.
 *
 * returns  undefined if the caller is the first and must execute, else the first results
 * errors   CONFLICT if the id was used for another call or input
 */
export async function claimRequest(
  tx: Db,
  key: IdempotencyKey,
  now: number,
  sealer: Sealer,
): Promise<{ results: unknown } | undefined> {
  const { actor, requestId, path, inputHash } = key
  const claimed = await tx.query(sql`
    insert into request_results as r (tenant, cognito_id, request_id, path, input_hash, created_at)
    values (${actor.tenant}, ${actor.cognitoId}, ${requestId}, ${path}, ${inputHash}, ${now})
    on conflict (tenant, cognito_id, request_id) do update
      set path = excluded.path, input_hash = excluded.input_hash, results = null, created_at = excluded.created_at
      where r.created_at <= ${now - IDEMPOTENCY_TTL_MS}::bigint
    returning 1 as one`)
  if (claimed.length) return undefined
  const [earlier] = await tx.query<{ same: boolean; results: { value?: unknown; sealed?: string } }>(sql`
    select path = ${path} and input_hash = ${inputHash} as same, results from request_results
    where tenant = ${actor.tenant} and cognito_id = ${actor.cognitoId} and request_id = ${requestId}`)
  if (!earlier?.same)
    throw new GatewayError('CONFLICT', 'This RequestID was used for another request', { RequestID: 'used' })
  const { value, sealed } = earlier.results
  return { results: sealed === undefined ? value : JSON.parse(sealer.open(sealed, contextOf(key))) }
}

/** Whether a RequestID has been used, so that `claimRequest` returns its results. */
export async function isRequestClaimed(
  db: Db,
  { actor, requestId }: Pick<IdempotencyKey, 'actor' | 'requestId'>,
  now: number,
): Promise<boolean> {
  const claims = await db.query(sql`
    select 1 as one from request_results
    where tenant = ${actor.tenant} and cognito_id = ${actor.cognitoId} and request_id = ${requestId}
      and created_at > ${now - IDEMPOTENCY_TTL_MS}`)
  return claims.length > 0
}

/** Stores the results for repetitions of the same RequestID. */
export async function storeResults(
  tx: Db,
  key: IdempotencyKey,
  { results, schema }: { results: unknown; schema: z.ZodType },
  sealer: Sealer,
): Promise<void> {
  const stored = holdsCredential(results, schema)
    ? { sealed: sealer.seal(JSON.stringify(results), contextOf(key)) }
    : { value: results }
  await tx.query(sql`
    update request_results set results = ${JSON.stringify(stored)}::jsonb
    where tenant = ${key.actor.tenant} and cognito_id = ${key.actor.cognitoId} and request_id = ${key.requestId}`)
}

const contextOf = ({ actor, requestId }: IdempotencyKey) => `request:${actor.cognitoId}:${requestId}`
