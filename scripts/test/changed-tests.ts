import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesBelow, type Import, ROOT } from './import-graph.ts'

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
  const reached = new Set(changed)
  for (const file of reached)
    for (const user of users.get(file) ?? []) if (!ASSEMBLIES.has(user)) reached.add(user)
  const code = changed.filter((file) =>
    /^(?:contract|gateway|src|hubs|simulator|scripts)\/.*\.tsx?$/.test(file),
  )
  const folders = new Set(['tests/invariants', ...code.flatMap(foldersOf)])
  return [...new Set([...reached, ...[...folders].flatMap(filesBelow)])]
    .filter((file) => isTest(file) && existsSync(join(ROOT, file)))
    .toSorted()
}
