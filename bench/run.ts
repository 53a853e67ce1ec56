/** `npm run bench`: every measurement; `npm run bench -- calls start` some of them; `-- --quick` shorter. */
import { cpus, release, totalmem } from 'node:os'
import { cleanUp } from './support/clean-up.ts'
import type { Figure, Measurement } from './support/measurement.ts'
import { hostBusy } from './support/process-figures.ts'
import { lines, tableOf } from './support/print.ts'

const MEASUREMENTS: Record<string, () => Promise<Measurement>> = {
  start: () => import('./start.ts'),
  calls: () => import('./calls.ts'),
  readings: () => import('./readings.ts'),
  'energy-ingest': () => import('./energy-ingest.ts'),
  command: () => import('./command.ts'),
  ota: () => import('./ota.ts'),
  'report-to-screen': () => import('./report-to-screen.ts'),
  'rated-load': () => import('./rated-load.ts'),
  'home-assistant': () => import('./home-assistant.ts'),
  'first-screen': () => import('./first-screen.ts'),
  accessibility: () => import('./accessibility.ts'),
  'modbus-hub': () => import('./modbus-hub.ts'),
  'live-list': () => import('./live-list.ts'),
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
  export: () => import('./export.ts'),
  import: () => import('./import.ts'),
  'energy-queries': () => import('./energy-queries.ts'),
}
/** The longest of them loads the gateway for a good ten minutes. */
const PATIENCE = 25 * 60_000

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const quick = process.argv.includes('--quick')
const unknown = wanted.filter((name) => !(name in MEASUREMENTS))
if (unknown.length) {
  console.error(
    `There is no measurement ${unknown.join(', ')}. There are: ${Object.keys(MEASUREMENTS).join(', ')}`,
  )
  process.exit(2)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cleanUp().finally(() => process.exit(130)))

const [cpu] = cpus()
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${cpu?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, ` +
    `Linux ${release()}, Node ${process.versions.node}${quick ? ', quick' : ''}`,
)
const all: Figure[] = []
let failed = false
for (const name of wanted.length ? wanted : Object.keys(MEASUREMENTS)) {
  const busy = hostBusy()
  const started = performance.now()
  try {
    const measurement = await (MEASUREMENTS[name] as () => Promise<Measurement>)()
    console.log(`\n${name}: ${measurement.bar}`)
    const figures = await inTime(measurement.measure({ quick }), name)
    all.push(...figures)
    for (const line of figures.flatMap(lines)) console.log(line)
  } catch (error) {
    failed = true
    console.error(`  ${name} could not be measured:`, error)
  } finally {
    await cleanUp()
  }
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`  (${seconds} s, machine ${Math.round(busy() * 100)} % busy)`)
}
console.log(`\n${tableOf(all)}`)
process.exit(failed ? 1 : 0)

/** Rejects when a measurement takes longer than it may. */
function inTime<T>(work: Promise<T>, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${name} took too long`)), PATIENCE)
    work.then(resolve, reject).finally(() => clearTimeout(late))
  })
}
