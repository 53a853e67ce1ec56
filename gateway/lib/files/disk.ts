import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { GatewayError } from '../../kernel/errors.ts'
import type { Files } from '../../kernel/ports.ts'
import { contentTypeOf, assertKey } from './key.ts'

/** Error codes of a missing file, including a file in place of a directory of the key. */
const MISSING_CODES = new Set(['ENOENT', 'ENOTDIR'])

/** Error codes of a disk that cannot store more. */
const UNWRITABLE_CODES = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

/** Extension of temporary files. */
const TEMPORARY_SUFFIX = '.tmp'
/** Age in ms of a temporary file that no upload can still be writing; a killed gateway left it. */
const ABANDONED_AFTER_MS = 3_600_000

/** Deletes abandoned temporary files. */
export async function removeUnfinished(directory: string, now: number): Promise<void> {
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  for (const name of names) {
    if (!name.endsWith(TEMPORARY_SUFFIX)) continue
    const path = join(directory, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
    if (now - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true })
  }
}

/** File name that is not a valid key. */
const LOCATION_FILE = '.mark'

/** Mark of a directory that is already a store; undefined for any other. */
export const readLocationId = (directory: string): Promise<string | undefined> =>
  readFile(join(directory, LOCATION_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (MISSING_CODES.has(error.code ?? '')) return undefined
    throw error
  })

/** Marks a directory; if several gateways do so concurrently, one succeeds. */
async function createLocationId(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true })
  const temporaryPath = join(directory, `${LOCATION_FILE}.${randomUUID()}${TEMPORARY_SUFFIX}`)
  await writeFile(temporaryPath, randomUUID(), { flag: 'wx', mode: 0o640, flush: true })
  await link(temporaryPath, join(directory, LOCATION_FILE))
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    .finally(() => rm(temporaryPath, { force: true }))
  return (await readLocationId(directory)) as string
}

/**
 * Files in a directory. A file is complete or absent: it is written to a temporary file and renamed.
 *
 * errors  UNAVAILABLE while the disk is full
 */
export function createDiskFiles(directory: string): Files {
  const pathOf = (key: string) => join(directory, ...assertKey(key).split('/'))

  async function write(key: string, content: Uint8Array | Readable): Promise<void> {
    const path = pathOf(key)
    const temporaryPath = `${path}.${randomUUID()}${TEMPORARY_SUFFIX}`
    try {
      await mkdir(dirname(path), { recursive: true })
      const file = await open(temporaryPath, 'wx', 0o640)
      try {
        await writeFile(file, content)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(temporaryPath, path)
    } catch (error) {
      await rm(temporaryPath, { force: true })
      if (!UNWRITABLE_CODES.has((error as NodeJS.ErrnoException).code ?? '')) throw error
      throw new GatewayError('UNAVAILABLE', 'The disk takes no more files', undefined, { cause: error })
    }
  }

  return {
    readLocationId: async () => (await readLocationId(directory)) ?? createLocationId(directory),

    put: (key, bytes) => write(key, bytes),
    putStream: (key, source) => write(key, source),

    async get(key) {
      const contentType = contentTypeOf(assertKey(key)) as string
      try {
        return { bytes: await readFile(pathOf(key)), contentType }
      } catch (error) {
        if (MISSING_CODES.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
        throw error
      }
    },

    async getStream(key, from = 0) {
      const file = await open(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        if (MISSING_CODES.has(error.code ?? '')) return undefined
        throw error
      })
      if (!file) return undefined
      const { size } = await file.stat()
      return { stream: file.createReadStream({ start: from }), size }
    },

    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
  }
}
