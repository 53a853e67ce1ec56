import pg from 'pg'
import type { Logger } from 'pino'

/** Maximum time for a host to report its role, in ms: well below the time that a statement waits for a connection. */
const PROBE_TIMEOUT_MS = 2_000
const DEFAULT_PORT = 5432
/** Values of target_session_attrs that select a writable server. */
const TAKES_WRITES = new Set(['read-write', 'primary'])

/** libpq URL; pg does not support several hosts. */
const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

/** URL with a user and without a password. */
const WITHOUT_PASSWORD = /^(postgres(?:ql)?:\/\/[^/?#:@]+)@/

/** Connection string with a separately configured password; unchanged without a user, or if it has a password. */
export const urlWithPassword = (url: string | undefined, password: string | undefined): string | undefined =>
  password === undefined
    ? url
    : url?.replace(WITHOUT_PASSWORD, (_, start: string) => `${start}:${encodeURIComponent(password)}@`)

/** Candidate for the primary server. */
export interface DatabaseHost {
  host: string
  port: number
}

/** Connection string in the form that pg supports. */
export interface DatabaseTarget {
  /** For pg: with the first host only. */
  connectionString: string
  /** Listed servers, if there are several or a writable one is required; empty if pg connects directly. */
  hosts: readonly DatabaseHost[]
}

/**
 * Parses a connection string like libpq: `postgres://user@a:5432,b:5432/name?target_session_attrs=read-write`. Several hosts are always
 * searched for the writable one.
 *
 * errors    if target_session_attrs allows a read-only server, or a host is invalid; the message contains no values
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

/** Finds the writable server for a gateway's connections. */
export interface DatabaseHosts {
  /** Unconnected client for that server. */
  client: new (config?: string | pg.ClientConfig) => pg.Client
  /** Marks the known primary as suspect after a connection error: it is determined again before the next connection. */
  invalidate(): void
  /** Determines the primary now; closes connections to a former one. Never throws. */
  findPrimary(): Promise<void>
  /** Number of times that another server became the primary. */
  failoverCount(): number
  /** Whether there are several servers. */
  hasSeveral: boolean
}

interface State {
  hosts: readonly DatabaseHost[]
  config: pg.ClientConfig
  log: Pick<Logger, 'warn' | 'info'>
  /** Last known primary. */
  primary: DatabaseHost | undefined
  /** Whether the primary must be verified before use. */
  isSuspect: boolean
  search: Promise<DatabaseHost> | undefined
  failoverCount: number
  /** Open connections and their servers. */
  openClients: Map<pg.Client, DatabaseHost>
}

/**
 * Follows the primary among several servers. pg supports a single host, so its client gets the present one on connect.
 *
 * config    connection options without the host
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
    search: undefined,
    failoverCount: 0,
    openClients: new Map(),
  }
  return {
    client: hosts.length === 0 ? pg.Client : followingClient(state),
    invalidate: () => void (state.isSuspect = true),
    findPrimary: async () => {
      if (hosts.length === 0) return
      await findPrimary(state).catch(() => {})
    },
    failoverCount: () => state.failoverCount,
    hasSeveral: hosts.length > 1,
  }
}

/** pg client that connects only to the primary. */
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
      // The creator adds an error listener only after the connection is established.
      this.on('error', () => {})
      const host = known ?? (await findPrimary(state))
      this.host = host.host
      this.port = host.port
      try {
        await super.connect()
        // It may have become a standby since.
        if (await isStandby(this)) throw new NoPrimaryError(`${nameOf(host)} is a standby`)
      } catch (error) {
        state.isSuspect = true
        this.end().catch(() => {})
        throw error
      }
      if (state.primary !== host) {
        this.connection.stream.destroy()
        throw new NoPrimaryError('another server took over meanwhile')
      }
      state.openClients.set(this, host)
      this.once('end', () => state.openClients.delete(this))
      return this
    }
  }
}

/** No server in DATABASE_URL is writable. */
export class NoPrimaryError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`No server of DATABASE_URL takes writes: ${reason}`, options)
  }
}

/** Queries all servers concurrently and selects the first writable one in their order; concurrent callers share the result. */
const findPrimary = (state: State): Promise<DatabaseHost> =>
  (state.search ??= probeAll(state).finally(() => (state.search = undefined)))

async function probeAll(state: State): Promise<DatabaseHost> {
  const answers = await Promise.all(state.hosts.map((host) => probe(state, host)))
  const found = state.hosts[answers.findIndex((answer) => answer === 'primary')]
  if (!found) {
    const errors = answers.filter((answer) => answer instanceof Error)
    const rejection = errors.find((error) => error instanceof pg.DatabaseError)
    if (rejection) throw rejection
    const reasons = state.hosts.map((host, i) => `${nameOf(host)}: ${reasonOf(answers[i])}`)
    throw new NoPrimaryError(reasons.join('; '), { cause: errors[0] })
  }
  const previous = state.primary
  state.primary = found
  state.isSuspect = false
  if (previous && previous !== found) {
    state.failoverCount += 1
    state.log.warn(
      { from: nameOf(previous), to: nameOf(found) },
      'database failover, writes moved to another server',
    )
  }
  // A dead machine closes no connections, and statements on them would wait for their timeout.
  for (const [client, host] of state.openClients)
    if (host !== found) {
      state.openClients.delete(client)
      client.connection.stream.destroy()
    }
  return found
}

async function probe(
  { config }: State,
  { host, port }: DatabaseHost,
): Promise<'primary' | 'standby' | Error> {
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
  const query = { text: 'select pg_is_in_recovery() as standby', query_timeout: PROBE_TIMEOUT_MS }
  const { rows } = await client.query<{ standby: boolean }>(query)
  return rows[0]?.standby ?? true
}

const nameOf = ({ host, port }: DatabaseHost): string => `${host}:${port}`
const reasonOf = (answer: 'primary' | 'standby' | Error | undefined): string =>
  answer instanceof Error ? ((answer as NodeJS.ErrnoException).code ?? answer.message) : 'a standby'
