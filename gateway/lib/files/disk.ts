import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { GatewayError } from '../../kernel/errors.ts'
import type { Files } from '../../kernel/ports.ts'
import { contentTypeOf, safeKey } from './key.ts'

/** Error codes of a missing file, including a file in place of a directory of the key. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR'])

/** Error codes of a disk that cannot store more. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

/** Extension of temporary files. */
const UNFINISHED = '.tmp'
/** Age in ms of a temporary file that no upload can still be writing; a killed gateway left it. */
const ABANDONED_AFTER_MS = 3_600_000

/** Deletes abandoned temporary files. */
export async function removeUnfinished(directory: string, now: number): Promise<void> {
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  for (const name of names) {
    if (!name.endsWith(UNFINISHED)) continue
    const path = join(directory, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
    if (now - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true })
  }
}

/** File name that is not a valid key. */
const MARK = '.mark'

/** Mark of a directory that is already a store; undefined for any other. */
export const readMark = (directory: string): Promise<string | undefined> =>
  readFile(join(directory, MARK), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (NOT_THERE.has(error.code ?? '')) return undefined
    throw error
  })

/** Marks a directory; if several gateways do so concurrently, one succeeds. */
async function makeMark(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true })
  const aside = join(directory, `${MARK}.${randomUUID()}${UNFINISHED}`)
  await writeFile(aside, randomUUID(), { flag: 'wx', mode: 0o640, flush: true })
  await link(aside, join(directory, MARK))
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    .finally(() => rm(aside, { force: true }))
  return (await readMark(directory)) as string
}

/**
 * Files in a directory. A file is complete or absent: it is written to a temporary file and renamed.
 *
 * errors  UNAVAILABLE while the disk is full
 */
export function createDiskFiles(directory: string): Files {
  const pathOf = (key: string) => join(directory, ...safeKey(key).split('/'))

  async function write(key: string, content: Uint8Array | Readable): Promise<void> {
    const path = pathOf(key)
    const aside = `${path}.${randomUUID()}${UNFINISHED}`
    try {
      await mkdir(dirname(path), { recursive: true })
      const file = await open(aside, 'wx', 0o640)
      try {
        await writeFile(file, content)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(aside, path)
    } catch (error) {
      await rm(aside, { force: true })
      if (!FULL.has((error as NodeJS.ErrnoException).code ?? '')) throw error
      throw new GatewayError('UNAVAILABLE', 'The disk takes no more files', undefined, { cause: error })
    }
  }

  return {
    mark: async () => (await readMark(directory)) ?? makeMark(directory),

    put: (key, bytes) => write(key, bytes),
    putStream: (key, source) => write(key, source),

    async get(key) {
      const contentType = contentTypeOf(safeKey(key)) as string
      try {
        return { bytes: await readFile(pathOf(key)), contentType }
      } catch (error) {
        if (NOT_THERE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
        throw error
      }
    },

    async getStream(key, from = 0) {
      const file = await open(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        if (NOT_THERE.has(error.code ?? '')) return undefined
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
