import { accessPresence } from '../../../contract/access-control/channels.ts'
import type { ReceivedMessage } from '../../broker/port.ts'
import type { Events } from '../../kernel/events.ts'
import { parseBytes } from '../../lib/parse-bytes.ts'
import type { Clock } from '../../kernel/ports.ts'
import { idArray, numberArray } from '../../store/array-literal.ts'
import { type Db, sql } from '../../store/db.ts'

/** Whether scanners are connected: as their connections tell, and as they say themselves, with their last will. */
export function createScannerPresence({ db, events, clock }: { db: Db; events: Events; clock: Clock }) {
  async function write(
    tx: Db,
    went: readonly { thingName: string; at: number }[],
    online: boolean,
  ): Promise<() => void> {
    const changed = await tx.query<{ tenant: string; ThingName: string }>(sql`
      update scanners s set online = ${online}, seen_at = w.at
      from unnest(${idArray(went.map(({ thingName }) => thingName))}::text[],
        ${numberArray(went.map(({ at }) => at))}::bigint[]) as w (thing_name, at)
      where s.thing_name = w.thing_name and s.online is distinct from ${online}
      returning s.tenant, s.thing_name as "ThingName"`)
    return () => {
      for (const { tenant, ThingName } of changed)
        events.emit('dataChange', { tenant, name: 'scanner.update', record: { ThingName }, by: null })
    }
  }

  return {
    /** Writes that scanners came or went; what it answers tells of it, once the transaction is committed. */
    write,

    /** Takes what a scanner says of itself. Errors: UNAVAILABLE, the message is held. */
    async receive({ payload, client }: Pick<ReceivedMessage, 'payload' | 'client'>): Promise<void> {
      if (client.party !== 'scanner') return
      const said = accessPresence.payload.safeParse(parseBytes(payload))
      if (!said.success) return
      const then = await write(db, [{ thingName: client.thingName, at: clock.now() }], said.data.Online)
      then()
    },

    /** At the start of a gateway that is alone nobody is connected. */
    async markAllOffline(): Promise<void> {
      await db.query(sql`update scanners s set online = false where online
        and not exists (select from hub_connections c where c.scanner_name = s.thing_name)`)
    },
  }
}
