import { errors, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose'
import { sql, type Db } from '../../kernel/db.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Clock, Log } from '../../kernel/ports.ts'
import { deriveKey, open, seal } from '../../lib/seal.ts'

const DAY = 86_400_000
const RELOAD_AFTER = 60_000
const MISS_COOLDOWN = 5_000

/** A key signs for 90 days, is published a day before and verifies two days longer. */
const KEY_LIFE = { active: 90 * DAY, ahead: DAY, overlap: 2 * DAY }

/** JOSE algorithm for each purpose of a key pair. */
const ALGORITHMS = { signing: 'RS256', 'sign-up': 'ECDH-ES+A256KW' } as const

interface Row {
  kid: string
  public_jwk: JWK
  private_sealed: Buffer
  active_from: number
  active_until: number
}

interface Key extends Row {
  publicKey: CryptoKey
  /** Undefined if the master key has changed since: the key then only verifies. */
  privateKey: CryptoKey | undefined
}

/** Key of a row; one that another secret sealed only verifies. */
async function unsealed(
  row: Row,
  { algorithm, master, log }: { algorithm: string; master: Buffer; log: Log },
): Promise<Key> {
  const publicKey = (await importJWK(row.public_jwk, algorithm)) as CryptoKey
  try {
    const jwk = JSON.parse(open(master, row.private_sealed, row.kid).toString()) as JWK
    return { ...row, publicKey, privateKey: (await importJWK(jwk, algorithm)) as CryptoKey }
  } catch {
    log.error(
      { kid: row.kid },
      'private key not readable with the current SECRET, used for verification only',
    )
    return { ...row, publicKey, privateKey: undefined }
  }
}

export type KeyRing = ReturnType<typeof createKeyRing>

/**
 * Key pairs of one purpose, stored in the database and rotated automatically.
 *
 * The private key is encrypted with a key derived from the secret. Gateways on one database share the key ring. While the database
 * is unavailable, the last keys read stay in use.
 */
export function createKeyRing(
  purpose: keyof typeof ALGORITHMS,
  { db, clock, secret, log }: { db: Db; clock: Clock; secret: string | Uint8Array; log: Log },
) {
  const algorithm = ALGORITHMS[purpose]
  const master = deriveKey(secret, `keys:${purpose}`)
  let keys: Key[] = []
  let loadedAt = Number.NEGATIVE_INFINITY
  let retryAt = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | undefined

  /** If the clock was set back, the first key signs before its start. */
  const active = () =>
    keys.findLast(
      (key) => key.privateKey && key.active_from <= clock.now() && clock.now() < key.active_until,
    ) ?? keys.find((key) => key.privateKey && clock.now() < key.active_until)
  const newest = () => keys.findLast((key) => key.privateKey)
  const lacksSuccessor = () => (newest()?.active_until ?? 0) - clock.now() < KEY_LIFE.ahead

  async function read(from: Db): Promise<void> {
    const rows = await from.query<Row>(sql`
      select kid, public_jwk, private_sealed, active_from, active_until from signing_keys
      where purpose = ${purpose} and expires_at > ${clock.now()}::bigint order by active_from, created_at`)
    const known = new Map(keys.map((key) => [key.kid, key]))
    keys = await Promise.all(
      rows.map(async (row) => known.get(row.kid) ?? unsealed(row, { algorithm, master, log })),
    )
    loadedAt = clock.now()
  }

  /** Creates the next key on one gateway; the others wait for the lock and then find it. */
  async function addSuccessor(): Promise<void> {
    const pair = await generateKeyPair(algorithm, {
      extractable: true,
      ...(algorithm === 'RS256' ? { modulusLength: 2048 } : { crv: 'P-256' }),
    })
    const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)])
    await db.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`signing_keys:${purpose}`}))`)
      await read(tx)
      if (!lacksSuccessor()) return
      const now = clock.now()
      const from = Math.max(now, newest()?.active_until ?? 0)
      const until = from + KEY_LIFE.active
      const kid = `${purpose}-${new Date(from).toISOString().slice(0, 10)}-${crypto.randomUUID().slice(0, 8)}`
      const use = purpose === 'signing' ? 'sig' : 'enc'
      await tx.query(sql`
        insert into signing_keys (kid, purpose, public_jwk, private_sealed, created_at, active_from, active_until, expires_at)
        values (${kid}, ${purpose}, ${JSON.stringify({ ...publicJwk, kid, alg: algorithm, use })}::jsonb,
          ${seal(master, JSON.stringify(privateJwk), kid)}, ${now}, ${from}, ${until}, ${until + KEY_LIFE.overlap})`)
      await read(tx)
    })
  }

  async function reload(): Promise<void> {
    try {
      await read(db)
      if (lacksSuccessor()) await addSuccessor()
    } catch (error) {
      // A rolled-back transaction may have left a key in memory that is not in the database.
      loadedAt = Number.NEGATIVE_INFINITY
      if (!active()) throw error
      retryAt = clock.now() + MISS_COOLDOWN
      log.warn(
        { purpose, error: (error as Error).message },
        'signing keys not read, using the last known keys',
      )
    }
  }

  const refresh = (): Promise<void> => (loading ??= reload().finally(() => (loading = undefined)))

  async function fresh(): Promise<void> {
    if (clock.now() < retryAt) return
    const age = clock.now() - loadedAt
    // A negative age means that the clock was set back.
    if (age >= RELOAD_AFTER || age < 0 || lacksSuccessor()) await refresh()
  }

  return {
    /** Key to sign or decrypt with now. */
    async current(): Promise<{ kid: string; algorithm: string; privateKey: CryptoKey; publicJwk: JWK }> {
      await fresh()
      const key = active()
      if (!key?.privateKey) throw new GatewayError('UNAVAILABLE', 'No key is ready')
      return { kid: key.kid, algorithm, privateKey: key.privateKey, publicJwk: key.public_jwk }
    },

    /** Public key of a token, also of a key that no longer signs; throws a JOSEError if there is none. */
    async find({ kid }: { kid?: string }): Promise<CryptoKey> {
      await fresh()
      const find = () => keys.find((key) => key.kid === kid)?.publicKey
      if (!find() && clock.now() >= Math.max(loadedAt + MISS_COOLDOWN, retryAt)) await refresh()
      const key = find()
      if (!key) throw new errors.JWKSNoMatchingKey()
      return key
    },

    async privateKey(kid: string | undefined): Promise<CryptoKey | undefined> {
      await fresh()
      return keys.find((key) => key.kid === kid)?.privateKey
    },

    /** All public keys: present, next, and those that only verify. */
    async jwks(): Promise<{ keys: JWK[] }> {
      await fresh()
      return { keys: keys.map((key) => key.public_jwk) }
    },

    /** Deletes keys whose tokens have all expired. */
    async prune(): Promise<void> {
      await db.query(sql`delete from signing_keys where expires_at <= ${clock.now()}::bigint`)
    },
  }
}
