import type { FleetHub } from '../simulator/building/building.ts'
import { type Child, startChild } from './support/child.ts'
import { makeDevices, makeHome, portions, signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'
import { counterOf } from './support/metrics.ts'
import { cpuOf, descendantsOf } from './support/process-figures.ts'
import type { Answer, Question } from './support/publishers.ts'
import { alternate, median } from './support/statistics.ts'

export const name = 'readings'
export const bar =
  'CPU per reading, publish to PUBACK after commit, in the gateway: at most 1.5 x the broker alone'

const HUBS = 1_000
/** Maximum number of readings of one hub in flight. */
const WINDOW = 1

/**
 * A thousand hubs with a meter each publish to the gateway and to the broker alone; each sends its next reading after the previous
 * acknowledgement. The figure is CPU time of the process per reading. PostgreSQL's CPU time is shown separately.
 */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt()
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const meters = makeDevices('meter', HUBS, ['514', '528'])
  // Ten homes, as in a real company: changes of a home are published together.
  const homes = await Promise.all(
    portions(meters, HUBS / 10).map((homeMeters, i) =>
      makeHome(gateway, owner, `home ${i}`, portions(homeMeters, 1)),
    ),
  )
  const hubs = homes.flatMap((home) => home.hubs)
  const bare = await startChild<{ mqttUrl: string }>('bare-broker.ts')
  const toGateway = await connected(gateway.mqttUrl, hubs)
  const toBare = await connected(bare.ready.mqttUrl, hubs)

  const readings = quick ? 10_000 : 30_000
  const rates: number[] = []
  const databaseTimes: number[] = []
  const batchSizes: number[] = []
  async function cpuPerReading(pid: number, publishers: Child<object>): Promise<number> {
    const before = cpuOf(pid)
    const { rate } = await publishers.request<Answer>({ readings, window: WINDOW } satisfies Question)
    if (publishers === toGateway) rates.push(rate)
    return (cpuOf(pid) - before) / readings
  }
  async function inGateway(): Promise<number> {
    const database = descendantsOf(gateway.pid)
    const cpuOfDatabase = () => database.reduce((sum, one) => sum + cpuOf(one), 0)
    const batches = () => counterOf(gateway.url, 'ingest_batch_seconds_count')
    const before = { cpu: cpuOfDatabase(), batches: await batches() }
    const own = await cpuPerReading(gateway.pid, toGateway)
    databaseTimes.push((cpuOfDatabase() - before.cpu) / readings)
    batchSizes.push(readings / ((await batches()) - before.batches))
    return own
  }
  const { a, b } = await alternate(quick ? 3 : 9, inGateway, () => cpuPerReading(bare.pid, toBare))
  return [
    {
      what: 'CPU per reading in the gateway',
      value: a,
      unit: 'µs',
      reference: { what: 'broker alone', value: b },
      bar: { of: 'ratio', max: 1.5 },
      note:
        `${Math.round(median(rates))} readings/s in batches of ${Math.round(median(batchSizes))}; ` +
        `PostgreSQL ${median(databaseTimes).toFixed(1)} µs besides`,
    },
  ]
}

async function connected(url: string, hubs: FleetHub[]): Promise<Child<object>> {
  const publishers = await startChild<object>('publishers.ts')
  await publishers.request({ connect: url, hubs } satisfies Question)
  return publishers
}
