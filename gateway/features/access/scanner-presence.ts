import { accessPresence } from '../../../contract/channels/scan.ts'
import type { Client, Received } from '../../broker/port.ts'
import type { Events } from '../../events.ts'
import type { Clock, Log } from '../../ports.ts'
import { type Db, sql } from '../../store/db.ts'

/** What could not be written is tried again after this, in ms. */
const RETRY_AFTER = 2_000

type Scanner = Extract<Client, { party: 'scanner' }>

/**
 * Whether scanners are connected: as the embedded broker tells, and as they say themselves, with their last will, on any broker.
 */
export function createScannerPresence(options: { db: Db; events: Events; clock: Clock; log: Log }) {
  const { db, events, clock, log } = options
  /** One after the other, so that the last word stays. */
  let last = Promise.resolve()
  /** Whether a scanner is connected, as the broker last told; what is not yet written is tried again. */
  const wanted = new Map<string, boolean>()
  let closed = false

  function writeWanted(client: Scanner): void {
    last = last.then(async () => {
      const online = wanted.get(client.thingName)
      if (online === undefined || closed) return
      try {
        await write(client, online)
        if (wanted.get(client.thingName) === online) wanted.delete(client.thingName)
      } catch (err) {
        log.warn({ err }, 'A scanner’s connection could not be written; trying again')
        clock.after(RETRY_AFTER, () => writeWanted(client))
      }
    })
  }

  async function write({ tenant, thingName }: Scanner, online: boolean) {
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
    /** A connection began or ended. Never fails: it is written as soon as the database allows. */
    set(client: Client, online: boolean): void {
      if (client.party !== 'scanner') return
      wanted.set(client.thingName, online)
      writeWanted(client)
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

    /** What was told is written, as far as the database allows. */
    async close(): Promise<void> {
      await last
      closed = true
    },
  }
}

function parse(payload: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(payload).toString())
  } catch {
    return undefined
  }
}
