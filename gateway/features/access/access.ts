import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Broker, ReceivedMessage, ScannerClient } from '../../kernel/broker.ts'
import type { Events } from '../../kernel/events.ts'
import type { Clock, Log, Mail } from '../../kernel/ports.ts'
import { type Db, sql } from '../../kernel/db.ts'
import {
  accessPresence,
  accessDecision,
  accessScan,
  MAX_SCAN_AGE_MS,
  SCAN_DEDUPLICATION_MS,
} from '../../../contract/access-control/channels.ts'
import { parseBytes } from '../../lib/parse-bytes.ts'
import { idArray, numberArray } from '../../store/sql.ts'
import type { Denial } from '../../../contract/access-control/access-pass.ts'
import { createPasses, createPassMailSender, type Passes, sendPass } from './passes.ts'
import { createDeliveryWorker } from '../../deliveries/worker.ts'
import type { Job } from '../../kernel/feature.ts'
import {
  type PassageDecision,
  decidePassage,
  type ScannerAccess,
  findPerson,
  type PassHolder,
} from './decide-passage.ts'

interface ScanOptions {
  db: Db
  broker: Pick<Broker, 'publish'>
  events: Events
  clock: Clock
  log: Log
  passes: Pick<Passes, 'read'>
}

type ScanResponse = z.input<typeof accessDecision.payload>
interface StoredScan {
  allow: boolean
  reason: Denial | null
  movement: 'in' | 'out' | null
}

/** Decides scans of cards and codes. The event and its effects are stored before the scanner gets its answer. */
function createScans({ db, broker, events, clock, log, passes }: ScanOptions) {
  interface Outcome {
    response: ScanResponse
    /** Undefined if the scan is a repetition. */
    person?: PassHolder | undefined
    isNew: boolean
  }

  async function decide(client: ScannerClient, scan: z.output<typeof accessScan.payload>) {
    const { tenant, thingName, homeId } = client
    const now = clock.now()
    const scannedAt = Math.round(scan.Timestamp > 9_999_999_999 ? scan.Timestamp : scan.Timestamp * 1000)
    const hash = createHash('sha256').update(`${scan.Type}\n${scan.Credential}`).digest()
    return db.transaction(async (tx): Promise<Outcome | undefined> => {
      // The lock serialises scans of one door.
      const [scanner] = await tx.query<ScannerAccess>(sql`
        select direction as "Direction", all_employees as "AllEmployees", allow_visitors as "AllowVisitors"
        from scanners where tenant = ${tenant} and thing_name = ${thingName} and home_id = ${homeId} for update`)
      if (!scanner) return undefined
      const [previous] = await tx.query<StoredScan>(sql`select allow, reason, movement from scan_events
        where tenant = ${tenant} and thing_name = ${thingName} and credential_hash = ${hash}
          and (scanned_at = ${scannedAt}::bigint or timestamp > ${now - SCAN_DEDUPLICATION_MS}::bigint)
        order by scan_event_id desc limit 1`)
      if (previous) return { response: responseOf(scan.Timestamp, previous), isNew: false }
      const credential = { type: scan.Type, credential: scan.Credential }
      const person = await findPerson(tx, passes, { tenant, thingName, ...credential })
      const decision: PassageDecision =
        now - scannedAt > MAX_SCAN_AGE_MS
          ? { allow: false, movement: null, reason: 'late' }
          : decidePassage(person?.holder, scanner, person ? await isInside(tx, tenant, person) : false, now)
      const stored: StoredScan = {
        allow: decision.allow,
        reason: decision.allow ? null : decision.reason,
        movement: decision.movement,
      }
      await tx.query(sql`insert into scan_events (tenant, timestamp, thing_name, home_id, type, person_kind, person_id,
          allow, reason, movement, scanned_at, credential_hash)
        values (${tenant}, ${now}, ${thingName}, ${homeId}, ${scan.Type}, ${person?.kind ?? null}, ${person?.id ?? null},
          ${stored.allow}, ${stored.reason}, ${stored.movement}, ${scannedAt}, ${hash})`)
      if (person && decision.allow)
        await recordMovement(tx, { tenant, homeId, thingName, now, person, direction: decision.movement })
      const name = person && decision.allow ? { Name: person.name } : {}
      return { response: { ...responseOf(scan.Timestamp, stored), ...name }, person, isNew: true }
    })
  }

  return {
    /**
     * Processes a scan and answers it.
     *
     * errors  UNAVAILABLE while the database or the broker is unavailable: the scan is buffered, and answered late if at all
     */
    async receive({ payload, client }: Pick<ReceivedMessage, 'payload' | 'client'>): Promise<void> {
      if (client.party !== 'scanner') return
      const scan = accessScan.payload.safeParse(parseBytes(payload))
      if (!scan.success) return log.warn({ thingName: client.thingName }, 'scanner sent an invalid message')
      const outcome = await decide(client, scan.data)
      if (!outcome) return
      const { tenant, homeId, thingName } = client
      if (outcome.isNew) emitScan(tenant, thingName, outcome)
      const topic = accessDecision.topic({ rootId: tenant, homeId, thingName })
      await broker.publish(topic, outcome.response, { qos: 1 })
    },
  }

  function emitScan(tenant: string, ThingName: string, { person, response }: Outcome) {
    events.emit('dataChange', { tenant, name: 'scanEvent.add', record: { ThingName }, by: null })
    if (person?.kind === 'visitor' && response.Allow)
      events.emit('dataChange', {
        tenant,
        name: 'visitor.update',
        record: { VisitorID: person.id },
        by: null,
      })
  }
}

const responseOf = (Timestamp: number, { allow, reason, movement }: StoredScan): ScanResponse => ({
  Timestamp,
  Allow: allow,
  ...(reason !== null && { Reason: reason }),
  ...(allow && movement !== null && { Movement: movement }),
})

async function isInside(tx: Db, tenant: string, { kind, id }: PassHolder): Promise<boolean> {
  const found = await tx.query(sql`select 1 from people_inside
    where tenant = ${tenant} and person_kind = ${kind} and person_id = ${id}`)
  return found.length > 0
}

interface Movement {
  tenant: string
  homeId: string
  thingName: string
  /** Epoch ms. */
  now: number
  person: PassHolder
  direction: 'in' | 'out'
}

/**
 * Stores the effects of a passage: who is inside, and a visitor's check-in and check-out.
 *
 * special  a visitor who leaves before the last day of the visit may return: the pass remains valid
 */
async function recordMovement(
  tx: Db,
  { tenant, homeId, thingName, now, person, direction }: Movement,
): Promise<void> {
  const { kind, id } = person
  if (direction === 'in') {
    await tx.query(sql`insert into people_inside (tenant, person_kind, person_id, since, thing_name, home_id)
      values (${tenant}, ${kind}, ${id}, ${now}, ${thingName}, ${homeId})
      on conflict (tenant, person_kind, person_id) do nothing`)
    if (kind === 'visitor')
      await tx.query(sql`update visitors set checked_in_at = coalesce(checked_in_at, ${now}::bigint), away_at = null
        where tenant = ${tenant} and visitor_id = ${id}`)
    return
  }
  await tx.query(sql`delete from people_inside
    where tenant = ${tenant} and person_kind = ${kind} and person_id = ${id}`)
  if (person.holder.kind !== 'visitor' || person.holder.visit.CheckedInAt === null) return
  const [home] = await tx.query<{ zone: string }>(
    sql`select time_zone as zone from homes where tenant = ${tenant} and home_id = ${homeId}`,
  )
  const hasEnded = isLastDay(now, person.holder.visit.ValidUntil, home?.zone)
  await tx.query(sql`update visitors set ${hasEnded ? sql`checked_out_at` : sql`away_at`} = ${now}
    where tenant = ${tenant} and visitor_id = ${id}`)
}

/** Whether the visit ends on the site's present day, or is over. */
function isLastDay(now: number, until: number, timeZone = 'Asia/Taipei'): boolean {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone })
  return now >= until || day.format(now) === day.format(until)
}

/** Interval at which passes whose sending failed are attempted again. */
const PASS_MAIL_INTERVAL_MS = 30_000

interface AccessOptions {
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
  const passMailDeps = { ...options, mail, passes }
  const passMails = createDeliveryWorker(options, createPassMailSender(passMailDeps))
  const passMailJob: Job = {
    name: 'mails of passes',
    intervalMs: PASS_MAIL_INTERVAL_MS,
    run: passMails.sendDue,
  }
  // The first attempt does not wait for the job.
  const unsubscribe = options.events.on('visitorPassDue', () => void passMails.sendDue())
  return {
    passes,
    mailPass: (tenant: string, VisitorID: string) => sendPass(passMailDeps, tenant, VisitorID),
    passMailJob,
    presence: presence.write,
    markAllOffline: presence.markAllOffline,
    /** Processes a message of a scanner. Errors: UNAVAILABLE, the message is buffered. */
    receive: (message: ReceivedMessage): Promise<void> =>
      message.match.name === 'accessScan' ? scans.receive(message) : presence.receive(message),
    async close(): Promise<void> {
      unsubscribe()
      await passMails.close()
    },
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
