import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Files } from '../outsides.ts'
import { contentTypeOf, safeKey } from './key.ts'

/** Nothing there, or a picture where the key has a directory. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR'])

/** Files in a directory. A file is there whole or not at all: it is written aside and renamed. */
export function createDiskFiles(directory: string): Files {
  const pathOf = (key: string) => join(directory, ...safeKey(key).split('/'))

  async function write(key: string, content: Uint8Array | Readable): Promise<void> {
    const path = pathOf(key)
    await mkdir(dirname(path), { recursive: true })
    const aside = `${path}.${randomUUID()}.tmp`
    try {
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
      throw error
    }
  }

  return {
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
