import pg from 'pg'
import type { Logger } from 'pino'

/** What somebody does with what is said on a channel. */
export interface Listener {
  /** Something was said, by a transaction that is committed. */
  heard(payload: string): void
  /** What was said until now may have been missed: listening has begun, for the first time or again. */
  missed(): void
}

/** Before a connection that was lost, or could not be made, is made again, in ms. */
const AGAIN = 1_000

/**
 * Listens to a channel of the database (NOTIFY), on a connection of its own, for as long as it is wanted.
 *
 * returns   how to stop
 */
export function listen(
  config: pg.ClientConfig,
  channel: string,
  { heard, missed }: Listener,
  log: Pick<Logger, 'warn'>,
): () => Promise<void> {
  let client: pg.Client | undefined
  let listening = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  function again(lost: pg.Client) {
    if (lost !== client) return
    client = undefined
    listening = false
    if (!closed) timer = setTimeout(() => void open(), AGAIN).unref()
  }

  async function open() {
    const mine = new pg.Client(config)
    client = mine
    // An error is followed by the end.
    mine.on('error', () => {})
    mine.once('end', () => again(mine))
    mine.on('notification', ({ payload = '' }) => heard(payload))
    try {
      await mine.connect()
      await mine.query(`listen ${pg.escapeIdentifier(channel)}`)
      if (closed) return void mine.end().catch(() => {})
      listening = true
      missed()
    } catch (err) {
      if (!closed)
        log.warn({ err, channel }, 'Changes that others make to the database are not heard for now')
      mine.end().catch(() => {})
      again(mine)
    }
  }

  void open()
  return async () => {
    closed = true
    clearTimeout(timer)
    if (listening) await client?.end().catch(() => {})
  }
}
