import type { Figure, Options } from './support/measurement.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import { median } from './support/statistics.ts'

export const name = 'start'
export const bar = 'start to ready, built: new data directory under 3 s, existing one under 1.5 s'

/** Starts the gateway on an empty directory, stops it, and starts it again on the same data. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt()
  const freshTimes: number[] = []
  const existing: number[] = []
  for (let run = 0; run < (quick ? 3 : 7); run++) {
    const dataDir = await temporaryDirectory()
    for (const times of [freshTimes, existing]) {
      const gateway = await startGateway(dataDir)
      times.push(gateway.startupMs)
      await gateway.stop()
    }
  }
  const figure = (what: string, times: number[], max: number): Figure => ({
    what,
    value: median(times),
    unit: 'ms',
    bar: { of: 'value', max },
    note: `${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))}`,
  })
  return [
    figure('start to ready, new data directory', freshTimes, 3000),
    figure('start to ready, existing data directory', existing, 1500),
  ]
}
