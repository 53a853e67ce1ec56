import type pg from 'pg'
import sql, { Sql, empty, join, raw } from 'sql-template-tag'

export { Sql, empty, join, raw, sql }

/** Statement that the server prepares once per connection, for hot paths. */
export interface NamedQuery {
  name: string
  text: string
  values: unknown[]
}

/** Statement prepared under a name; its text must always be the same. */
export const named = (name: string, { text, values }: Sql): NamedQuery => ({ name, text, values })

/** Receives the notifications of a database channel. */
export interface Listener {
  /** Called with the payload of a committed transaction's notification. */
  onPayload(payload: string): void
  /** Called when listening has begun or resumed: earlier notifications may have been missed. */
  onMissed(): void
}

/** Database, or one open transaction in it. */
export interface Db {
  /**
   * Runs one statement and returns its rows.
   *
   * errors    UNAVAILABLE if the database is unreachable, full or too slow; else pg.DatabaseError, so that a caller may check
   *           `isUniqueViolation`
   */
  query<R extends object>(query: Sql | NamedQuery): Promise<R[]>
  /**
   * Runs `task` in one transaction: committed if it resolves, rolled back if it rejects. Within a transaction it opens a savepoint;
   * savepoints of one transaction must be sequential.
   */
  transaction<T>(task: (tx: Db) => Promise<T>): Promise<T>
  /**
   * On a transaction: registers work to do after its commit; dropped if the transaction or its savepoint is rolled back. It must not
   * throw. On the database itself it runs immediately.
   */
  afterCommit(task: () => void): void
  /** Unconnected client outside the pool, for the writable server. */
  client(): pg.Client
  /** For COPY and metrics; everything else uses `query`. */
  readonly pool: pg.Pool
  /** Listens on a channel (NOTIFY) until the database is closed; never throws: it reconnects. */
  listen(channel: string, listener: Listener): void
  /** Resolves if the database answers; UNAVAILABLE if it does not within seconds. */
  ping(): Promise<void>
  /** Number of times that another server of DATABASE_URL became the primary. */
  failoverCount(): number
  /** Whether writes fail although the database answers: its disk is full, or it is read-only. */
  areWritesFailing(): boolean
  /** Waits for running statements and closes every connection; may be called twice. */
  close(): Promise<void>
}
