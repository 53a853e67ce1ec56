import type { Clock, Log } from '../../kernel/ports.ts'
import type { Sealer } from '../../lib/seal.ts'
import { type Db, sql } from '../../kernel/db.ts'

/** Key pair that signs push messages (RFC 8292), base64url; the public key is an uncompressed P-256 point. */
export interface PushKeys {
  publicKey: string
  privateKey: string
}

interface Row {
  public_key: string
  private_sealed: string
}

export interface PushKeyOptions {
  db: Db
  clock: Clock
  log: Log
  sealer: Sealer
}

/**
 * Key pair of this database, read once and created by the first gateway. A pair that another secret sealed is replaced: browsers
 * detect the new public key at their next start, and subscribe again.
 */
export function createPushKeys(options: PushKeyOptions): () => Promise<PushKeys> {
  let held: Promise<PushKeys> | undefined
  return () =>
    (held ??= load(options).catch((error: unknown) => {
      held = undefined
      throw error
    }))
}

async function load(options: PushKeyOptions): Promise<PushKeys> {
  const { log } = options
  const row = (await read(options)) ?? (await make(options))
  try {
    return opened(row, options)
  } catch {
    log.warn({}, 'push key not readable with the current SECRET, replaced')
    return opened(await make(options, row.public_key), options)
  }
}

const opened = ({ public_key, private_sealed }: Row, { sealer }: PushKeyOptions): PushKeys => ({
  publicKey: public_key,
  privateKey: sealer.open(private_sealed, public_key),
})

const read = async ({ db }: PushKeyOptions): Promise<Row | undefined> =>
  (await db.query<Row>(sql`select public_key, private_sealed from push_keys`))[0]

/** Stores a new pair unless another gateway has; returns the stored one. */
async function make(options: PushKeyOptions, replaced = ''): Promise<Row> {
  const { db, clock, sealer } = options
  // Loaded on demand: few gateways create a pair, and the library is large.
  const { default: webPush } = await import('web-push')
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  await db.query(sql`
    insert into push_keys as k (public_key, private_sealed, created_at)
    values (${publicKey}, ${sealer.seal(privateKey, publicKey)}, ${clock.now()})
    on conflict (only_one) do update set public_key = excluded.public_key, private_sealed = excluded.private_sealed,
      created_at = excluded.created_at
      where k.public_key = ${replaced}`)
  return (await read(options)) as Row
}
