import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Locked {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/**
 * The given packages and those they need at run time, as folders below `root` (`node_modules/…`).
 * Optional ones are included if installed, such as the native part for this platform.
 *
 * errors    if a required package is not installed
 */
export function neededPackages(root: string, names: readonly string[]): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const result = new Set<string>()
  const pending = names.map((name) => ({ from: '', name, optional: false }))
  for (let next = pending.pop(); next; next = pending.pop()) {
    const folder = placeOf(lock.packages, next.from, next.name)
    if (folder === undefined || !existsSync(join(root, folder))) {
      if (next.optional) continue
      throw new Error(`${next.name} is not installed: npm ci`)
    }
    if (result.has(folder)) continue
    result.add(folder)
    const { dependencies = {}, optionalDependencies = {} } = lock.packages[folder] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      pending.push({ from: folder, name, optional: name in optionalDependencies })
  }
  return [...result].sort()
}

/** Folder in which Node finds a package from within another: nested in it, or in a folder above. */
function placeOf(packages: Record<string, Locked>, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`
    if (place in packages) return place
    if (!folder) return undefined
  }
}

/** Packages that the built gateway loads from `node_modules`: those with native parts, and clients that few installations need. */
export const UNBUNDLED = [
  '@node-rs/argon2',
  'sharp',
  '@aws-sdk/client-s3',
  '@nats-io/transport-node',
] as const
