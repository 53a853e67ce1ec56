import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const Version = z.string().regex(/^\d+\.\d+\.\d+$/)

/** Effects of migrations since the last release on gateways of that release, which are still running when they are applied. */
export const Compat = z.object({
  /** Last release. Additive migrations need no entry and are compatible with it. */
  released: Version,
  /** Last migration of that release; steps are later ones. */
  through: z.string().optional(),
  /** Steps by file name of the migration. */
  steps: z.record(
    z.string(),
    z.object({
      /** Adds; removes; rewrites rows. */
      step: z.enum(['expand', 'contract', 'data']),
      /** For a contract step: first release whose code does not use what is removed. */
      since: Version.optional(),
      /** Removed objects, in the wording of the test that detects them. */
      breaks: z.array(z.string()).default([]),
      why: z.string().min(20),
    }),
  ),
})
export type Compat = z.infer<typeof Compat>

/** Reads compat.json of a migrations directory; undefined if missing. */
export async function readCompat(dir: string): Promise<Compat | undefined> {
  const text = await readFile(join(dir, 'compat.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : Compat.parse(JSON.parse(text))
}

/** First release whose gateways work on a database with this migration; null if unknown. */
export const compatibleSince = (compat: Compat | undefined, name: string): string | null =>
  compat ? (compat.steps[name]?.since ?? compat.released) : null

/** Whether a version equals another one or precedes it. */
export const isAtMost = (version: string, other: string): boolean =>
  version.localeCompare(other, 'en', { numeric: true }) <= 0
