import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql, type Db } from '../../store/db.ts'
import type { Clock, Random } from '../../kernel/ports.ts'
import { deriveKey } from '../../lib/seal.ts'

const LIFE = 15 * 60_000
const TRIES = 5
const LINK_BYTES = 32

/** A link's secret is too long to be guessed, so nobody can use its tries up. */
export const isLinkSecret = (code: string): boolean => code.length > 6

/** Whose a code is. */
interface Holder {
  tenant: string
  cognitoId: string
}

interface Stored {
  code_hash: Buffer
  expires_at: number
}

/** 'expired' is told only to whoever knows the code. */
type Outcome = 'right' | 'wrong' | 'expired'

export type Codes = ReturnType<typeof createCodes>

/**
 * Six-digit codes sent by mail: 15 minutes, five tries, one active per person and purpose; and the secrets of links,
 * which nobody guesses and which therefore have no tries.
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

  /** Keeps a code; an earlier one of the same purpose ends. */
  async function keep(person: Holder, purpose: string, code: string, life: number, on: Db): Promise<string> {
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
    /** Makes a code; an earlier one of the same purpose ends. */
    create: (person: Holder, purpose: string): Promise<string> =>
      keep(person, purpose, sixDigits(random), LIFE, db),

    /**
     * Makes the secret of a link; an earlier one of the same purpose ends.
     *
     * life  ms
     */
    createLink: (person: Holder, purpose: string, { life = LIFE, on = db } = {}): Promise<string> =>
      keep(person, purpose, Buffer.from(random.bytes(LINK_BYTES)).toString('base64url'), life, on),

    /** Compares the secret of a link. */
    async checkLink(cognitoId: string, purpose: string, secret: string): Promise<Outcome> {
      const [row] = await db.query<Stored>(sql`
        select code_hash, expires_at from confirmation_codes
        where cognito_id = ${cognitoId}::uuid and purpose = ${purpose}`)
      return outcomeOf(row, cognitoId, purpose, secret)
    },

    /** Counts a try, then compares: 'expired' only to whoever knows the code, 'wrong' otherwise. */
    async check(cognitoId: string, purpose: string, code: string): Promise<Outcome> {
      const [row] = await db.query<Stored>(sql`
        update confirmation_codes set tries = tries + 1
        where cognito_id = ${cognitoId}::uuid and purpose = ${purpose} and tries < ${TRIES}::int
        returning code_hash, expires_at`)
      return outcomeOf(row, cognitoId, purpose, code)
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
export function sixDigits(random: Random): string {
  const even = Math.floor(2 ** 32 / 1e6) * 1e6
  for (;;) {
    const value = Buffer.from(random.bytes(4)).readUInt32BE()
    if (value < even) return String(value % 1e6).padStart(6, '0')
  }
}
