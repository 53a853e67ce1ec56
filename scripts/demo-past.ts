import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import type { MeterReading } from '../contract/meters/channels.ts'
import { meterCorrections } from '../contract/meters/correction-calls.ts'
import { openDatabaseLocation, withDatabase } from '../gateway/store/database-location.ts'
import type { Db } from '../gateway/kernel/db.ts'
import type { Fleet, FleetMemory } from '../simulator/fleet.ts'
import type { FleetHub, HubDevice } from '../simulator/building/building.ts'
import { type Incident, readingsSince, replacedAt, startOfPast } from '../simulator/building/past.ts'
import { type LateStatus, statusesSince } from '../simulator/building/past-statuses.ts'
import type { Story } from '../simulator/demo/story.ts'
import type { Call } from './api.ts'
import {
  clearHistory,
  createMonths,
  joinEvents,
  readMeterIds,
  readReadingsAround,
  readTenant,
  rollUpAllHomes,
} from './demo-backfill.ts'
import { seedUtilityBills } from './demo-extras.ts'
import type { DemoLanguage } from './demo-language.ts'
import { recordMeasures } from './demo-measures.ts'
import { clearRecords, storeRecords } from './demo-records.ts'
import { type PastWorker, startPastWorker } from './demo-workers.ts'

/** Maximum number of readings or statuses in one message: small, so that live ones hardly wait. */
const CHUNK_SIZE = 1_000
const NOTE = '檢定期滿換表'
/** Maximum number of processes that simulate the past. */
const MAX_WORKERS = 4

/** End of the demo's past, epoch ms, and whether the gateway has all of it. */
export interface PastMark {
  until: number
  done: boolean
  /** Language of the demo's names; Chinese if absent. */
  language?: DemoLanguage
}

/** Reads the mark of the past from a file; undefined if it never began. */
export function readPastMark(path: string): PastMark | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as PastMark
  } catch {
    return undefined
  }
}

export const writePastMark = (path: string, mark: PastMark): void => writeFileSync(path, JSON.stringify(mark))

/** Incidents of a hub's meters, by PeripheralUID. */
const incidentsOf = (
  devices: readonly HubDevice[],
  incidents: Story['incidents'],
): Record<string, Incident> =>
  Object.fromEntries(
    devices.flatMap(({ PeripheralUID, PeripheralName }) => {
      const incident = incidents[PeripheralName]
      return incident ? [[PeripheralUID, incident]] : []
    }),
  )

/** Name of a hub's simulated past. */
const nameOf = (devices: readonly HubDevice[]): string => devices[0]?.PeripheralUID ?? ''

interface HistoryOptions {
  /** Devices of each hub, with their defects. */
  hubs: readonly (readonly HubDevice[])[]
  until: number
  seed: number
  incidents: Story['incidents']
}

/** A past that is being simulated. */
export interface DemoHistory {
  /**
   * Stores it in the database of the gateway, which must know the hubs' devices.
   *
   * database  URL, or data directory of the running gateway
   * call      calls on behalf of a user who may correct energy
   * onPhase   receives what is done next
   */
  store(to: {
    database: string
    hubs: readonly Pick<FleetHub, 'HomeID' | 'devices'>[]
    call: Call
    measures: Story['measures']
    /** Resolves when the rules, scenes and meeting rooms exist. */
    seeded: Promise<void>
    hasAlarms: boolean
    language: DemoLanguage
    onPhase(text: string): void
  }): Promise<void>
  /** Ends the processes that simulate it. */
  stop(): void
}

/** Starts to simulate a past in processes of their own, before the gateway is needed. */
export function startHistory({ hubs, until, seed, incidents }: HistoryOptions): DemoHistory {
  const count = Math.min(MAX_WORKERS, availableParallelism(), hubs.length)
  const workers = Array.from({ length: count }, startPastWorker)
  const workerOf = new Map<string, PastWorker>()
  const waiting = hubs.toSorted((a, b) => b.length - a.length)
  const simulateNext = async (worker: PastWorker): Promise<void> => {
    for (let devices = waiting.shift(); devices; devices = waiting.shift()) {
      const hub = nameOf(devices)
      workerOf.set(hub, worker)
      const own = incidentsOf(devices, incidents)
      await worker.run({ kind: 'simulate', hub, devices, until, seed, incidents: own })
    }
  }
  const simulation = Promise.all(workers.map(simulateNext))
  // Reported by `store`, which is called later.
  simulation.catch(() => {})
  return {
    stop: () => workers.forEach((worker) => worker.stop()),
    store: ({ database, hubs, call, measures, seeded, hasAlarms, language, onPhase }) =>
      withDatabase(openDatabaseLocation(database, { shared: true }), async (db) => {
        onPhase('Simulating 14 months')
        await simulation
        onPhase('Storing the history')
        const tenant = await readTenant(db, hubs[0]?.HomeID ?? '')
        await clearHistory(db, tenant, until)
        await createMonths(db, startOfPast(until), until)
        await Promise.all(
          hubs.map(({ HomeID, devices }) => {
            const hub = nameOf(devices)
            return workerOf.get(hub)?.run({ kind: 'store', hub, database, tenant, HomeID })
          }),
        )
        await joinEvents(db, tenant, until)
        for (const { HomeID, devices } of hubs)
          await correctReplacements({ db, call, tenant, HomeID, until }, incidentsOf(devices, incidents))
        onPhase('Computing the energy')
        const meterIds = await readMeterIds(db, tenant)
        await Promise.all(
          workers.map((worker, i) =>
            worker.run({
              kind: 'rollUp',
              database,
              meterIds: meterIds.filter((_, at) => at % workers.length === i),
            }),
          ),
        )
        await rollUpAllHomes(db)
        onPhase('Storing bookings, runs, alarms and the audit')
        await seeded
        await clearRecords(db, tenant, until)
        await storeRecords({ db, call, tenant, until, language }, hasAlarms)
        await seedUtilityBills(call, until)
        await recordMeasures(call, measures, until)
      }),
  }
}

/** Reports each replacement of a meter to the gateway, with the counters around it. */
async function correctReplacements(
  { db, call, tenant, HomeID, until }: { db: Db; call: Call; tenant: string; HomeID: string; until: number },
  incidents: Readonly<Record<string, Incident>>,
): Promise<void> {
  for (const [PeripheralUID, incident] of Object.entries(incidents)) {
    if (incident.kind !== 'replaced') continue
    if ((await call(meterCorrections.listMeterCorrection, { HomeID, PeripheralUID })).length > 0) continue
    const From = replacedAt(until, incident.day)
    const { before, after } = await readReadingsAround(db, { tenant, HomeID }, PeripheralUID, From)
    await call(meterCorrections.createMeterCorrection, {
      HomeID,
      PeripheralUID,
      Kind: 'replacement',
      From,
      OldKwh: before,
      NewKwh: Math.min(before - incident.excess, after),
      Note: NOTE,
    })
  }
}

/** Sends past readings, as a hub that kept them does. */
async function deliverReadings(
  fleet: Fleet,
  hub: FleetHub,
  readings: readonly MeterReading[],
): Promise<void> {
  for (let from = 0; from < readings.length; from += CHUNK_SIZE)
    await fleet.deliverLate(hub.ThingName, readings.slice(from, from + CHUNK_SIZE))
  await setImmediate()
}

/** Sends past statuses, as a hub that kept them does. */
async function deliverStatuses(fleet: Fleet, hub: FleetHub, statuses: readonly LateStatus[]): Promise<void> {
  for (let from = 0; from < statuses.length; from += CHUNK_SIZE)
    await fleet.deliverLateStatuses(hub.ThingName, statuses.slice(from, from + CHUNK_SIZE))
  await setImmediate()
}

/** Sends readings and statuses of the time in which the demo was not running, as hubs do. */
export async function deliverMissed(
  fleet: Fleet,
  hubs: readonly FleetHub[],
  memory: FleetMemory,
  seed: number,
  now: number,
): Promise<void> {
  for (const hub of hubs) {
    await deliverReadings(fleet, hub, readingsSince(hub.devices, memory, seed, now))
    await deliverStatuses(fleet, hub, statusesSince(hub.devices, memory, seed, now))
  }
}
