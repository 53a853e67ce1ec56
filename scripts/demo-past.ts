import { readFileSync, writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { type MeterReading } from '../contract/channels/meter.ts'
import { meterCorrections } from '../contract/procedures/meter-corrections.ts'
import type { Fleet, FleetMemory } from '../simulator/fleet.ts'
import type { FleetHub } from '../simulator/hub-device.ts'
import { type Incident, pastOf, readingsSince, replacedAt } from '../simulator/past.ts'
import {
  ALL_PORTIONS,
  FINE_PORTIONS,
  type LateStatus,
  pastStatusesOf,
  statusesSince,
} from '../simulator/past-statuses.ts'
import type { Call } from './api.ts'

/** Readings or statuses of one message: so few that live ones hardly wait behind them. */
const PORTION = 1_000
/** Portions of states that hold last night. */
const NIGHT_PORTIONS = 2
const NOTE = '檢定期滿換表'

/** What happened to meters of the demo, by their names. */
const INCIDENTS: Readonly<Record<string, Incident>> = {
  堆高機充電站: { kind: 'silent', fromDay: 24, throughDay: 18 },
  三樓插座迴路: { kind: 'replaced', day: 33, excess: 41_250 },
}

/** Until when the demo's past reaches, epoch ms, and what of it the gateway has. */
export interface PastMark {
  until: number
  /** All of the energy. */
  done: boolean
  /** How many portions of the states, from the newest. */
  statuses?: number
}

/** Where the filling of the past stands, kept in a file; undefined where it never began. */
export function readPastMark(path: string): PastMark | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as PastMark
  } catch {
    return undefined
  }
}

export const writePastMark = (path: string, mark: PastMark): void => writeFileSync(path, JSON.stringify(mark))

interface EnergyOptions {
  fleet: Fleet
  hubs: readonly FleetHub[]
  /** In the name of somebody who may correct energy. */
  call: Call
  until: number
  /** The seed of the fleet. */
  seed: number
}

/**
 * Sends what the demo's meters would have counted before it was started, as hubs send what they could not before, the newest
 * days of all hubs first. Once more is harmless: what is stored already stays.
 */
async function deliverPastEnergy({ fleet, hubs, call, until, seed }: EnergyOptions): Promise<void> {
  const sources = hubs.map((hub) => ({ hub, portions: pastOf(hub.devices, until, seed, incidentsOf(hub)) }))
  const changes = hubs.flatMap((hub) => replacementsOf(hub, until))
  for (let open = sources; open.length > 0;) {
    const left: typeof sources = []
    for (const source of open) {
      const { done, value } = source.portions.next()
      if (done) continue
      left.push(source)
      for (const change of changes) change.look(value)
      await deliverReadings(fleet, source.hub, value)
    }
    open = left
  }
  for (const change of changes) await change.correct(call)
}

/** Sends readings of the past as a hub that kept them does. */
async function deliverReadings(
  fleet: Fleet,
  hub: FleetHub,
  readings: readonly MeterReading[],
): Promise<void> {
  for (let from = 0; from < readings.length; from += PORTION)
    await fleet.deliverLate(hub.ThingName, readings.slice(from, from + PORTION))
  await setImmediate()
}

/** Sends statuses of the past as a hub that kept them does. */
async function deliverStatuses(fleet: Fleet, hub: FleetHub, statuses: readonly LateStatus[]): Promise<void> {
  for (let from = 0; from < statuses.length; from += PORTION)
    await fleet.deliverLateStatuses(hub.ThingName, statuses.slice(from, from + PORTION))
  await setImmediate()
}

interface StatusOptions {
  fleet: Fleet
  hubs: readonly FleetHub[]
  until: number
  seed: number
  /** How many of the newest portions the gateway has already. */
  skipped: number
}

/**
 * Sends what the demo's devices would have been before it was started, the newest days of all hubs first. Once more is harmless.
 *
 * returns  after each portion, how many the gateway has now
 */
async function* deliverPastStatuses({ fleet, hubs, until, seed, skipped }: StatusOptions) {
  const sources = hubs.map((hub) => ({ hub, portions: pastStatusesOf(hub.devices, until, seed, skipped) }))
  for (let number = skipped + 1; ; number++) {
    for (const { hub, portions } of sources) {
      const { done, value } = portions.next()
      if (done) return
      await deliverStatuses(fleet, hub, value)
    }
    yield number
  }
}

/** Sends what the devices were while the demo was not running. */
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

const incidentsOf = ({ devices }: FleetHub): Record<string, Incident> =>
  Object.fromEntries(
    devices.flatMap(({ PeripheralUID, PeripheralName }) => {
      const incident = INCIDENTS[PeripheralName]
      return incident ? [[PeripheralUID, incident]] : []
    }),
  )

/** Watches for the readings around a replacement, and tells the gateway of it. */
function replacementsOf(hub: FleetHub, until: number) {
  return Object.entries(incidentsOf(hub)).flatMap(([PeripheralUID, incident]) => {
    if (incident.kind !== 'replaced') return []
    const From = replacedAt(until, incident.day)
    let before: MeterReading | undefined
    let after: MeterReading | undefined
    return [
      {
        look(readings: readonly MeterReading[]): void {
          const own = readings.filter((reading) => reading.PeripheralUID === PeripheralUID)
          const next = own.findIndex(({ Timestamp }) => Timestamp > From)
          if (next > 0 && (own[next - 1] as MeterReading).Timestamp < From)
            [before, after] = [own[next - 1], own[next]]
        },
        async correct(call: Call): Promise<void> {
          const { HomeID } = hub
          const said = await call(meterCorrections.listMeterCorrection, { HomeID, PeripheralUID })
          if (!before || !after || said.length > 0) return
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

interface FillOptions extends Omit<EnergyOptions, 'until'> {
  now: number
  /** From an earlier run; undefined at the first start. */
  remembered: FleetMemory | undefined
  /** Where the past stands; undefined where there is no room for one. */
  past: PastMark | undefined
  keep(mark: PastMark): void
}

/**
 * Fills in what the gateway does not have of the past, telling the console how far it is. The product is in use meanwhile; what
 * is broken off is made up for at the next start.
 */
export async function fillPast({ remembered, past, keep, now, ...to }: FillOptions): Promise<void> {
  const began = Date.now()
  const say = (text: string) => console.log(`  ${text}, after ${Math.round((Date.now() - began) / 1000)} s.`)
  try {
    if (remembered) await deliverMissed(to.fleet, to.hubs, remembered, to.seed, now)
    if (!past || (past.done && past.statuses === ALL_PORTIONS)) return
    console.log('  States, temperatures and energy of the last 13 months are being filled in …')
    let mark = past
    const note = (change: Partial<PastMark>) => keep((mark = { ...mark, ...change }))
    const { until } = past
    const statuses = deliverPastStatuses({ ...to, until, skipped: past.statuses ?? 0 })
    const upTo = async (portions: number, text: string) => {
      if ((mark.statuses ?? 0) >= portions) return
      while ((mark.statuses ?? 0) < portions) {
        const { done, value } = await statuses.next()
        if (done) return
        note({ statuses: value })
      }
      say(`States and temperatures of ${text} are there`)
    }
    await upTo(NIGHT_PORTIONS, 'last night')
    if (!mark.done) {
      await deliverPastEnergy({ ...to, until })
      note({ done: true })
      say('The energy of the last 13 months is there')
    }
    await upTo(FINE_PORTIONS, 'the last two months')
    await upTo(ALL_PORTIONS, 'the last 13 months')
  } catch (error) {
    console.error(`  The past could not be filled in; the next start tries again: ${String(error)}`)
  }
}
