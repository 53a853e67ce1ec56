import { readdirSync, readFileSync } from 'node:fs'
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
export interface Import {
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
