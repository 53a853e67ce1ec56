import { ONLINE } from '../../../../contract/devices/kinds/history-fields.ts'
import type { Track } from '../logic/replay.ts'
import { type Db, sql } from '../../../store/db.ts'

/** Whether a device could be heard, from a moment on. */
export interface OnlineChange {
  at: number
  online: boolean
}

/** When a device could not be heard, of its presence in order. */
export const offlineSpans = (presence: readonly OnlineChange[], to: number): Track['unknown'] =>
  presence.flatMap(({ at, online }, i) => (online ? [] : [{ from: at, to: presence[i + 1]?.at ?? to }]))

/** When some devices could not be heard, by UID; one of which nothing was noted has always been as it is now. */
export async function readOfflineSpans(
  db: Db,
  tenant: string,
  uids: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<Map<string, Track['unknown']>> {
  const rows = await db.query<{ uid: string; began: boolean; noted: OnlineChange[] }>(sql`
    select p.peripheral_uid as uid,
      coalesce((${noted(sql`e.timestamp < ${from}::bigint order by e.timestamp desc, e.seq desc`, sql`value`)}) = 1,
        (${noted(sql`e.timestamp >= ${from}::bigint order by e.timestamp, e.seq`, sql`1 - value`)}) = 1,
        t.online, true) as began,
      coalesce((select jsonb_agg(jsonb_build_object('at', e.timestamp, 'online', e.value = 1) order by e.timestamp, e.seq)
        from device_events e where e.tenant = p.tenant and e.peripheral_uid = p.peripheral_uid and e.field = ${ONLINE}
          and e.timestamp >= ${from}::bigint and e.timestamp < ${to}::bigint), '[]') as noted
    from peripherals p left join things t on t.thing_name = p.thing_name
    where p.tenant = ${tenant} and p.peripheral_uid = any(${[...uids]}::text[])`)
  return new Map(
    rows.map(({ uid, began, noted: list }) => [
      uid,
      offlineSpans([{ at: from, online: began }, ...list], to),
    ]),
  )
}

/** A value of the presence of device p, the first by a condition and an order. */
const noted = (
  which: ReturnType<typeof sql>,
  value: ReturnType<typeof sql>,
) => sql`select ${value} from device_events e
  where e.tenant = p.tenant and e.peripheral_uid = p.peripheral_uid and e.field = ${ONLINE} and ${which} limit 1`
