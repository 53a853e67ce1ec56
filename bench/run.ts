/**
 * `npm run bench`: every measurement; `npm run bench -- calls start` some of them; `-- automation/scene` one part of one; `-- --quick`
 * shorter.
 */
import { cpus, release, totalmem } from 'node:os'
import { cleanUp } from './support/clean-up.ts'
import type { Figure, Measure, Measurement } from './support/measurement.ts'
import { hostBusy } from './support/process-figures.ts'
import { lines, tableOf } from './support/print.ts'

const MEASUREMENTS: Record<string, () => Promise<Measurement>> = {
  start: () => import('./start.ts'),
  calls: () => import('./calls.ts'),
  malformed: () => import('./malformed.ts'),
  readings: () => import('./readings.ts'),
  'energy-ingest': () => import('./energy-ingest.ts'),
  command: () => import('./command.ts'),
  ota: () => import('./ota.ts'),
  'report-to-screen': () => import('./report-to-screen.ts'),
  'rated-load': () => import('./rated-load.ts'),
  'home-assistant': () => import('./home-assistant.ts'),
  'first-screen': () => import('./first-screen.ts'),
  lighthouse: () => import('./pages/lighthouse.ts'),
  accessibility: () => import('./pages/accessibility.ts'),
  'modbus-hub': () => import('./modbus-hub.ts'),
  'live-list': () => import('./live/live-list.ts'),
  'long-list': () => import('./long-list.ts'),
  'device-panel': () => import('./device-panel.ts'),
  chart: () => import('./chart.ts'),
  bookings: () => import('./bookings.ts'),
  'company-lists': () => import('./company-lists.ts'),
  rights: () => import('./rights.ts'),
  'one-rule': () => import('./one-rule.ts'),
  'booking-grid': () => import('./booking-grid.ts'),
  'bulk-switch': () => import('./bulk-switch.ts'),
  automation: () => import('./automation.ts'),
  alarms: () => import('./alarms.ts'),
  attention: () => import('./alarms/attention.ts'),
  export: () => import('./export.ts'),
  import: () => import('./import.ts'),
  'energy-queries': () => import('./energy-queries.ts'),
  'month-by-meter': () => import('./month-by-meter.ts'),
  forecast: () => import('./forecast.ts'),
  findings: () => import('./findings.ts'),
  cluster: () => import('./cluster/several-gateways.ts'),
  boards: () => import('./boards/boards.ts'),
  building: () => import('./live/building.ts'),
  growth: () => import('./growth/growth.ts'),
}
/** Timeout of a measurement in ms; the longest one loads the gateway for ten minutes. */
const TIMEOUT_MS = 25 * 60_000

const quick = process.argv.includes('--quick')
const selected = await find(process.argv.slice(2).filter((word) => !word.startsWith('-')))

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cleanUp().finally(() => process.exit(130)))

const [cpu] = cpus()
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${cpu?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, ` +
    `Linux ${release()}, Node ${process.versions.node}${quick ? ', quick' : ''}`,
)
const all: Figure[] = []
let failed = false
for (const { name, bar, measures } of selected) {
  console.log(`\n${name}: ${bar}`)
  for (const [part, measure] of measures) await printFigures(part, measure)
}
console.log(`\n${tableOf(all)}`)
process.exit(failed ? 1 : 0)

interface Wanted {
  name: string
  bar: string
  /** Selected parts by name. */
  measures: [part: string, measure: Measure][]
}

/** The measurements with these names, `calls` or `automation/scene`; all if the list is empty. */
async function find(names: readonly string[]): Promise<Wanted[]> {
  const found: Wanted[] = []
  for (const wanted of names.length ? names : Object.keys(MEASUREMENTS)) {
    const [name = '', part] = wanted.split('/')
    const measurement = await MEASUREMENTS[name]?.()
    const parts = !measurement
      ? []
      : 'parts' in measurement
        ? Object.entries(measurement.parts).map(([of, measure]): [string, Measure] => [
            `${name}/${of}`,
            measure,
          ])
        : [[name, measurement.measure] as [string, Measure]]
    const measures = part === undefined ? parts : parts.filter(([of]) => of === wanted)
    if (!measurement || measures.length === 0) {
      const known = parts.length ? parts.map(([of]) => of) : Object.keys(MEASUREMENTS)
      console.error(`There is no measurement ${wanted}. There are: ${known.join(', ')}`)
      process.exit(2)
    }
    found.push({ name, bar: measurement.bar, measures })
  }
  return found
}

/** Runs a measurement and prints its figures. */
async function printFigures(part: string, measure: Measure): Promise<void> {
  const busy = hostBusy()
  const started = performance.now()
  try {
    const figures = await inTime(measure({ quick }), part)
    all.push(...figures)
    for (const line of figures.flatMap(lines)) console.log(line)
  } catch (error) {
    failed = true
    console.error(`  ${part} could not be measured:`, error)
  } finally {
    await cleanUp()
  }
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`  (${part}: ${seconds} s, machine ${Math.round(busy() * 100)} % busy)`)
}

/** Rejects if a measurement exceeds the timeout. */
function inTime<T>(work: Promise<T>, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${name} took too long`)), TIMEOUT_MS)
    work.then(resolve, reject).finally(() => clearTimeout(late))
  })
}
