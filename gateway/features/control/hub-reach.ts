import { controlCommand } from '../../../contract/devices/channels/control.ts'
import type { Db } from '../../kernel/db.ts'
import type { HubReach } from './ports.ts'
import type { ControlState } from './state.ts'

/** Time for a hub to reconnect after its gateway ended, ms: by the protocol, hubs retry after 1 to 60 s. */
const RECONNECT_WITHIN_MS = 90_000

interface HubRow {
  thingName: string
  tenant: string
  homeId: string
  online: boolean
  /** Newest connection: its gateway and its start (epoch ms). */
  gateway: string | null
  since: number | null
  /** Start of the current absence, epoch ms; null if there is none. */
  absentSince: number | null
  /** Whether the hub went offline because its gateway ended. */
  withGateway: boolean | null
  /** Uptime of the oldest live gateway, ms. */
  upForMs: number | null
}

const HUBS = `
select t.thing_name as "thingName", t.tenant, t.home_id as "homeId", t.online, c.gateway, c.since, a.since as "absentSince",
  a.with_gateway as "withGateway", up.ms as "upForMs"
from things t
  left join lateral (select gateway, since from hub_connections where thing_name = t.thing_name order by no desc limit 1) c on true
  left join lateral (select since, with_gateway from hub_absences where thing_name = t.thing_name and until is null
    order by since desc limit 1) a on true
  cross join (select (extract(epoch from max(clock_timestamp() - started_at)) * 1000)::float8 as ms from gateways
    where ended_at is null and seen_at > clock_timestamp() - interval '10 seconds') up
where t.thing_name = any($1::text[])`

/** Reachability of hubs for commands, by ThingName; omits hubs that do not exist. */
export async function readHubReach(
  db: Db,
  state: ControlState,
  thingNames: readonly string[],
): Promise<Map<string, HubReach>> {
  const rows = await db.query<HubRow>({ name: 'control-hub-reach', text: HUBS, values: [thingNames] })
  const now = state.clock.now()
  return new Map(
    rows.map((row) => {
      // A hub that has just connected here may have no row yet.
      const since = row.since ?? (state.isHere(row.thingName) ? now : null)
      return [row.thingName, { state: stateOf(state, row), since }]
    }),
  )
}

function stateOf(
  { isHere, elsewhere, me, broker, clock, startedAt }: ControlState,
  { thingName, tenant, homeId, online, gateway, absentSince, withGateway, upForMs }: HubRow,
): HubReach['state'] {
  if (isHere(thingName)) {
    // A hub that has just connected has not subscribed yet; messages published before that are lost.
    const topic = controlCommand.topic({ rootId: tenant, homeId, thingName })
    return broker.heard?.(topic) === false ? 'reconnecting' : 'connected'
  }
  if (gateway !== null) {
    // Disconnected while its gateway runs: the hub has half a minute to reconnect before it is offline.
    if (gateway === (elsewhere?.me() ?? me?.())) return 'offline'
    return elsewhere?.wasJustSeen(gateway) ? 'connected' : 'reconnecting'
  }
  if (online) return 'reconnecting'
  if (!withGateway || absentSince === null) return 'offline'
  const now = clock.now()
  const upSince = elsewhere ? now - (upForMs ?? 0) : startedAt
  return now - Math.max(absentSince, upSince) < RECONNECT_WITHIN_MS ? 'reconnecting' : 'offline'
}
