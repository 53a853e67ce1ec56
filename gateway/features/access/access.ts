import type { Broker, ReceivedMessage } from '../../kernel/broker.ts'
import type { Events } from '../../kernel/events.ts'
import type { Clock, Log, Mail } from '../../kernel/ports.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { createPassMail, createPasses } from './passes.ts'
import { createScans } from './scans.ts'
import { accessPresence } from '../../../contract/access-control/channels.ts'
import { parseBytes } from '../../lib/parse-bytes.ts'
import { idArray, numberArray } from '../../store/sql.ts'

export interface AccessOptions {
  db: Db
  broker: Pick<Broker, 'publish'>
  events: Events
  clock: Clock
  log: Log
  mail: Mail
  /** Key that signs the passes. */
  key: Uint8Array
}

export type Access = ReturnType<typeof createAccess>

export function createAccess({ key, mail, ...options }: AccessOptions) {
  const passes = createPasses(key)
  const presence = createScannerPresence(options)
  const scans = createScans({ ...options, passes })
  const passMail = createPassMail({ ...options, mail, passes })
  return {
    passes,
    mailPass: passMail.send,
    presence: presence.write,
    markAllOffline: presence.markAllOffline,
    /** Processes a message of a scanner. Errors: UNAVAILABLE, the message is buffered. */
    receive: (message: ReceivedMessage): Promise<void> =>
      message.match.name === 'accessScan' ? scans.receive(message) : presence.receive(message),
    close: (): void => passMail.close(),
  }
}

/** Connection state of scanners, from their connections, their own reports and their last will. */
function createScannerPresence({ db, events, clock }: { db: Db; events: Events; clock: Clock }) {
  async function write(
    tx: Db,
    changes: readonly { thingName: string; at: number }[],
    online: boolean,
  ): Promise<() => void> {
    const changed = await tx.query<{ tenant: string; ThingName: string }>(sql`
      update scanners s set online = ${online}, seen_at = w.at
      from unnest(${idArray(changes.map(({ thingName }) => thingName))}::text[],
        ${numberArray(changes.map(({ at }) => at))}::bigint[]) as w (thing_name, at)
      where s.thing_name = w.thing_name and s.online is distinct from ${online}
      returning s.tenant, s.thing_name as "ThingName"`)
    return () => {
      for (const { tenant, ThingName } of changed)
        events.emit('dataChange', { tenant, name: 'scanner.update', record: { ThingName }, by: null })
    }
  }

  return {
    /** Stores that scanners connected or disconnected; returns a function that emits the change after the commit. */
    write,

    /** Processes a scanner's report of its own state. Errors: UNAVAILABLE, the message is buffered. */
    async receive({ payload, client }: Pick<ReceivedMessage, 'payload' | 'client'>): Promise<void> {
      if (client.party !== 'scanner') return
      const presence = accessPresence.payload.safeParse(parseBytes(payload))
      if (!presence.success) return
      const afterCommit = await write(
        db,
        [{ thingName: client.thingName, at: clock.now() }],
        presence.data.Online,
      )
      afterCommit()
    },

    /** Marks scanners without a connection as offline; called at the start of a gateway that runs alone. */
    async markAllOffline(): Promise<void> {
      await db.query(sql`update scanners s set online = false where online
        and not exists (select from hub_connections c where c.scanner_name = s.thing_name)`)
    },
  }
}
