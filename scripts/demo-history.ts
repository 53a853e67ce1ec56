import { eventValuesOf, samplesOf } from '../contract/devices/kinds/history-fields.ts'
import { returnIdOf } from '../contract/devices/kinds/meter-id.ts'
import type { HubDevice } from '../simulator/building/building.ts'
import { type Incident, pastOf } from '../simulator/building/past.ts'
import { pastStatusesOf } from '../simulator/building/past-statuses.ts'

const MINUTE = 60_000

/** A meter's readings, ascending in time; power and the like are undefined where they were not reported. */
export interface MeterHistory {
  /** PeripheralUID, or `returnIdOf` of it for the second register. */
  MeterID: string
  readings: {
    timestamp: number
    kwh: number
    power?: number | undefined
    current?: number | undefined
    voltage?: number | undefined
    powerFactor?: number | undefined
  }[]
}

/** Samples of one quantity of a device, at most one a minute. */
export interface SampleHistory {
  PeripheralUID: string
  field: string
  samples: { timestamp: number; value: number }[]
}

/** Changes of one state of a device, ascending in time; before the first one the state is unknown. */
export interface EventHistory {
  PeripheralUID: string
  field: string
  events: { timestamp: number; before: number | null; value: number }[]
}

/** Past of a hub's devices. */
export interface History {
  meters: MeterHistory[]
  samples: SampleHistory[]
  events: EventHistory[]
}

interface Simulation {
  devices: readonly HubDevice[]
  /** Epoch ms. */
  until: number
  seed: number
  /** Incidents of meters, by PeripheralUID. */
  incidents: Readonly<Record<string, Incident>>
}

/** Simulates the past of a hub's devices. */
export function simulateHistory({ devices, until, seed, incidents }: Simulation): History {
  return {
    meters: metersIn([...pastOf(devices, until, seed, incidents)].toReversed()),
    ...statesIn(devices, until, [...pastStatusesOf(devices, until, seed)].toReversed()),
  }
}

type Portions<Generate extends (...args: never[]) => Generator<unknown>> =
  ReturnType<Generate> extends Generator<infer Portion> ? readonly Portion[] : never

/** portions  oldest first */
function metersIn(portions: Portions<typeof pastOf>): MeterHistory[] {
  const meters = new Map<string, MeterHistory>()
  const add = (MeterID: string, reading: MeterHistory['readings'][number]): void => {
    const meter = meters.get(MeterID)
    if (meter) meter.readings.push(reading)
    else meters.set(MeterID, { MeterID, readings: [reading] })
  }
  for (const portion of portions)
    for (const reading of portion) {
      const { PeripheralUID, Timestamp: timestamp } = reading
      add(PeripheralUID, {
        timestamp,
        kwh: reading.AccumulatePower,
        power: reading.Power,
        current: reading.AvgElectricCurrent,
        voltage: reading.Voltage,
        powerFactor: reading.PowerFactor,
      })
      if (reading.AccumulateReturn !== undefined)
        add(returnIdOf(PeripheralUID), { timestamp, kwh: reading.AccumulateReturn })
    }
  return [...meters.values()]
}

/**
 * until     epoch ms; its minute is left to live samples, of which each minute has one
 * portions  oldest first, each newest first
 */
function statesIn(
  devices: readonly HubDevice[],
  until: number,
  portions: Portions<typeof pastStatusesOf>,
): Pick<History, 'samples' | 'events'> {
  const typeOf = new Map(devices.map(({ PeripheralUID, PeripheralType }) => [PeripheralUID, PeripheralType]))
  const samples = new Map<string, SampleHistory>()
  const events = new Map<string, EventHistory>()
  for (const portion of portions)
    for (const { PeripheralUID, Timestamp: timestamp, ...values } of portion.toReversed()) {
      const type = typeOf.get(PeripheralUID) as string
      for (const [field, value] of samplesOf(type, values)) {
        const series = entryOf(samples, PeripheralUID, field, () => ({ PeripheralUID, field, samples: [] }))
        const last = series.samples.at(-1)?.timestamp ?? -1
        const minute = Math.floor(timestamp / MINUTE)
        if (minute > Math.floor(last / MINUTE) && minute < Math.floor(until / MINUTE))
          series.samples.push({ timestamp, value })
      }
      for (const [field, value] of eventValuesOf(type, values)) {
        const series = entryOf(events, PeripheralUID, field, () => ({ PeripheralUID, field, events: [] }))
        const before = series.events.at(-1)?.value ?? null
        if (value !== before) series.events.push({ timestamp, before, value })
      }
    }
  return { samples: [...samples.values()], events: [...events.values()] }
}

function entryOf<Entry>(entries: Map<string, Entry>, uid: string, field: string, create: () => Entry): Entry {
  const key = `${uid} ${field}`
  const known = entries.get(key) ?? create()
  entries.set(key, known)
  return known
}
