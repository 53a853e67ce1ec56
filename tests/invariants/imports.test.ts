import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const ZONES = ['contract', 'src', 'gateway', 'device-link', 'hubs', 'simulator', 'tests', 'bench', 'scripts']
/** What a file of a zone may import from; its own zone and packages are always allowed. */
const MAY: Record<string, string[]> = {
  contract: [],
  src: ['contract', 'locales'],
  gateway: ['contract'],
  'device-link': ['contract'],
  hubs: ['contract', 'device-link'],
  simulator: ['contract', 'device-link'],
  tests: [...ZONES, 'locales'],
  bench: ZONES,
  scripts: ['contract', 'gateway', 'simulator'],
}

interface Import {
  from: string
  to: string
  /** Fetched with the file that names it: neither a type nor asked for later. */
  atOnce: boolean
}

const imports: Import[] = ZONES.flatMap((zone) => filesBelow(zone)).flatMap((file) => {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const found = source.matchAll(
    /((?:import|export) type [^'"()]*)?(?:from|import)\s*(\()?\s*['"](\.[^'"]+)['"]/g,
  )
  return [...found].map(([, type, later, path]) => ({
    from: file,
    to: relative(ROOT, join(ROOT, dirname(file), path as string)),
    atOnce: type === undefined && later === undefined,
  }))
})

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(folder, file))
  } catch {
    return []
  }
}

const zoneOf = (path: string) => path.split('/')[0] as string
/** The feature of the gateway that a file is of; undefined for every other file. */
const featureOf = (path: string) => /^gateway\/features\/([^/]+)\//.exec(path)?.[1]
/** What is still to be handed over in the root of the gateway instead of imported. Lines are only ever taken away. */
const FEATURES_STILL_JOINED: readonly string[] = [
  'gateway/store/retention.ts → gateway/features/devices/event-cap.ts',
  'gateway/features/cameras/camera-and-ir.ts → gateway/features/devices/peripheral.ts',
  'gateway/features/devices/peripheral-calls.ts → gateway/features/modbus/modbus-table.ts',
  'gateway/features/meters/meter-corrections.ts → gateway/features/energy/rollup/dirty-spans.ts',
  'gateway/features/meters/meter-corrections.ts → gateway/features/energy/rollup/energy-floors.ts',
  'gateway/features/meters/meter-import.ts → gateway/features/energy/rollup/dirty-spans.ts',
  'gateway/features/meters/meter-import.ts → gateway/features/energy/rollup/energy-floors.ts',
  'gateway/features/tariffs/bill-parts.ts → gateway/features/energy/query/load-profile.ts',
  'gateway/features/tariffs/bills.ts → gateway/features/energy/query/lines.ts',
  'gateway/features/tariffs/bills.ts → gateway/features/energy/query/load-profile.ts',
  'gateway/features/tariffs/bills.ts → gateway/features/energy/query/meters.ts',
  'gateway/features/tariffs/bills.ts → gateway/features/energy/query/energy.ts',
  'gateway/features/tariffs/demand.ts → gateway/features/energy/query/readings.ts',
  'gateway/features/uploads/calls.ts → gateway/features/devices/peripheral.ts',
  'gateway/features/energy/query/home-context.ts → gateway/features/tariffs/tariff-rows.ts',
  'gateway/features/energy/query/home-context.ts → gateway/features/tariffs/tariffs-of-home.ts',
  'gateway/features/status/ingest/ingest.ts → gateway/features/meters/quarantine.ts',
  'gateway/features/status/ingest/store-reports.ts → gateway/features/meters/quarantine.ts',
]

/** What screens are made of, the lowest first; `domain` is what several of them show of one thing. */
const LEVELS = ['lib', 'data', 'live', 'providers', 'ui', 'record-kit', 'shell', 'domain']
/** The level of a file of src; -1 for a screen, and for what puts screens together. */
const levelOf = (path: string) => LEVELS.indexOf(path.split('/')[1] as string)
/** The folder of a view, or undefined. */
const viewOf = (path: string) => /^src\/(?:custom-views|resources)\/[^/]+\//.exec(path)?.[0]
/** Folders that a route leads to. The other views, such as the control of a device, are parts of screens. */
const SCREENS = new Set(imports.filter(({ from }) => from === 'src/routes.tsx').map(({ to }) => viewOf(to)))
const isOfScreen = (path: string) => viewOf(path) !== undefined && SCREENS.has(viewOf(path))

describe('the import graph', () => {
  it('was read', () => expect(imports.length).toBeGreaterThan(200))

  it('keeps every zone to what it may import', () => {
    const wrong = imports.filter(
      ({ from, to }) => zoneOf(to) !== zoneOf(from) && !MAY[zoneOf(from)]?.includes(zoneOf(to)),
    )
    expect(wrong.filter(({ to }) => to !== 'package.json')).toEqual([])
  })

  it('lets contract import zod and nothing else', () => {
    const packages = filesBelow('contract').flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/from '([^.'][^']*)'/g)].map((found) => found[1]),
    )
    expect(new Set(packages)).toEqual(new Set(['zod']))
  })

  it('lets no feature of the gateway import another, and nothing below features import one', () => {
    const wrong = imports
      .filter(
        ({ from, to }) => zoneOf(from) === 'gateway' && featureOf(to) && featureOf(from) !== featureOf(to),
      )
      .filter(({ from }) => from.split('/').length > 2)
      .map(({ from, to }) => `${from} → ${to}`)
    expect(wrong.filter((each) => !FEATURES_STILL_JOINED.includes(each))).toEqual([])
    expect(FEATURES_STILL_JOINED.filter((each) => !wrong.includes(each))).toEqual([])
  })

  it('lets the levels of the screens import what is beside or below them', () => {
    const wrong = imports.filter(({ from, to }) => {
      if (zoneOf(from) !== 'src' || zoneOf(to) !== 'src') return false
      const [own, other] = [levelOf(from), levelOf(to)]
      return own !== -1 && (other > own || viewOf(to) !== undefined)
    })
    expect(wrong).toEqual([])
  })

  it('lets no screen import another', () => {
    const wrong = imports.filter(({ from, to }) => {
      const own = viewOf(from)
      return own !== undefined && isOfScreen(to) && viewOf(to) !== own
    })
    expect(wrong).toEqual([])
    expect(SCREENS.size).toBeGreaterThan(20)
  })

  it('has no cycle', () => {
    const graph = new Map<string, string[]>()
    for (const { from, to } of imports) graph.set(from, [...(graph.get(from) ?? []), to])
    const done = new Set<string>()
    const cycleFrom = (file: string, path: string[]): string[] | undefined => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
      if (done.has(file)) return undefined
      for (const next of graph.get(file) ?? []) {
        const cycle = cycleFrom(next, [...path, file])
        if (cycle) return cycle
      }
      done.add(file)
      return undefined
    }
    for (const file of graph.keys()) expect(cycleFrom(file, [])).toBeUndefined()
  })

  it('draws the first screen without the face of any device', () => {
    const needed = new Set(['src/main.tsx', 'src/App.tsx', 'src/custom-views/dashboard/dashboard.tsx'])
    for (const file of needed)
      for (const { from, to, atOnce } of imports) if (from === file && atOnce) needed.add(to)
    expect(needed.size).toBeGreaterThan(100)
    expect(
      [...needed].filter((file) =>
        /custom-views\/(device-control|device-panel|camera|ir-remote|calibration)\//.test(file),
      ),
    ).toEqual([])
  })

  it('has no barrel but the registry', () => {
    const barrels = ZONES.flatMap(filesBelow).filter((file) => /\/index\.tsx?$/.test(file))
    expect(barrels).toEqual(['contract/index.ts'])
  })
})
