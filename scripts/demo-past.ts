import { readFileSync, writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { type MeterReading } from '../contract/channels/meter.ts'
import { meterCorrections } from '../contract/procedures/meter-corrections.ts'
import type { Fleet } from '../simulator/fleet.ts'
import type { FleetHub } from '../simulator/hub-device.ts'
import { type Incident, pastOf, replacedAt } from '../simulator/past.ts'
import type { Call } from './api.ts'

/** Readings of one message: so few that live ones hardly wait behind them. */
const PORTION = 1_000
const NOTE = '檢定期滿換表'

/** What happened to meters of the demo, by their names. */
const INCIDENTS: Readonly<Record<string, Incident>> = {
  堆高機充電站: { kind: 'silent', fromDay: 24, throughDay: 18 },
  三樓插座迴路: { kind: 'replaced', day: 33, excess: 41_250 },
}

/** Until when the demo's past reaches, epoch ms, and whether the gateway has all of it. */
export interface PastMark {
  until: number
  done: boolean
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

interface PastOptions {
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
export async function deliverPast({ fleet, hubs, call, until, seed }: PastOptions): Promise<void> {
  const sources = hubs.map((hub) => ({ hub, portions: pastOf(hub.devices, until, seed, incidentsOf(hub)) }))
  const changes = hubs.flatMap((hub) => replacementsOf(hub, until))
  for (let open = sources; open.length > 0;) {
    const left: typeof sources = []
    for (const source of open) {
      const { done, value } = source.portions.next()
      if (done) continue
      left.push(source)
      for (const change of changes) change.look(value)
      for (let from = 0; from < value.length; from += PORTION)
        await fleet.deliverLate(source.hub.ThingName, value.slice(from, from + PORTION))
      await setImmediate()
    }
    open = left
  }
  for (const change of changes) await change.correct(call)
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
