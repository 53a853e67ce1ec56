import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Files } from '../outsides.ts'
import { contentTypeOf, safeKey } from './key.ts'

/** Nothing there, or a picture where the key has a directory. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR'])

/** Pictures in a directory. A picture is there whole or not at all: it is written aside and renamed. */
export function createDiskFiles(directory: string): Files {
  const pathOf = (key: string) => join(directory, ...safeKey(key).split('/'))
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true })
      const aside = `${path}.${randomUUID()}.tmp`
      try {
        const file = await open(aside, 'wx', 0o640)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(aside, path)
      } catch (error) {
        await rm(aside, { force: true })
        throw error
      }
    },

    async get(key) {
      const contentType = contentTypeOf(safeKey(key)) as string
      try {
        return { bytes: await readFile(pathOf(key)), contentType }
      } catch (error) {
        if (NOT_THERE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
        throw error
      }
    },

    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
  }
}
