import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDiskFiles, readLocationId, removeUnfinished } from '../../../../gateway/lib/files/disk.ts'
import { mountDisk } from '../../../support/mount-disk.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'files-'))
})
afterAll(() => rm(directory, { recursive: true }))

it('returns what was stored, until it is removed', async () => {
  const files = createDiskFiles(join(directory, 'images'))
  await files.put('t1/a.png', Buffer.from('picture'), 'image/png')
  expect(await files.get('t1/a.png')).toEqual({ bytes: Buffer.from('picture'), contentType: 'image/png' })
  expect(await readdir(join(directory, 'images/t1'))).toEqual(['a.png'])
  await files.remove('t1/a.png')
  expect(await files.get('t1/a.png')).toBeUndefined()
  await files.remove('t1/a.png')
})

it('has one mark for concurrent readers, and another one in each directory', async () => {
  const shared = join(directory, 'shared')
  const marks = await Promise.all([1, 2, 3].map(() => createDiskFiles(shared).readLocationId()))
  expect(new Set(marks).size).toBe(1)
  expect(await createDiskFiles(shared).readLocationId()).toBe(marks[0])
  expect(await readLocationId(shared)).toBe(marks[0])
  expect(await readdir(shared)).toEqual(['.mark'])
  expect(await createDiskFiles(join(directory, 'own')).readLocationId()).not.toBe(marks[0])
  expect(await readLocationId(join(directory, 'none'))).toBeUndefined()
})

it.each([
  '../secret.png',
  't1/../../secret.png',
  '/etc/passwd.png',
  't1//a.png',
  '.hidden.png',
  't1/a',
  'a.svg',
  'a.constructor',
  'a\0.png',
])('rejects the key %j', async (key) => {
  await writeFile(join(directory, 'secret.png'), 'secret')
  const files = createDiskFiles(join(directory, 'images'))
  await expect(files.get(key)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(files.put(key, Buffer.from('x'), 'image/png')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('deletes unfinished files of a killed gateway, and nothing else', async () => {
  const images = join(directory, 'left')
  await createDiskFiles(images).put('t1/a.png', Buffer.from('picture'), 'image/png')
  const now = Date.now()
  for (const [name, age] of [
    ['t1/b.bin.old.tmp', 4_000],
    ['t1/c.bin.new.tmp', 60],
  ] as const) {
    await writeFile(join(images, name), 'half')
    await utimes(join(images, name), now / 1000 - age, now / 1000 - age)
  }
  await utimes(join(images, 't1/a.png'), 0, 0)
  await removeUnfinished(images, now)
  expect((await readdir(join(images, 't1'))).toSorted()).toEqual(['a.png', 'c.bin.new.tmp'])
  await removeUnfinished(join(directory, 'never-made'), now)
})

it('reports a full disk, keeps no partial file, and works once there is space', async (test) => {
  const disk = mountDisk(test, 'size=256k')
  const files = createDiskFiles(disk)
  const full = { code: 'UNAVAILABLE' }
  const large = Buffer.alloc(512 * 1024)
  await expect(files.put('t1/a.png', large, 'image/png')).rejects.toMatchObject(full)
  await expect(files.putStream('t1/a.bin', Readable.from([large]), '')).rejects.toMatchObject(full)
  expect(await readdir(join(disk, 't1'))).toEqual([])
  await files.put('t1/a.png', Buffer.from('picture'), 'image/png')
  expect(await readdir(join(disk, 't1'))).toEqual(['a.png'])
})

it('finds nothing below a picture', async () => {
  const files = createDiskFiles(join(directory, 'images'))
  await files.put('t2/a.png', Buffer.from('picture'), 'image/png')
  expect(await files.get('t2/a.png/b.png')).toBeUndefined()
})
