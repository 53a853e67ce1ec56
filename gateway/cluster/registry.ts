import type { Clock, Log } from '../kernel/ports.ts'
import { type Db, sql } from '../store/db.ts'
import { deriveKey } from '../lib/seal.ts'
import { RefusedError } from './lock.ts'

/** Between two signs of life in the database, in ms. */
const HEARTBEAT_MS = 2_000
/** A gateway that was not seen for so long is not asked any more, in ms. */
export const UNREACHABLE_AFTER_MS = 10_000
/** … and after so long it is dead: its hubs are offline unless they are at another. */
export const DEAD_AFTER_MS = 30_000
/**
 * A gateway that lives was seen no longer ago than this, in ms: its last sign of life may be a beat old when it is looked up, that look
 * a beat old too, and the database busy.
 */
const ALIVE_MS = 2 * HEARTBEAT_MS + 1_000
/** Two signs of life further apart than this do not count as unbroken, in ms. */
const MAX_HEARTBEAT_GAP_MS = 3 * HEARTBEAT_MS

/** What tells gateways of different secrets apart, and nothing about the secret. */
export const secretFingerprint = (secret: string | Uint8Array): string =>
  deriveKey(secret, 'gateways').toString('hex', 0, 6)

/** Another gateway of this database, as it was last seen. */
export interface OtherGateway {
  id: string
  name: string
  version: string
  /** Ms since its last sign of life, by the clock of the database. */
  age: number
}

/** What becomes of the hubs of gateways that are dead, in the transaction that removes them. */
export type OnGatewaysDead = (tx: Db, dead: readonly { id: string; age: number }[]) => Promise<() => void>

export interface RegistryOptions {
  db: Db
  clock: Clock
  log: Log
  /** Makes an id: 16 characters, never the same twice. */
  newId: () => string
  /** The machine, for people. */
  name: string
  version: string
  /** Follows from SECRET and tells nothing about it. */
  secretMark: string
  /** Tells the store for pictures and firmware from others; null of a gateway that is alone. */
  filesMark: string | null
  /** Whether this gateway alone works on the database: whatever else is written there has ended. */
  alone: boolean
}

export interface Registry {
  /** This gateway's id; another one after it was declared dead. */
  id(): string
  /** Who else lives, by the last look; who has ended by itself does not. */
  others(): readonly OtherGateway[]
  /** Whether another gateway was seen so lately that it is not known to be away. */
  wasJustSeen(id: string): boolean
  /** Whether a gateway of this database has this id; it is looked up unless it is known. */
  knows(id: string): Promise<boolean>
  /** Whether the last looks reached the database. */
  reachesDatabase(): boolean
  /** Writes this gateway down and begins to give signs of life. Errors: when the database is away. */
  start(on: { bury: OnGatewaysDead; reborn(): void }): Promise<void>
  /** One sign of life and one look at the others, at once; never fails. */
  look(): Promise<void>
  /** Says that it has ended and gives no further sign; the row stays, and with it the hubs have time to come to another gateway. */
  close(): Promise<void>
}

interface SeenGateway extends OtherGateway {
  hasEnded: boolean
}

interface State extends RegistryOptions {
  id: string
  /** Every other row of the last look. */
  rows: SeenGateway[]
  /** Since when the database was reached without a break, epoch ms. */
  reachedSince: number | undefined
  lastReached: number
  closed: boolean
  cancel: () => void
  looking: Promise<void> | undefined
  bury: OnGatewaysDead
  reborn: () => void
}

/** The gateways of a database: which there are, and which have died. */
export function createRegistry(options: RegistryOptions): Registry {
  const state: State = {
    ...options,
    id: options.newId(),
    rows: [],
    reachedSince: undefined,
    lastReached: 0,
    closed: false,
    cancel: () => {},
    looking: undefined,
    bury: async () => () => {},
    reborn: () => {},
  }

  return {
    id: () => state.id,
    others: () => state.rows.filter(({ hasEnded }) => !hasEnded),
    wasJustSeen: (id) => {
      const age = state.rows.find((other) => other.id === id)?.age ?? Infinity
      return age + state.clock.now() - state.lastReached < ALIVE_MS
    },
    // A statement that hangs has not failed yet.
    reachesDatabase: () =>
      state.reachedSince !== undefined && state.clock.now() - state.lastReached <= MAX_HEARTBEAT_GAP_MS,

    async knows(id) {
      if (id === state.id || state.rows.some((other) => other.id === id)) return true
      await look(state)
      return state.rows.some((other) => other.id === id)
    },

    async start({ bury, reborn }) {
      Object.assign(state, { bury, reborn })
      if (!state.alone) await refuseOther(state)
      await enter(state)
      await look(state)
      again(state)
    },

    look: () => look(state),

    async close() {
      state.closed = true
      state.cancel()
      await state.looking
      const { db, id, log } = state
      await db
        .query(sql`update gateways set ended_at = clock_timestamp() where id = ${id}`)
        .catch((err: unknown) => log.warn({ err }, 'shutdown not announced to other gateways'))
    },
  }
}

/**
 * Gateways of another SECRET understand neither this one's messages nor what is sealed in the database; pictures that those of another
 * store take are missing here.
 */
async function refuseOther({ db, secretMark, filesMark }: State): Promise<void> {
  const [other] = await db.query<{ id: string; isOtherSecret: boolean }>(sql`
    select id, secret_mark <> ${secretMark} as "isOtherSecret" from gateways
    where (secret_mark <> ${secretMark} or files_mark <> ${filesMark}) and ended_at is null
      and seen_at > clock_timestamp() - make_interval(secs => ${DEAD_AFTER_MS / 1000}::float8)
    order by "isOtherSecret" desc limit 1`)
  if (!other) return
  throw new RefusedError(
    other.isOtherSecret
      ? `SECRET is another one than that of gateway ${other.id} on this database`
      : `Pictures and firmware are not kept where gateway ${other.id} keeps them: FILES_DIR must be one directory ` +
          'that all gateways share, or S3_BUCKET and S3_PREFIX the same at each of them',
  )
}

const enter = ({ db, id, name, version, secretMark, filesMark }: State): Promise<unknown> =>
  db.query(sql`insert into gateways (id, name, version, schema, secret_mark, files_mark)
    select ${id}, ${name}, ${version}, coalesce(max(version), 0), ${secretMark}, ${filesMark} from schema_migrations`)

function again(state: State): void {
  state.cancel = state.clock.after(HEARTBEAT_MS, () => {
    void look(state).then(() => {
      if (!state.closed) again(state)
    })
  })
}

/** Those that ask meanwhile share one look. */
const look = (state: State): Promise<void> =>
  (state.looking ??= beat(state)
    .catch((err: unknown) => {
      // Said once: it is looked up again every other second.
      if (state.reachedSince !== undefined)
        state.log.warn({ err }, 'gateway registry unavailable, will retry')
      state.reachedSince = undefined
    })
    .finally(() => (state.looking = undefined)))

async function beat(state: State): Promise<void> {
  const { db, clock } = state
  const rows = await db.query<SeenGateway>(sql`
    with me as (update gateways set seen_at = clock_timestamp() where id = ${state.id} returning id)
    select g.id, g.name, g.version, g.ended_at is not null as "hasEnded",
      case when g.id = ${state.id} then -1 else greatest(0, extract(epoch from clock_timestamp() - g.seen_at) * 1000)::float8 end
        as age
    from gateways g where g.id <> ${state.id} or exists (select from me)`)
  const now = clock.now()
  if (state.reachedSince === undefined || now - state.lastReached > MAX_HEARTBEAT_GAP_MS)
    state.reachedSince = now
  state.lastReached = now
  state.rows = state.alone ? [] : rows.filter(({ id, age }) => id !== state.id && age < DEAD_AFTER_MS)
  if (!rows.some(({ id }) => id === state.id)) await comeBack(state)
  const dead = rows.filter(({ id, age }) => id !== state.id && age >= DEAD_AFTER_MS)
  if (dead.length > 0 && (state.alone || now - state.reachedSince >= DEAD_AFTER_MS)) await buryDead(state)
}

/** Another gateway declared this one dead, whose machine stood still or which had lost the database. */
async function comeBack(state: State): Promise<void> {
  const former = state.id
  state.id = state.newId()
  await enter(state)
  state.log.warn({ former, id: state.id }, 'gateway was declared dead, continuing under a new id')
  state.reborn()
}

/** Among several, only one that reached the database itself all the time may do it: an outage of the database kills nobody. */
async function buryDead({ db, log, bury }: State): Promise<void> {
  const then = await db.transaction(async (tx) => {
    const dead = await tx.query<{ id: string; age: number }>(sql`
      select id, extract(epoch from clock_timestamp() - seen_at)::float8 * 1000 as age from gateways
      where seen_at < clock_timestamp() - make_interval(secs => ${DEAD_AFTER_MS / 1000}::float8)
      order by id for update skip locked`)
    if (dead.length === 0) return () => {}
    log.warn({ dead: dead.map(({ id }) => id) }, 'deleted gateways without a heartbeat for 30 s')
    return bury(tx, dead)
  })
  then()
}
