import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql, type Db } from '../../kernel/db.ts'
import type { Clock, Random } from '../../kernel/ports.ts'
import { deriveKey } from '../../lib/seal.ts'

const LIFE = 15 * 60_000
const TRIES = 5
const LINK_BYTES = 32

/** Whether a code is the secret of a link. It is too long to guess, so attempts are not limited. */
export const isLinkSecret = (code: string): boolean => code.length > 6

/** Person who gets a code. */
interface Holder {
  tenant: string
  cognitoId: string
}

interface Stored {
  code_hash: Buffer
  expires_at: number
}

/** 'expired' is returned only for the correct code. */
type Outcome = 'right' | 'wrong' | 'expired'

export type Codes = ReturnType<typeof createCodes>

/**
 * Six-digit codes sent by email: 15 minutes, five attempts, one active per person and purpose; and the secrets of links, which are
 * too long to guess and have no limit of attempts.
 *
 * Stored as a keyed digest, since a leaked table alone would reveal a million possible codes at once.
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

  /** Stores a code; replaces an earlier one of the same purpose. */
  async function storeCode(
    person: Holder,
    purpose: string,
    code: string,
    life: number,
    on: Db,
  ): Promise<string> {
    const hash = digest(person.cognitoId, purpose, code)
    await on.query(sql`
      insert into confirmation_codes (tenant, cognito_id, purpose, code_hash, expires_at)
      values (${person.tenant}::uuid, ${person.cognitoId}::uuid, ${purpose}, ${hash}, ${clock.now() + life})
      on conflict (cognito_id, purpose) do update
        set code_hash = excluded.code_hash, expires_at = excluded.expires_at, tries = 0`)
    return code
  }

  const outcomeOf = (row: Stored | undefined, cognitoId: string, purpose: string, code: string): Outcome => {
    if (!row || !timingSafeEqual(row.code_hash, digest(cognitoId, purpose, code))) return 'wrong'
    return row.expires_at > clock.now() ? 'right' : 'expired'
  }

  return {
    /** Creates a code; replaces an earlier one of the same purpose. */
    create: (person: Holder, purpose: string): Promise<string> =>
      storeCode(person, purpose, sixDigits(random), LIFE, db),

    /**
     * Creates the secret of a link; replaces an earlier one of the same purpose.
     *
     * life  ms
     */
    createLink: (person: Holder, purpose: string, { life = LIFE, on = db } = {}): Promise<string> =>
      storeCode(person, purpose, Buffer.from(random.bytes(LINK_BYTES)).toString('base64url'), life, on),

    async checkLink(cognitoId: string, purpose: string, secret: string): Promise<Outcome> {
      const [row] = await db.query<Stored>(sql`
        select code_hash, expires_at from confirmation_codes
        where cognito_id = ${cognitoId}::uuid and purpose = ${purpose}`)
      return outcomeOf(row, cognitoId, purpose, secret)
    },

    /** Counts an attempt, then compares: 'expired' only for the correct code, 'wrong' otherwise. */
    async check(cognitoId: string, purpose: string, code: string): Promise<Outcome> {
      const [row] = await db.query<Stored>(sql`
        update confirmation_codes set tries = tries + 1
        where cognito_id = ${cognitoId}::uuid and purpose = ${purpose} and tries < ${TRIES}::int
        returning code_hash, expires_at`)
      return outcomeOf(row, cognitoId, purpose, code)
    },

    /** Deletes a used code; false if a concurrent request has used it. */
    async consume(on: Db, cognitoId: string, purpose: string): Promise<boolean> {
      const rows = await on.query(sql`
        delete from confirmation_codes where cognito_id = ${cognitoId}::uuid and purpose = ${purpose} returning 1 as one`)
      return rows.length > 0
    },

    async prune(): Promise<void> {
      await db.query(sql`delete from confirmation_codes where expires_at <= ${clock.now() - LIFE}::bigint`)
    },
  }
}

/** Random code with equal probability of all values: random numbers in the incomplete last range are discarded. */
export function sixDigits(random: Random): string {
  const maxUnbiased = Math.floor(2 ** 32 / 1e6) * 1e6
  for (;;) {
    const value = Buffer.from(random.bytes(4)).readUInt32BE()
    if (value < maxUnbiased) return String(value % 1e6).padStart(6, '0')
  }
}
