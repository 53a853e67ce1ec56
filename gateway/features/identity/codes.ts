import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql, type Db } from '../../store/db.ts'
import type { Clock, Random } from '../../ports.ts'
import { deriveKey } from '../../lib/seal.ts'

const LIFE = 15 * 60_000
const TRIES = 5

export type Codes = ReturnType<typeof createCodes>

/**
 * Six-digit codes sent by mail: 15 minutes, five tries, one active per person and purpose.
 *
 * Kept as a keyed digest, since a million codes are hashed in no time by whoever has the table alone.
 */
export function createCodes({
  db,
  clock,
  random,
  secret,
}: {
  db: Db
  clock: Clock
  random: Random
  secret: string | Uint8Array
}) {
  const key = deriveKey(secret, 'codes')
  const digest = (cognitoId: string, purpose: string, code: string) =>
    createHmac('sha256', key).update(`${purpose}:${cognitoId}:${code}`).digest()

  return {
    /** Makes a code; an earlier one of the same purpose ends. */
    async create(person: { tenant: string; cognitoId: string }, purpose: string): Promise<string> {
      const code = sixDigits(random)
      const hash = digest(person.cognitoId, purpose, code)
      await db.query(sql`
        insert into confirmation_codes (tenant, cognito_id, purpose, code_hash, expires_at)
        values (${person.tenant}::uuid, ${person.cognitoId}::uuid, ${purpose}, ${hash}, ${clock.now() + LIFE})
        on conflict (cognito_id, purpose) do update
          set code_hash = excluded.code_hash, expires_at = excluded.expires_at, tries = 0`)
      return code
    },

    /** Counts a try, then compares: 'expired' only to whoever knows the code, 'wrong' otherwise. */
    async check(cognitoId: string, purpose: string, code: string): Promise<'right' | 'wrong' | 'expired'> {
      const [row] = await db.query<{ code_hash: Buffer; expires_at: number }>(sql`
        update confirmation_codes set tries = tries + 1
        where cognito_id = ${cognitoId}::uuid and purpose = ${purpose} and tries < ${TRIES}::int
        returning code_hash, expires_at`)
      if (!row || !timingSafeEqual(row.code_hash, digest(cognitoId, purpose, code))) return 'wrong'
      return row.expires_at > clock.now() ? 'right' : 'expired'
    },

    /** Uses the code up; false when somebody else was faster. */
    async consume(on: Db, cognitoId: string, purpose: string): Promise<boolean> {
      const rows = await on.query(sql`
        delete from confirmation_codes where cognito_id = ${cognitoId}::uuid and purpose = ${purpose} returning 1 as one`)
      return rows.length > 0
    },

    /** Deletes expired codes. */
    async prune(): Promise<void> {
      await db.query(sql`delete from confirmation_codes where expires_at <= ${clock.now() - LIFE}::bigint`)
    },
  }
}

/** Every code from 000000 to 999999 is equally likely: the uneven end of the 32-bit range is thrown away. */
function sixDigits(random: Random): string {
  const even = Math.floor(2 ** 32 / 1e6) * 1e6
  for (;;) {
    const value = Buffer.from(random.bytes(4)).readUInt32BE()
    if (value < even) return String(value % 1e6).padStart(6, '0')
  }
}
