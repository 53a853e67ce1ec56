import { readdirSync, readFileSync, existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
export const ZONES = [
  'contract',
  'src',
  'gateway',
  'device-link',
  'hubs',
  'simulator',
  'mock',
  'tests',
  'bench',
  'scripts',
]

/** Import of one file of the project by another; both paths are relative to the root. */
interface Import {
  from: string
  to: string
  /** `later` is a dynamic import. */
  kind: 'type' | 'value' | 'later'
}

/** Imports of every file of the project, types included. */
export const imports: readonly Import[] = ZONES.flatMap((zone) => filesBelow(zone)).flatMap((file) => {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const found = source.matchAll(
    /((?:import|export) type [^'"()]*)?(?:from|import)\s*(\()?\s*['"](\.[^'"]+)['"]/g,
  )
  return [...found].map(([, type, later, path]): Import => ({
    from: file,
    to: relative(ROOT, join(ROOT, dirname(file), path as string)),
    kind: type ? 'type' : later ? 'later' : 'value',
  }))
})

/** TypeScript files below a folder of the project; none if there is no such folder. */
export function filesBelow(folder: string): string[] {
  try {
    return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(folder, file))
  } catch {
    return []
  }
}

export const zoneOf = (path: string): string => path.split('/')[0] as string

/** Files that only assemble the program: nearly every test imports them, whatever it tests. */
const ASSEMBLIES = new Set([
  'contract/index.ts',
  'contract/resources.ts',
  'gateway/features.ts',
  'src/App.tsx',
  'src/routes.tsx',
])

/** Folders with one folder for each feature, record or screen. */
const DIVIDED = /^(?:gateway\/(?:features|domain)|src\/(?:custom-views|resources|domain))\/[^/]+/

const isTest = (file: string) => /\.test\.tsx?$/.test(file) && !/\.(?:process|cluster)\.test\./.test(file)

/** Folders with the tests of a file: the one that mirrors its folder or feature, and for an area of the contract the feature of that name. */
function foldersOf(file: string): string[] {
  const area = /^contract\/([^/]+)\//.exec(file)?.[1]
  const own = DIVIDED.exec(file)?.[0] ?? dirname(file)
  return [own, ...(area ? [`gateway/features/${area}`] : [])].map((folder) => join('tests', folder))
}

/**
 * Unit, wire and web tests that a change concerns, as sorted paths: tests that import a changed file, directly or through other files but
 * not through one that assembles the program; tests in the folder that mirrors the one of a changed file; and all invariants.
 *
 * changed  paths of files, also of deleted ones
 */
export function testsOfChange(changed: readonly string[], imports: readonly Import[]): string[] {
  const users = new Map<string, string[]>()
  for (const { from, to } of imports) users.set(to, [...(users.get(to) ?? []), from])
  const affected = new Set(changed)
  for (const file of affected)
    for (const user of users.get(file) ?? []) if (!ASSEMBLIES.has(user)) affected.add(user)
  const code = changed.filter((file) =>
    /^(?:contract|gateway|src|hubs|simulator|scripts)\/.*\.tsx?$/.test(file),
  )
  const folders = new Set(['tests/invariants', ...code.flatMap(foldersOf)])
  return [...new Set([...affected, ...[...folders].flatMap(filesBelow)])]
    .filter((file) => isTest(file) && existsSync(join(ROOT, file)))
    .toSorted()
}
