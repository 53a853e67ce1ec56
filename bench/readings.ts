import { runLoad } from '../simulator/load.ts'
import type { FleetHub } from '../simulator/hub-device.ts'
import { startChild } from './support/child.ts'
import { makeDevices, makeHome, portions, signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'
import { cpuOf, descendantsOf } from './support/process-figures.ts'
import { alternate, median } from './support/statistics.ts'

export const name = 'readings'
export const bar =
  'CPU per reading, publish to PUBACK after commit, in the gateway: at most 1.5 x the broker alone'

const HUBS = 100
const METERS = 1_000
/** Readings a second that are offered: more than either takes, so that each works as fast as it is acknowledged. */
const RATE = 20_000
/** Readings of one hub on the way at a time. */
const WINDOW = 10

/**
 * The same publishers send the same readings, one in each message, to the gateway and to the broker alone; each is sent
 * the next when it has acknowledged. CPU time of the process is divided by acknowledged readings. PostgreSQL's own is shown
 * apart.
 */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt()
  const gateway = await startGateway(await temporaryDirectory())
  const meters = makeDevices('meter', METERS, ['514', '528'])
  const { hubs } = await makeHome(
    gateway,
    await signUpOwner(gateway.url),
    'readings',
    portions(meters, METERS / HUBS),
  )
  const bare = await startChild<{ mqttUrl: string }>('bare-broker.ts')
  const databaseTimes: number[] = []
  const rates: number[] = []

  const seconds = quick ? 4 : 8
  const load = (url: string, hubs: readonly FleetHub[], half: number) =>
    runLoad({ url, hubs, rate: RATE, seconds: half, window: WINDOW, patience: 20 })
  async function cpuPerReading(pid: number, url: string, alone: boolean): Promise<number> {
    const database = alone ? [] : descendantsOf(pid)
    const cpuOfDatabase = () => database.reduce((sum, one) => sum + cpuIfAlive(one), 0)
    const before = { own: cpuOf(pid), database: cpuOfDatabase() }
    const { acknowledged, unacknowledged, rate } = await load(url, hubs, seconds)
    if (unacknowledged) throw new Error(`${unacknowledged} readings were not acknowledged`)
    if (!alone) {
      databaseTimes.push((cpuOfDatabase() - before.database) / acknowledged)
      rates.push(rate)
    }
    return (cpuOf(pid) - before.own) / acknowledged
  }
  const { a, b } = await alternate(
    quick ? 3 : 7,
    () => cpuPerReading(gateway.pid, gateway.mqttUrl, false),
    () => cpuPerReading(bare.pid, bare.ready.mqttUrl, true),
  )
  return [
    {
      what: 'CPU per reading in the gateway',
      value: a,
      unit: 'µs',
      reference: { what: 'broker alone', value: b },
      bar: { of: 'ratio', most: 1.5 },
      note: `${Math.round(median(rates))} readings/s; PostgreSQL ${median(databaseTimes).toFixed(1)} µs besides`,
    },
  ]
}

/** CPU time in µs; 0 for one of PostgreSQL's workers that has ended. */
function cpuIfAlive(pid: number): number {
  try {
    return cpuOf(pid)
  } catch {
    return 0
  }
}
