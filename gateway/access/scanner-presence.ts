import { accessPresence } from '../../contract/channels/scan.ts'
import type { Client, Received } from '../broker/port.ts'
import type { Events } from '../events.ts'
import type { Clock, Log } from '../outsides.ts'
import { type Db, sql } from '../store/db.ts'

/**
 * Whether scanners are connected: as the embedded broker tells, and as they say themselves, with their last will, on any broker.
 */
export function createScannerPresence(parts: { db: Db; events: Events; clock: Clock; log: Log }) {
  const { db, events, clock, log } = parts
  /** One after the other, so that the last word stays. */
  let last = Promise.resolve()

  async function write({ tenant, thingName }: Extract<Client, { party: 'scanner' }>, online: boolean) {
    const changed = await db.query(sql`update scanners set online = ${online}, seen_at = ${clock.now()}
      where tenant = ${tenant} and thing_name = ${thingName} and online is distinct from ${online} returning 1 as one`)
    if (changed.length)
      events.emit('dataChange', {
        tenant,
        name: 'scanner.update',
        record: { ThingName: thingName },
        by: null,
      })
  }

  return {
    /** A connection began or ended. */
    set(client: Client, online: boolean): void {
      if (client.party !== 'scanner') return
      last = last
        .then(() => write(client, online))
        .catch((err: unknown) => log.warn({ err }, 'A scanner’s connection was not noted'))
    },

    /** Takes what a scanner says of itself. Errors: UNAVAILABLE, the message is held. */
    async receive({ payload, client }: Pick<Received, 'payload' | 'client'>): Promise<void> {
      if (client.party !== 'scanner') return
      const said = accessPresence.payload.safeParse(parse(payload))
      if (said.success) await write(client, said.data.Online)
    },

    /** At the start nobody is connected to the embedded broker. */
    async markAllOffline(): Promise<void> {
      await db.query(sql`update scanners set online = false where online`)
    },

    /** What was told is written. */
    close: (): Promise<void> => last,
  }
}

function parse(payload: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(payload).toString())
  } catch {
    return undefined
  }
}
