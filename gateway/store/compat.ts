import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const Version = z.string().regex(/^\d+\.\d+\.\d+$/)

/** What migrations since the last release do to gateways of that release, which still work when they run. */
export const Compat = z.object({
  /** The last release. What only adds is not named below and works with it. */
  released: Version,
  /** The last migration that it has; steps are of later ones. */
  through: z.string().optional(),
  /** By the file of the migration. */
  steps: z.record(
    z.string(),
    z.object({
      /** Adds; takes something away; rewrites rows. */
      step: z.enum(['expand', 'contract', 'data']),
      /** Of a contract step: the first release whose code does not use what goes. */
      since: Version.optional(),
      /** What goes, in the words of the test that finds it. */
      breaks: z.array(z.string()).default([]),
      why: z.string().min(20),
    }),
  ),
})
export type Compat = z.infer<typeof Compat>

/** Reads compat.json of a migrations directory; undefined where there is none. */
export async function readCompat(dir: string): Promise<Compat | undefined> {
  const text = await readFile(join(dir, 'compat.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : Compat.parse(JSON.parse(text))
}

/** The first release whose gateways work on a database that has this migration; null where nobody says so. */
export const worksSince = (compat: Compat | undefined, name: string): string | null =>
  compat ? (compat.steps[name]?.since ?? compat.released) : null

/** Whether a version is another one or comes before it. */
export const isAtMost = (version: string, other: string): boolean =>
  version.localeCompare(other, 'en', { numeric: true }) <= 0
