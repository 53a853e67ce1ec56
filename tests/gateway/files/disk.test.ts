import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDiskFiles } from '../../../gateway/files/disk.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'files-'))
})
afterAll(() => rm(directory, { recursive: true }))

it('gives back what it was given, until it is removed', async () => {
  const files = createDiskFiles(join(directory, 'images'))
  await files.put('t1/a.png', Buffer.from('picture'), 'image/png')
  expect(await files.get('t1/a.png')).toEqual({ bytes: Buffer.from('picture'), contentType: 'image/png' })
  expect(await readdir(join(directory, 'images/t1'))).toEqual(['a.png'])
  await files.remove('t1/a.png')
  expect(await files.get('t1/a.png')).toBeUndefined()
  await files.remove('t1/a.png')
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
])('has no place for the key %j', async (key) => {
  await writeFile(join(directory, 'secret.png'), 'secret')
  const files = createDiskFiles(join(directory, 'images'))
  await expect(files.get(key)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(files.put(key, Buffer.from('x'), 'image/png')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('has nothing below a picture', async () => {
  const files = createDiskFiles(join(directory, 'images'))
  await files.put('t2/a.png', Buffer.from('picture'), 'image/png')
  expect(await files.get('t2/a.png/b.png')).toBeUndefined()
})
