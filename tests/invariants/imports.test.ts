import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, imports, ROOT, ZONES, zoneOf } from '../../scripts/test/import-graph.ts'

/** Allowed import targets of a zone; its own zone and packages are always allowed. */
const MAY: Record<string, string[]> = {
  contract: [],
  src: ['contract', 'locales'],
  gateway: ['contract', 'locales'],
  'device-link': ['contract'],
  hubs: ['contract', 'device-link'],
  simulator: ['contract', 'device-link'],
  // Page on recorded data that no part of the product imports.
  mock: ['contract', 'simulator', 'src'],
  tests: [...ZONES, 'locales'],
  bench: ZONES.filter((zone) => zone !== 'mock'),
  scripts: ['contract', 'gateway', 'simulator'],
}

/** Gateway feature of a file; undefined for every other file. */
const featureOf = (path: string) => /^gateway\/features\/([^/]+)\//.exec(path)?.[1]
/** Whether a file is directly in the gateway folder. */
const isRoot = (path: string) => /^gateway\/[^/]+$/.test(path)

/** Layers of the screens, lowest first; `domain` contains parts that several screens share. */
const LEVELS = ['lib', 'data', 'live', 'providers', 'ui', 'record-kit', 'shell', 'domain']
/** Layer of a file of src; -1 for a screen, and for the composition of screens. */
const levelOf = (path: string) => LEVELS.indexOf(path.split('/')[1] as string)
const viewOf = (path: string) => /^src\/(?:custom-views|resources)\/[^/]+\//.exec(path)?.[0]
/** Folders with a route. The other views, such as the control of a device, are parts of screens. */
const SCREENS = new Set([
  ...imports.filter(({ from }) => from === 'src/routes.ts').map(({ to }) => viewOf(to)),
  ...filesBelow('src/resources').map(viewOf),
])
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
    const wrong = imports.filter(
      ({ from, to }) =>
        zoneOf(from) === 'gateway' &&
        featureOf(to) !== undefined &&
        featureOf(from) !== featureOf(to) &&
        !isRoot(from),
    )
    expect(wrong).toEqual([])
  })

  it('names the features of the gateway in one file', () => {
    const naming = imports.filter(({ from, to }) => isRoot(from) && featureOf(to) !== undefined)
    // The configuration selects the user pool before a gateway exists.
    expect(new Set(naming.map(({ from }) => from))).toEqual(
      new Set(['gateway/features.ts', 'gateway/start.ts']),
    )
    expect(naming.filter(({ from }) => from === 'gateway/start.ts').map(({ to }) => to)).toEqual([
      'gateway/features/identity/choose-pool.ts',
    ])
  })

  it('lets the levels of the screens import what is beside or below them', () => {
    const wrong = imports.filter(({ from, to }) => {
      if (zoneOf(from) !== 'src' || zoneOf(to) !== 'src') return false
      const [own, other] = [levelOf(from), levelOf(to)]
      return own !== -1 && (other > own || viewOf(to) !== undefined)
    })
    expect(wrong).toEqual([])
  })

  it('keeps Ant Design out of what the screens need that are opened first, and out of plain parts', () => {
    const plain = filesBelow('src').flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/ = plainPart\b[^;]*?\bimport\('([^']+)'\)/g)].map(
        ([, path]) => relative(ROOT, join(ROOT, dirname(file), path as string)),
      ),
    )
    expect(plain.length).toBeGreaterThan(2)
    const table = readFileSync(join(ROOT, 'src/routes.ts'), 'utf8')
    const screens = [...table.matchAll(/import\('\.\/([^']+)'\),\s*plain: true/g)].map(
      ([, path]) => `src/${path}`,
    )
    expect(screens).toHaveLength(6)
    const first = ['src/App.tsx', 'src/shell/layout.tsx', ...screens]
    // Parts that the shell loads lazily after the first paint.
    const soon = ['update-notice', 'alarm-badge', 'tour/tour-host'].map((part) => `src/shell/${part}.tsx`)
    const needed = new Set([...first, ...soon, ...plain])
    for (const file of needed)
      for (const { from, to, kind } of imports) if (from === file && kind === 'value') needed.add(to)
    const drawsWith = (file: string) =>
      /^import (?!type )[^'"]*(from )?'(antd|@ant-design\/icons)(\/[^']*)?'/m.test(
        readFileSync(join(ROOT, file), 'utf8'),
      )
    expect([...needed].filter((file) => /\.tsx?$/.test(file) && drawsWith(file))).toEqual([])
  })

  it('brings no library with what asks for what is needed first', () => {
    const needed = new Set(['src/prefetch.ts'])
    for (const file of needed)
      for (const { from, to, kind } of imports) if (from === file && kind === 'value') needed.add(to)
    expect(needed.size).toBeGreaterThan(5)
    const brings = (file: string) =>
      /^import (?!type )[^'"]*(from )?'[^./]/m.test(readFileSync(join(ROOT, file), 'utf8'))
    expect([...needed].filter(brings)).toEqual([])
  })

  it('has no module of the page wait at its top level, for which each part of the application would cost a request', () => {
    const waits = ['contract', 'src']
      .flatMap(filesBelow)
      .filter((file) => /^(?:export )?(?:const [^=]+= )?await /m.test(readFileSync(join(ROOT, file), 'utf8')))
    expect(waits).toEqual([])
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

  it('draws the first screen without the face of any device, the realtime client, schemas of changes, and the code of push', () => {
    const needed = new Set(['src/main.tsx', 'src/App.tsx', 'src/custom-views/dashboard/dashboard.tsx'])
    for (const file of needed)
      for (const { from, to, kind } of imports) if (from === file && kind === 'value') needed.add(to)
    expect(needed.size).toBeGreaterThan(100)
    const loads = (file: string) =>
      /^import (?!type )[^'"]*(from )?'mqtt(\/[^']*)?'/m.test(readFileSync(join(ROOT, file), 'utf8'))
    expect([...needed].filter((file) => file === 'contract/data-change.ts' || loads(file))).toEqual([])
    expect(
      [...needed].filter((file) =>
        /custom-views\/(device-control|device-panel|camera|ir-remote|calibration)\/|domain\/push\/|push-(worker|section)/.test(
          file,
        ),
      ),
    ).toEqual([])
  })

  it('draws every dialog with the parts that move the focus', () => {
    const others = filesBelow('src').filter((file) =>
      /import \{[^}]*\b(?:Modal|Drawer)\b[^}]*\} from 'antd'/.test(readFileSync(join(ROOT, file), 'utf8')),
    )
    expect(others.sort()).toEqual(['src/shell/dialog-host.tsx', 'src/ui/page/dialog.tsx'])
  })

  it('never leads to a program, which would run when it is imported', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const programs = Object.values(scripts).flatMap((line) => /^tsx (\S+)/.exec(line)?.[1] ?? [])
    expect(programs).toContain('scripts/demo.ts')
    expect(
      imports
        .filter(({ to, kind }) => kind !== 'later' && programs.includes(to))
        .map(({ from, to }) => `${from} -> ${to}`),
    ).toEqual([])
  })

  it('has no barrel but the registry', () => {
    const barrels = ZONES.flatMap(filesBelow).filter((file) => /\/index\.tsx?$/.test(file))
    expect(barrels).toEqual(['contract/index.ts'])
  })
})
