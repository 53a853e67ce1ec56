import pg from 'pg'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { DeviceStatus } from '../../../../contract/device-kinds/status.ts'
import type { HubClient, Received } from '../../../broker/port.ts'
import { GatewayError } from '../../../errors.ts'
import type { Events, GatewayEvents } from '../../../events.ts'
import type { Clock, Log } from '../../../ports.ts'
import type { Db } from '../../../store/db.ts'
import { type Batched, createBatcher } from './batcher.ts'
import { createDirectory } from './directory.ts'
import { fold } from './fold.ts'
import { assignMeterIds } from './meter-ids.ts'
import { createNoEarlier } from './no-earlier.ts'
import { type Part, parseMessage } from './parse.ts'
import { createPartitions } from '../../../store/partitions.ts'
import type { Quarantine, QuarantinedReading } from '../ports.ts'
import { createRefusals, type Refusal } from './refusals.ts'
import type { Device, Report } from './report.ts'
import { createRoundStore } from './new-rounds.ts'
import { type ChangedHome, storeRound } from './store-reports.ts'
import { createSamples } from './store-samples.ts'

/** Somebody watches a status; a reading can wait for company. */
const STATUS_PATIENCE = 4
const READING_PATIENCE = 20
/** Between two tries while the database is away. */
const RETRY = { first: 50, longest: 2_000 }

interface Message extends Batched {
  reports: Report[]
}

export interface IngestOptions {
  db: Db
  events: Events
  clock: Clock
  log: Log
  metrics: Registry
  quarantine: Quarantine
}

export type Ingest = ReturnType<typeof createIngest>

/**
 * Takes what hubs report: parses it, stores it in order and tells of the statuses that changed.
 *
 * `status/report` and `meter/report` only; other topics are not its business.
 */
export function createIngest({ db, events, clock, log, metrics, quarantine }: IngestOptions) {
  const refuse = createRefusals({ clock, log, metrics })
  const directory = createDirectory({ db, events, clock })
  const partitions = createPartitions(db, log, { table: 'readings', unit: 1 })
  const samples = createSamples(db, log)
  const storeAlone = createRoundStore(db)
  const timeIs = createNoEarlier(clock)
  const stored = new Counter({
    name: 'ingest_stored_total',
    help: 'Readings, statuses and samples stored',
    labelNames: ['kind'],
    registers: [metrics],
  })
  const repeatedReadings = new Counter({
    name: 'ingest_repeated_readings_total',
    help: 'Readings that came again and counted once',
    registers: [metrics],
  })
  const seconds = new Histogram({
    name: 'ingest_batch_seconds',
    help: 'Time to store one batch',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2, 10],
    registers: [metrics],
  })
  const batcher = createBatcher<Message>(write)
  const waiting: Gauge = new Gauge({
    name: 'ingest_waiting',
    help: 'Reports waiting to be stored',
    registers: [],
    collect: () => waiting.set(batcher.waiting()),
  })
  metrics.registerMetric(waiting)
  /** Ends the waiting for an absent database. */
  const closing = new AbortController()

  /** Answers each message's error, undefined for those that are stored. */
  async function write(messages: Message[]): Promise<unknown[]> {
    for (let wait = RETRY.first; ; wait = Math.min(wait * 2, RETRY.longest)) {
      try {
        await store(messages.flatMap(({ reports }) => reports))
        return messages.map(() => undefined)
      } catch (error) {
        if (error instanceof GatewayError && error.code === 'UNAVAILABLE') {
          if (closing.signal.aborted) return messages.map(() => error)
          log.warn({ err: error, waiting: batcher.waiting() }, 'Reports wait for the database')
          await pause(wait, closing.signal)
        } else if (isForeignKeyViolation(error)) {
          // A device or its home was removed after we had looked.
          await revise(messages)
        } else if (messages.length > 1) {
          const half = Math.ceil(messages.length / 2)
          return [...(await write(messages.slice(0, half))), ...(await write(messages.slice(half)))]
        } else {
          log.error({ err: error }, 'A report could not be stored')
          return [error]
        }
      }
    }
  }

  async function store(reports: Report[]): Promise<void> {
    const end = seconds.startTimer()
    const now = clock.now()
    let repeats = 0
    const contradicting: Report[] = []
    const rounds = fold(reports, (first, again) => {
      if (first.reading?.AccumulatePower === again.reading?.AccumulatePower) repeats += 1
      else contradicting.push(again)
    })
    const readings = rounds.flatMap((round) => round.readings)
    if (readings.length > 0) {
      await partitions.prepare(
        readings.map(({ timestamp }) => timestamp),
        now,
      )
      await assignMeterIds(
        db,
        readings.map(({ device }) => device),
      )
    }
    stored.inc({ kind: 'sample' }, await samples.store(reports, now))
    const [first, ...more] = rounds
    if (!first) return
    const results = more.length
      ? await db.transaction(async (tx) => {
          const all = []
          for (const round of rounds) all.push(await storeRound(tx, round, now))
          return all
        })
      : [await storeAlone(first, now)]
    let fresh = 0
    for (const result of results) {
      fresh += result.stored
      repeats -= result.conflicts.length
    }
    const conflicts = [
      ...contradicting.flatMap(quarantined),
      ...results.flatMap((result) => result.conflicts),
    ]
    tellQuarantined(await quarantine(db, conflicts, 'conflict'))
    end()
    stored.inc({ kind: 'reading' }, fresh)
    repeatedReadings.inc(repeats + readings.length - fresh)
    if (conflicts.length > 0)
      refuse('conflictingReading', { tenant: reports[0]?.device.tenant ?? '', count: conflicts.length })
    tell(
      results.flatMap(({ changed }) => changed),
      more.length > 0,
    )
  }

  function tellQuarantined(meterIds: readonly number[]): void {
    if (meterIds.length > 0) events.emit('readingsWithheld', { meterIds })
  }

  /** Tells of changed statuses, home by home; of several changes of one device only the last. */
  function tell(changed: ChangedHome[], more: boolean) {
    for (const home of changed) stored.inc({ kind: 'status' }, home.count)
    for (const home of more ? merge(changed) : changed) events.emit('statusChanged', home)
  }

  /** Looks the devices of these messages up again and drops the reports of those that are gone. */
  async function revise(messages: Message[]): Promise<void> {
    directory.distrust(messages.flatMap(({ reports }) => reports.map(({ device }) => device)))
    for (const message of messages) {
      const kept: Report[] = []
      for (const report of message.reports) {
        const { tenant, peripheralUID, thingName } = report.device
        const [device] = await directory.lookup(tenant, [{ uid: peripheralUID }])
        if (device && device.thingName === thingName) kept.push({ ...report, device })
        else refuse(device ? 'foreignDevice' : 'notAdded', { tenant, thingName })
      }
      message.reports = kept
    }
  }

  /** What is not refused; mostly that is everything. */
  function refuseAll<T extends object>(items: (T | Refusal)[], hub: HubClient): T[] {
    if (items.every((item) => typeof item !== 'string')) return items
    return items.filter((item): item is T => {
      if (typeof item === 'string') refuse(item, hub)
      return typeof item !== 'string'
    })
  }

  /** Hands the parts whose device is the hub's on to be stored. */
  function take(parts: Part[], devices: (Device | undefined)[], hub: HubClient): Promise<void> {
    const now = timeIs()
    const checked = parts.map((part, i) => {
      const device = devices[i]
      // The home too: an outside broker knows for certain only the home that a message came to.
      const own = device?.thingName === hub.thingName && device.homeId === hub.homeId
      return own ? part.check(device, now) : device ? 'foreignDevice' : 'notAdded'
    })
    const reports = refuseAll(checked, hub)
    const invalid =
      reports.length < parts.length ? parts.flatMap((part, i) => invalidOf(part, devices[i])) : []
    const kept =
      invalid.length > 0
        ? patiently(() => quarantine(db, invalid, 'invalid')).then(tellQuarantined)
        : Promise.resolve()
    if (reports.length === 0) return kept
    const patience = reports[0]?.reading ? READING_PATIENCE : STATUS_PATIENCE
    const added = batcher.add({ reports, size: reports.length, patience })
    return invalid.length > 0 ? Promise.all([kept, added]).then(() => {}) : added

    function invalidOf(part: Part, device: Device | undefined): QuarantinedReading[] {
      const value = device?.thingName === hub.thingName && device.homeId === hub.homeId && part.invalid?.(now)
      return value && device.meterId !== undefined ? [{ meterId: device.meterId, ...value }] : []
    }
  }

  /** Tries again while the database is away, until the gateway closes. */
  async function patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let wait = RETRY.first; ; wait = Math.min(wait * 2, RETRY.longest)) {
      try {
        return await work()
      } catch (error) {
        const away = error instanceof GatewayError && error.code === 'UNAVAILABLE'
        if (!away || closing.signal.aborted) throw error
        await pause(wait, closing.signal)
      }
    }
  }

  return {
    /**
     * Takes one message of a hub and resolves when everything of it that can be stored is committed. What cannot is
     * counted and logged, so that a hub does not send it for ever. A database that is away is waited for.
     *
     * errors  rejects, so that the hub sends again, when the gateway closes first or storing failed for no known reason
     */
    receive({ match, payload, client }: Pick<Received, 'match' | 'payload' | 'client'>): Promise<void> {
      if (client.party !== 'hub') {
        refuse('foreignHub', { tenant: client.tenant })
        return Promise.resolve()
      }
      const parsed = parseMessage(match, payload, client)
      if (typeof parsed === 'string') {
        refuse(parsed, client)
        return Promise.resolve()
      }
      const parts = refuseAll(parsed, client)
      const devices = directory.known(client.tenant, parts)
      if (devices) return take(parts, devices, client)
      return patiently(() => directory.lookup(client.tenant, parts)).then((found) =>
        take(parts, found, client),
      )
    },
    /** Resolves when everything received so far is settled. */
    flush: () => batcher.flush(),
    /** Takes no more, and resolves when everything received is stored or, with the database away, given back. */
    async close(): Promise<void> {
      closing.abort()
      await batcher.close()
      directory.close()
    },
  }
}

/** A reading that is not stored, of a meter that is known. */
const quarantined = ({ device: { meterId }, timestamp, reading }: Report): QuarantinedReading[] =>
  meterId !== undefined && reading ? [{ meterId, timestamp, kwh: reading.AccumulatePower }] : []

/** One entry per home, with the last status of each device. */
function merge(changed: ChangedHome[]): GatewayEvents['statusChanged'][] {
  const homes = new Map<string, { home: ChangedHome; statuses: Map<string, DeviceStatus> }>()
  for (const home of changed) {
    let merged = homes.get(home.homeId)
    if (!merged) homes.set(home.homeId, (merged = { home, statuses: new Map() }))
    for (const status of home.statuses) merged.statuses.set(status.PeripheralUID, status)
  }
  return [...homes.values()].map(({ home: { tenant, homeId }, statuses }) => ({
    tenant,
    homeId,
    statuses: [...statuses.values()],
  }))
}

const isForeignKeyViolation = (error: unknown) => error instanceof pg.DatabaseError && error.code === '23503'

/** Resolves after so many ms, or at once when the signal comes. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
