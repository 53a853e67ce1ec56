import pg from 'pg'
import type { Logger } from 'pino'

/** Longest time for a host to say whether it takes writes, in ms: well below what a statement waits for a connection. */
const PROBE_TIMEOUT_MS = 2_000
const DEFAULT_PORT = 5432
/** The values of target_session_attrs under which a gateway can work: it writes. */
const TAKES_WRITES = new Set(['read-write', 'primary'])

/** A URL of libpq's form, whose hosts pg itself cannot take when there are several. */
const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

/** A URL with a user and no password. */
const WITHOUT_PASSWORD = /^(postgres(?:ql)?:\/\/[^/?#:@]+)@/

/** A connection string with a password that stands elsewhere; as it was where it names no user, or has a password. */
export const urlWithPassword = (url: string | undefined, password: string | undefined): string | undefined =>
  password === undefined
    ? url
    : url?.replace(WITHOUT_PASSWORD, (_, start: string) => `${start}:${encodeURIComponent(password)}@`)

/** A server that may be the one to write to. */
export interface DatabaseHost {
  host: string
  port: number
}

/** What a connection string asks for, in the form that pg takes. */
export interface DatabaseTarget {
  /** For pg: with the first host alone. */
  connectionString: string
  /** Every server it names, when it names several or asks for one that takes writes; empty where pg just connects. */
  hosts: readonly DatabaseHost[]
}

/**
 * Reads a connection string: `postgres://user@a:5432,b:5432/name?target_session_attrs=read-write`, as libpq has it. Several hosts
 * are looked through for the one that takes writes whether it says so or not.
 *
 * errors    when target_session_attrs asks for a server that takes no writes, or a host cannot be read; no value is in the text
 */
export function readDatabaseUrl(connectionString: string): DatabaseTarget {
  const [, start = '', authority = '', rest = ''] = URL_PARTS.exec(connectionString) ?? []
  const attributes = /[?&]target_session_attrs=([^&#]*)/.exec(rest)?.[1]
  if (attributes !== undefined && !TAKES_WRITES.has(attributes))
    throw new Error('target_session_attrs must be read-write: a gateway writes')
  const names = authority.split(',')
  if (names.length === 1 && attributes === undefined) return { connectionString, hosts: [] }
  const hosts = names.map(readHost)
  const query = rest.replace(/([?&])target_session_attrs=[^&#]*&?/, '$1').replace(/[?&]$/, '')
  return { connectionString: `${start}${names[0]}${query}`, hosts }
}

function readHost(name: string): DatabaseHost {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/i.exec(name) ?? []
  const host = bracketed ?? plain
  if (host === undefined) throw new Error('has a host that cannot be read; hosts are separated by commas')
  return { host: decodeURIComponent(host), port: Number(port ?? DEFAULT_PORT) }
}

/** How a gateway's connections find the server that takes writes. */
export interface DatabaseHosts {
  /** A connection to that server, not yet made. */
  client: new (config?: string | pg.ClientConfig) => pg.Client
  /** Something was wrong with a connection: before the next one is made it is asked again who takes writes. */
  suspect(): void
  /** Asks now; connections to a server that another has followed are ended. Never fails. */
  look(): Promise<void>
  /** How often another server was found than before. */
  failovers(): number
  /** Whether there are several to choose from. */
  several: boolean
}

interface State {
  hosts: readonly DatabaseHost[]
  config: pg.ClientConfig
  log: Pick<Logger, 'warn' | 'info'>
  /** The one that takes writes, as last found. */
  primary: DatabaseHost | undefined
  /** Whether it is to be asked again before it is used. */
  isSuspect: boolean
  looking: Promise<DatabaseHost> | undefined
  failovers: number
  /** Connections that are open, and where. */
  open: Map<pg.Client, DatabaseHost>
}

/**
 * Follows the primary among several servers. pg takes a single host, so its client is told which one when it connects.
 *
 * config    how a connection is made, but for the host
 */
export function createDatabaseHosts(
  hosts: readonly DatabaseHost[],
  config: pg.ClientConfig,
  log: Pick<Logger, 'warn' | 'info'>,
): DatabaseHosts {
  const state: State = {
    hosts,
    config,
    log,
    primary: undefined,
    isSuspect: false,
    looking: undefined,
    failovers: 0,
    open: new Map(),
  }
  return {
    client: hosts.length === 0 ? pg.Client : followingClient(state),
    suspect: () => void (state.isSuspect = true),
    look: async () => {
      if (hosts.length === 0) return
      await findPrimary(state).catch(() => {})
    },
    failovers: () => state.failovers,
    several: hosts.length > 1,
  }
}

/** A pg client that connects to the primary, and to nothing else. */
function followingClient(state: State): DatabaseHosts['client'] {
  return class extends pg.Client {
    override connect(): Promise<this>
    override connect(callback: (error: Error | null, client?: this) => void): void
    override connect(callback?: (error: Error | null, client?: this) => void): Promise<this> | void {
      if (!callback) return this.#follow()
      void this.#tell(callback)
    }

    async #tell(callback: (error: Error | null, client?: this) => void): Promise<void> {
      const error = await this.#follow().then(
        () => null,
        (thrown: Error) => thrown,
      )
      if (error) callback(error)
      else callback(null, this)
    }

    async #follow(): Promise<this> {
      const known = state.isSuspect ? undefined : state.primary
      // Whoever made it listens only once it is connected.
      this.on('error', () => {})
      const at = known ?? (await findPrimary(state))
      this.host = at.host
      this.port = at.port
      try {
        await super.connect()
        // It may have become a standby since it was found.
        if (await isStandby(this)) throw new NoPrimaryError(`${nameOf(at)} is a standby`)
      } catch (error) {
        state.isSuspect = true
        this.end().catch(() => {})
        throw error
      }
      if (state.primary !== at) {
        this.connection.stream.destroy()
        throw new NoPrimaryError('another server took over meanwhile')
      }
      state.open.set(this, at)
      this.once('end', () => state.open.delete(this))
      return this
    }
  }
}

/** No server of DATABASE_URL takes writes. */
export class NoPrimaryError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`No server of DATABASE_URL takes writes: ${reason}`, options)
  }
}

/** All are asked at once, and the first in their order that takes writes is it; whoever asks meanwhile shares the answer. */
const findPrimary = (state: State): Promise<DatabaseHost> =>
  (state.looking ??= askAll(state).finally(() => (state.looking = undefined)))

async function askAll(state: State): Promise<DatabaseHost> {
  const answers = await Promise.all(state.hosts.map((host) => ask(state, host)))
  const found = state.hosts[answers.findIndex((answer) => answer === 'primary')]
  if (!found) {
    const errors = answers.filter((answer) => answer instanceof Error)
    const refused = errors.find((error) => error instanceof pg.DatabaseError)
    if (refused) throw refused
    const reasons = state.hosts.map((host, i) => `${nameOf(host)}: ${reasonOf(answers[i])}`)
    throw new NoPrimaryError(reasons.join('; '), { cause: errors[0] })
  }
  const before = state.primary
  state.primary = found
  state.isSuspect = false
  if (before && before !== found) {
    state.failovers += 1
    state.log.warn(
      { from: nameOf(before), to: nameOf(found) },
      'database failover, writes moved to another server',
    )
  }
  // A machine that is gone closes nothing, and statements to it would wait for their time limit.
  for (const [client, host] of state.open)
    if (host !== found) {
      state.open.delete(client)
      client.connection.stream.destroy()
    }
  return found
}

async function ask({ config }: State, { host, port }: DatabaseHost): Promise<'primary' | 'standby' | Error> {
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  })
  client.on('error', () => {})
  client.host = host
  client.port = port
  try {
    await client.connect()
    return (await isStandby(client)) ? 'standby' : 'primary'
  } catch (error) {
    return error as Error
  } finally {
    client.end().catch(() => {})
  }
}

async function isStandby(client: pg.Client): Promise<boolean> {
  const asked = { text: 'select pg_is_in_recovery() as standby', query_timeout: PROBE_TIMEOUT_MS }
  const { rows } = await client.query<{ standby: boolean }>(asked)
  return rows[0]?.standby ?? true
}

const nameOf = ({ host, port }: DatabaseHost): string => `${host}:${port}`
const reasonOf = (answer: 'primary' | 'standby' | Error | undefined): string =>
  answer instanceof Error ? ((answer as NodeJS.ErrnoException).code ?? answer.message) : 'a standby'
