import type { Clock, Log } from '../kernel/ports.ts'
import { type Db, sql } from '../kernel/db.ts'
import { deriveKey } from '../lib/seal.ts'
import { RefusedError } from './lock.ts'

/** Interval between heartbeats in the database, in ms. */
const HEARTBEAT_MS = 2_000
/** Age of the last heartbeat after which a gateway no longer gets requests, in ms. */
export const UNREACHABLE_AFTER_MS = 10_000
/** Age after which a gateway is dead: its hubs are offline unless connected to another. */
export const DEAD_AFTER_MS = 30_000
/**
 * Maximum age of a live gateway's last heartbeat, in ms: its heartbeat and the last poll may each be one interval old, and the database
 * busy.
 */
const ALIVE_MS = 2 * HEARTBEAT_MS + 1_000
/** Maximum interval between heartbeats that count as uninterrupted, in ms. */
const MAX_HEARTBEAT_GAP_MS = 3 * HEARTBEAT_MS

/** Fingerprint that distinguishes gateways of different secrets without revealing the secret. */
export const secretFingerprint = (secret: string | Uint8Array): string =>
  deriveKey(secret, 'gateways').toString('hex', 0, 6)

/** Another gateway of this database, as last seen. */
export interface OtherGateway {
  id: string
  name: string
  version: string
  /** Ms since its last heartbeat, by the database clock. */
  age: number
}

/** Handles the hubs of dead gateways within the transaction that deletes these. */
export type OnGatewaysDead = (tx: Db, dead: readonly { id: string; age: number }[]) => Promise<() => void>

export interface RegistryOptions {
  db: Db
  clock: Clock
  log: Log
  /** Creates a unique id of 16 characters. */
  newId: () => string
  /** Machine name, for display. */
  name: string
  version: string
  /** Fingerprint derived from SECRET that does not reveal it. */
  secretMark: string
  /** Fingerprint of the store for images and firmware; null for a single gateway. */
  filesLocationId: string | null
  /** Whether this gateway is the only one on the database; all other rows then belong to ended gateways. */
  isAlone: boolean
}

export interface Registry {
  /** Id of this gateway; changes after it was declared dead. */
  id(): string
  /** Other live gateways as of the last poll, without those that shut down. */
  others(): readonly OtherGateway[]
  /** Whether another gateway was seen so recently that it is not known to be unreachable. */
  wasJustSeen(id: string): boolean
  /** Whether a gateway of this database has this id; queries the database if unknown. */
  isKnown(id: string): Promise<boolean>
  /** Whether the last polls reached the database. */
  reachesDatabase(): boolean
  /** Registers this gateway and starts heartbeats. Errors: if the database is unavailable. */
  start(callbacks: { deleteDead: OnGatewaysDead; onIdChanged(): void }): Promise<void>
  /** Sends one heartbeat and polls the others immediately; never throws. */
  refresh(): Promise<void>
  /** Marks this gateway as ended and stops heartbeats; the row stays, so that its hubs have time to connect to another gateway. */
  close(): Promise<void>
}

interface SeenGateway extends OtherGateway {
  hasEnded: boolean
}

interface State extends RegistryOptions {
  id: string
  /** All other rows of the last poll. */
  rows: SeenGateway[]
  /** Time since which the database was reached without interruption, epoch ms. */
  reachableSince: number | undefined
  lastReachedAt: number
  isClosed: boolean
  cancel: () => void
  refreshing: Promise<void> | undefined
  deleteDead: OnGatewaysDead
  onIdChanged: () => void
}

/** Creates the registry of a database's gateways, which detects dead ones. */
export function createRegistry(options: RegistryOptions): Registry {
  const state: State = {
    ...options,
    id: options.newId(),
    rows: [],
    reachableSince: undefined,
    lastReachedAt: 0,
    isClosed: false,
    cancel: () => {},
    refreshing: undefined,
    deleteDead: async () => () => {},
    onIdChanged: () => {},
  }

  return {
    id: () => state.id,
    others: () => state.rows.filter(({ hasEnded }) => !hasEnded),
    wasJustSeen: (id) => {
      const age = state.rows.find((other) => other.id === id)?.age ?? Infinity
      return age + state.clock.now() - state.lastReachedAt < ALIVE_MS
    },
    // A hanging statement has not failed yet.
    reachesDatabase: () =>
      state.reachableSince !== undefined && state.clock.now() - state.lastReachedAt <= MAX_HEARTBEAT_GAP_MS,

    async isKnown(id) {
      if (id === state.id || state.rows.some((other) => other.id === id)) return true
      await refresh(state)
      return state.rows.some((other) => other.id === id)
    },

    async start({ deleteDead, onIdChanged }) {
      Object.assign(state, { deleteDead, onIdChanged })
      if (!state.isAlone) await assertCompatible(state)
      await insertGateway(state)
      await refresh(state)
      scheduleHeartbeat(state)
    },

    refresh: () => refresh(state),

    async close() {
      state.isClosed = true
      state.cancel()
      await state.refreshing
      const { db, id, log } = state
      await db
        .query(sql`update gateways set ended_at = clock_timestamp() where id = ${id}`)
        .catch((err: unknown) => log.warn({ err }, 'shutdown not announced to other gateways'))
    },
  }
}

/**
 * Throws if a gateway with another SECRET is alive: neither its messages nor its encrypted data are readable. Also if one uses another
 * file store: its images would be missing here.
 */
async function assertCompatible({ db, secretMark, filesLocationId }: State): Promise<void> {
  const [other] = await db.query<{ id: string; isOtherSecret: boolean }>(sql`
    select id, secret_mark <> ${secretMark} as "isOtherSecret" from gateways
    where (secret_mark <> ${secretMark} or files_mark <> ${filesLocationId}) and ended_at is null
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

const insertGateway = ({ db, id, name, version, secretMark, filesLocationId }: State): Promise<unknown> =>
  db.query(sql`insert into gateways (id, name, version, schema, secret_mark, files_mark)
    select ${id}, ${name}, ${version}, coalesce(max(version), 0), ${secretMark}, ${filesLocationId} from schema_migrations`)

function scheduleHeartbeat(state: State): void {
  state.cancel = state.clock.after(HEARTBEAT_MS, () => {
    void refresh(state).then(() => {
      if (!state.isClosed) scheduleHeartbeat(state)
    })
  })
}

/** Polls once; concurrent callers share one poll. */
const refresh = (state: State): Promise<void> =>
  (state.refreshing ??= heartbeat(state)
    .catch((err: unknown) => {
      // Logged once: polls repeat every other second.
      if (state.reachableSince !== undefined)
        state.log.warn({ err }, 'gateway registry unavailable, will retry')
      state.reachableSince = undefined
    })
    .finally(() => (state.refreshing = undefined)))

async function heartbeat(state: State): Promise<void> {
  const { db, clock } = state
  const rows = await db.query<SeenGateway>(sql`
    with me as (update gateways set seen_at = clock_timestamp() where id = ${state.id} returning id)
    select g.id, g.name, g.version, g.ended_at is not null as "hasEnded",
      case when g.id = ${state.id} then -1 else greatest(0, extract(epoch from clock_timestamp() - g.seen_at) * 1000)::float8 end
        as age
    from gateways g where g.id <> ${state.id} or exists (select from me)`)
  const now = clock.now()
  if (state.reachableSince === undefined || now - state.lastReachedAt > MAX_HEARTBEAT_GAP_MS)
    state.reachableSince = now
  state.lastReachedAt = now
  state.rows = state.isAlone ? [] : rows.filter(({ id, age }) => id !== state.id && age < DEAD_AFTER_MS)
  if (!rows.some(({ id }) => id === state.id)) await reregister(state)
  const dead = rows.filter(({ id, age }) => id !== state.id && age >= DEAD_AFTER_MS)
  if (dead.length > 0 && (state.isAlone || now - state.reachableSince >= DEAD_AFTER_MS))
    await deleteDeadGateways(state)
}

/** Re-registers after another gateway declared this one dead, e.g. because its machine stalled or it had lost the database. */
async function reregister(state: State): Promise<void> {
  const formerId = state.id
  state.id = state.newId()
  await insertGateway(state)
  state.log.warn({ former: formerId, id: state.id }, 'gateway was declared dead, continuing under a new id')
  state.onIdChanged()
}

/**
 * Deletes dead gateways. Among several gateways, only one that reached the database without interruption may do so: a database outage
 * must not count as their death.
 */
async function deleteDeadGateways({ db, log, deleteDead }: State): Promise<void> {
  const afterCommit = await db.transaction(async (tx) => {
    const dead = await tx.query<{ id: string; age: number }>(sql`
      select id, extract(epoch from clock_timestamp() - seen_at)::float8 * 1000 as age from gateways
      where seen_at < clock_timestamp() - make_interval(secs => ${DEAD_AFTER_MS / 1000}::float8)
      order by id for update skip locked`)
    if (dead.length === 0) return () => {}
    log.warn({ dead: dead.map(({ id }) => id) }, 'deleted gateways without a heartbeat for 30 s')
    return deleteDead(tx, dead)
  })
  afterCommit()
}
