import type { Db } from '../../gateway/kernel/db.ts'
import { sql } from '../../gateway/kernel/db.ts'
import type { HubLedger, Report } from './hubs.ts'
import type { Click, Screen } from './screens.ts'

/** Maximum time from the click to the execution of a command, ms. */
const COMMAND_WITHIN = 10_000
/** A hub that reconnects within this time, ms, was never offline. */
const OFFLINE_AFTER = 30_000
/** An acknowledged report appears within this time, ms, on every screen that has been current for as long. */
const SEEN_WITHIN = 2_000

/** Acknowledged readings that are not stored, stored with another value, or stored twice. */
export async function lostReadings(db: Db, ledger: HubLedger): Promise<string[]> {
  const acknowledged = [...ledger.acknowledged]
  const rows = await db.query<{ uid: string; at: number; kWh: number; times: number }>(sql`
    select m.peripheral_uid as uid, r.timestamp as at, min(r.value) as "kWh", count(*)::int as times
    from (select meter_id, timestamp, accumulate_power as value from readings
      union all select meter_id, timestamp, value from quarantined_readings) r
      join meters m using (meter_id)
    group by 1, 2`)
  const stored = new Map(rows.map((row) => [`${row.uid} ${row.at}`, row]))
  return acknowledged.flatMap(({ uid, at, kWh }) => {
    const row = stored.get(`${uid} ${at}`)
    if (!row) return `the reading of ${uid} at ${at} was acknowledged and is not stored`
    if (row.times !== 1) return `the reading of ${uid} at ${at} is stored ${row.times} times`
    return row.kWh === kWh ? [] : `the reading of ${uid} at ${at} is stored as ${row.kWh}, not ${kWh}`
  })
}

interface StoredCommand {
  requestId: string
  thingName: string
  state: string
  reason: string | null
  settledAt: number | null
}

/** Commands that did not end, ended with a wrong result, or were executed twice or late. */
export async function brokenCommands(
  db: Db,
  clicks: readonly Click[],
  { heard, connected, reports }: HubLedger,
): Promise<string[]> {
  // Commands accepted or executed while the rows are read may be missing.
  const taken = new Set(clicks.filter((click) => click.taken))
  const before = new Set(heard.map(({ requestId }) => requestId))
  const rows = await db.query<StoredCommand>(sql`
    select request_id as "requestId", thing_name as "thingName", state, reason, settled_at as "settledAt" from commands`)
  const stored = new Map(rows.map((row) => [row.requestId, row]))
  const done = new Map<string, number[]>()
  for (const { requestId, at, done: isDone } of heard)
    if (isDone) done.set(requestId, [...(done.get(requestId) ?? []), at])

  return clicks.flatMap((click) => {
    const { requestId, at } = click
    const times = done.get(requestId) ?? []
    const late = times.filter((time) => time - at > COMMAND_WITHIN)
    const row = stored.get(requestId)
    const what = `command ${requestId} of ${at}`
    return [
      ...(times.length > 1 ? [`${what} was carried out ${times.length} times`] : []),
      ...late.map((time) => `${what} was carried out ${time - at} ms after the click`),
      ...(taken.has(click) && !row ? [`${what} was taken and is not stored`] : []),
      ...(before.has(requestId) && !row ? [`${what} was carried out and is not stored`] : []),
      ...(row
        ? untrue(what, click, row, {
            times,
            connections: connected.get(row.thingName) ?? [],
            shown: reports.get(click.uid) ?? [],
          })
        : []),
    ]
  })
}

/** Failures that state that nothing was executed. */
const NOT_DONE = new Set(['hubOffline', 'unreachable', 'tooLate'])

/** Execution of a command at its hub: its time, and the lamp's state. */
interface Seen {
  times: readonly number[]
  connections: readonly { since: number; until: number | undefined }[]
  shown: readonly Report[]
}

function untrue(
  what: string,
  { at, on }: Click,
  { state, reason, settledAt }: StoredCommand,
  { times, connections, shown }: Seen,
): string[] {
  if (settledAt === null) return [`${what} has not ended, and stands at ${state}`]
  // A lamp that is already on and reports so confirms a command to switch on; so does a report that was stored late.
  const isShown = shown.some(
    ({ acknowledgedAt = Infinity, ...report }) => acknowledgedAt >= at && report.on === on,
  )
  if (state === 'confirmed') return isShown ? [] : [`${what} is confirmed and its lamp has not shown it`]
  if (reason === null) return [`${what} ended as ${state} without a reason`]
  if (NOT_DONE.has(reason) && times.length > 0) return [`${what} is ${reason} and was carried out`]
  // A hub detects changes of its connection slightly later, or earlier, than its gateway.
  const wasThere = connections.some(
    ({ since, until = Infinity }) => since < at - 2_000 && until > settledAt + 2_000,
  )
  return reason === 'hubOffline' && wasThere ? [`${what} is hubOffline, and its hub was connected`] : []
}

/** Hubs that were shown offline although they reconnected within half a minute. */
export async function flaps(db: Db, { connected }: HubLedger): Promise<string[]> {
  const rows = await db.query<{ thingName: string; since: number; until: number | null }>(sql`
    select thing_name as "thingName", since, until from hub_absences`)
  return rows.flatMap(({ thingName, since, until }) => {
    const connections = connected.get(thingName) ?? []
    // Offline is correct for a sufficiently long gap between two connections, however briefly it is shown.
    const wasAway = connections.some(({ until: end }, i) => {
      const next = connections[i + 1]?.since ?? Infinity
      return end !== undefined && next - end >= OFFLINE_AFTER && since >= end - 2_000 && since <= next
    })
    return wasAway ? [] : [`${thingName} was offline from ${since} to ${until ?? 'now'}`]
  })
}

/** Report that a screen did not show at a time, epoch ms. */
export interface Unseen {
  screen: Screen
  at: number
  what: string
}

/** Reports that a screen should show at a time and does not: none while it is not current, or has only just become so. */
export function unseen(screen: Screen, { reports }: HubLedger, at: number): Unseen[] {
  const { seen, currentSince } = screen
  const since = currentSince()
  if (since === undefined || at - since < SEEN_WITHIN) return []
  return [...reports].flatMap(([uid, all]) => {
    const last = all.findLast(
      ({ acknowledgedAt }) => acknowledgedAt !== undefined && acknowledgedAt <= at - SEEN_WITHIN,
    )
    const shown = seen.get(uid) ?? 0
    if (!last || shown >= last.at) return []
    return { screen, at, what: `${uid} of ${last.at} is not shown at ${at}, but that of ${shown}` }
  })
}

/** Reports that no gap event covers, neither then nor after its detection. */
export const untoldOf = (all: readonly Unseen[]): string[] =>
  all
    .filter(
      ({ screen, at }) =>
        !screen.gaps.some(({ since, over = Infinity }) => since <= at && at <= over + SEEN_WITHIN),
    )
    .map(({ what }) => what)
