import { readFileSync, writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { type MeterReading } from '../contract/meters/channels.ts'
import { meterCorrections } from '../contract/meters/correction-calls.ts'
import type { Fleet, FleetMemory } from '../simulator/fleet.ts'
import type { FleetHub } from '../simulator/building/building.ts'
import {
  FINE_ENERGY_PORTIONS,
  type Incident,
  pastOf,
  readingsSince,
  replacedAt,
} from '../simulator/building/past.ts'
import {
  ALL_PORTIONS,
  FINE_PORTIONS,
  type LateStatus,
  pastStatusesOf,
  statusesSince,
} from '../simulator/building/past-statuses.ts'
import type { Story } from '../simulator/demo/story.ts'
import type { Call } from './api.ts'
import { recordMeasures } from './demo-measures.ts'

/** Maximum number of readings or statuses in one message: small, so that live ones hardly wait. */
const CHUNK_SIZE = 1_000
/** Number of portions of states that contain last night. */
const NIGHT_PORTIONS = 2
const NOTE = '檢定期滿換表'

/** End of the demo's past, epoch ms, and progress of sending it to the gateway. */
export interface PastMark {
  until: number
  /** All energy has been sent; until then `energy` is the number of rounds of portions sent, newest first. */
  done: boolean
  energy?: number
  /** Number of portions of states sent, newest first. */
  statuses?: number
  /** All states of the lost hubs have been sent. */
  lostHubNames?: true
  /** The energy-saving measures have been recorded. */
  measures?: true
}

/** Progress of filling in the past, from a file; undefined if it never began. */
export function readPastMark(path: string): PastMark | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as PastMark
  } catch {
    return undefined
  }
}

export const writePastMark = (path: string, mark: PastMark): void => writeFileSync(path, JSON.stringify(mark))

interface PastOptions {
  fleet: Fleet
  hubs: readonly FleetHub[]
  until: number
  seed: number
  /** Number of the newest portions that the gateway already has. */
  skipped: number
}

interface EnergyOptions extends PastOptions {
  /** Calls on behalf of a user who may correct energy. */
  call: Call
  incidents: Story['incidents']
}

/**
 * Sends past readings of the demo's meters, as hubs send readings kept while offline, the newest days of all hubs first.
 * Idempotent: stored readings stay.
 *
 * returns  after each round of portions, the number that the gateway has
 */
async function* deliverPastEnergy(options: EnergyOptions) {
  const { fleet, hubs, call, until, seed, incidents, skipped } = options
  let open = hubs.map((hub) => ({
    hub,
    portions: pastOf(hub.devices, until, seed, incidentsOf(hub, incidents)),
  }))
  const changes = hubs.flatMap((hub) => replacementsOf(hub, incidentsOf(hub, incidents), until))
  for (let round = 1; ; round++) {
    const remaining: typeof open = []
    for (const source of open) {
      const { done, value } = source.portions.next()
      if (done) continue
      remaining.push(source)
      for (const change of changes) change.onReadings(value)
      if (round > skipped) await deliverReadings(fleet, source.hub, value)
    }
    if (remaining.length === 0) return
    open = remaining
    for (const change of changes) await change.correct(call)
    yield round
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

interface StatusOptions extends PastOptions {
  /** ThingNames of hubs that send nothing any longer. */
  lostDevices: ReadonlySet<string>
}

/**
 * Sends past statuses of the demo's devices, the newest days of all hubs first. Idempotent.
 *
 * returns  after each portion, the number that the gateway has
 */
async function* deliverPastStatuses({ fleet, hubs, until, seed, skipped, lostDevices }: StatusOptions) {
  const sources = hubs.map((hub) => ({ hub, portions: pastStatusesOf(hub.devices, until, seed, skipped) }))
  for (let number = skipped + 1; ; number++) {
    for (const { hub, portions } of sources) {
      const { done, value } = portions.next()
      if (done) return
      if (!lostDevices.has(hub.ThingName)) await deliverStatuses(fleet, hub, value)
    }
    yield number
  }
}

/** Sends readings and statuses of the time in which the demo was not running. */
async function deliverMissed(
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

/** Incidents of a hub's meters, by PeripheralUID. */
const incidentsOf = ({ devices }: FleetHub, incidents: Story['incidents']): Record<string, Incident> =>
  Object.fromEntries(
    devices.flatMap(({ PeripheralUID, PeripheralName }) => {
      const incident = incidents[PeripheralName]
      return incident ? [[PeripheralUID, incident]] : []
    }),
  )

/** Collects the readings around each replacement of a meter, and reports the replacement to the gateway. */
function replacementsOf(hub: FleetHub, incidents: Readonly<Record<string, Incident>>, until: number) {
  return Object.entries(incidents).flatMap(([PeripheralUID, incident]) => {
    if (incident.kind !== 'replaced') return []
    const From = replacedAt(until, incident.day)
    let before: MeterReading | undefined
    let after: MeterReading | undefined
    let isStated = false
    return [
      {
        onReadings(readings: readonly MeterReading[]): void {
          const ownReadings = readings.filter((reading) => reading.PeripheralUID === PeripheralUID)
          const next = ownReadings.findIndex(({ Timestamp }) => Timestamp > From)
          if (next > 0 && (ownReadings[next - 1] as MeterReading).Timestamp < From)
            [before, after] = [ownReadings[next - 1], ownReadings[next]]
        },
        async correct(call: Call): Promise<void> {
          if (!before || !after || isStated) return
          isStated = true
          const { HomeID } = hub
          const corrections = await call(meterCorrections.listMeterCorrection, { HomeID, PeripheralUID })
          if (corrections.length > 0) return
          const OldKwh = before.AccumulatePower
          const NewKwh = Math.min(OldKwh - incident.excess, after.AccumulatePower)
          const correction = {
            HomeID,
            PeripheralUID,
            Kind: 'replacement',
            From,
            OldKwh,
            NewKwh,
            Note: NOTE,
          } as const
          await call(meterCorrections.createMeterCorrection, correction)
        },
      },
    ]
  })
}

interface FillOptions extends Omit<EnergyOptions, 'until' | 'skipped'> {
  now: number
  /** State of an earlier run; undefined at the first start. */
  previousMemory: FleetMemory | undefined
  /** Progress of the past; undefined if the demo has none. */
  past: PastMark | undefined
  measures: Story['measures']
  /** ThingNames of hubs that are lost after they have sent last night's statuses. */
  lostHubNames: readonly string[]
  saveMark(mark: PastMark): void
}

/**
 * Fills in the past that the gateway lacks, and logs its progress. The product is in use meanwhile; an interrupted run is
 * completed at the next start.
 */
export async function fillPast({
  previousMemory,
  past,
  saveMark,
  now,
  lostHubNames,
  measures,
  ...to
}: FillOptions): Promise<void> {
  const startedAt = Date.now()
  const logProgress = (text: string) =>
    console.log(`  ${text}, after ${Math.round((Date.now() - startedAt) / 1000)} s.`)
  const lostDevices = new Set<string>()
  const loseHubs = () => {
    for (const thingName of lostHubNames) {
      lostDevices.add(thingName)
      to.fleet.powerOff(thingName)
    }
  }
  try {
    if (previousMemory) await deliverMissed(to.fleet, to.hubs, previousMemory, to.seed, now)
    if (!past || (past.done && past.statuses === ALL_PORTIONS)) return loseHubs()
    console.log('  States, temperatures and energy of the last 13 months are being filled in …')
    let mark = past
    const note = (change: Partial<PastMark>) => saveMark((mark = { ...mark, ...change }))
    const { until } = past
    const statuses = deliverPastStatuses({ ...to, until, lostDevices, skipped: past.statuses ?? 0 })
    const statesUpTo = async (portions: number, text: string) => {
      if ((mark.statuses ?? 0) >= portions) return
      while ((mark.statuses ?? 0) < portions) {
        const { done, value } = await statuses.next()
        if (done) return
        note({ statuses: value })
      }
      logProgress(`States and temperatures of ${text} are there`)
    }
    const energy = deliverPastEnergy({ ...to, until, skipped: past.energy ?? 0 })
    const energyUpTo = async (portions: number, text: string) => {
      if (mark.done || (mark.energy ?? 0) >= portions) return
      for (let round = 0; round < portions;) {
        const { done, value } = await energy.next()
        if (done) note({ done })
        else if ((round = value) > (mark.energy ?? 0)) note({ energy: value })
        if (done) break
      }
      logProgress(`The energy of ${text} is there`)
    }
    await statesUpTo(NIGHT_PORTIONS, 'last night')
    if (!mark.lostHubNames) await deliverStatesOfLost(to, lostHubNames, until)
    note({ lostHubNames: true })
    loseHubs()
    await energyUpTo(FINE_ENERGY_PORTIONS, 'the last two months')
    await statesUpTo(FINE_PORTIONS, 'the last two months')
    await energyUpTo(Infinity, 'the last 13 months')
    if (!mark.measures) await recordMeasures(to.call, measures, until)
    note({ measures: true })
    await statesUpTo(ALL_PORTIONS, 'the last 13 months')
  } catch (error) {
    console.error(`  The past could not be filled in; the next start tries again: ${String(error)}`)
  }
}

/** Sends all statuses before last night of hubs that are about to be lost: they cannot later. */
async function deliverStatesOfLost(
  { fleet, hubs, seed }: Pick<PastOptions, 'fleet' | 'hubs' | 'seed'>,
  lostHubNames: readonly string[],
  until: number,
): Promise<void> {
  for (const hub of hubs)
    if (lostHubNames.includes(hub.ThingName))
      for (const portion of pastStatusesOf(hub.devices, until, seed, NIGHT_PORTIONS))
        await deliverStatuses(fleet, hub, portion)
}
