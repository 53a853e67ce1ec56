import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decryptBackup, encryptBackup, isEncryptedBackup } from '../../../gateway/store/encrypt-backup.ts'

let dir: string
const at = (name: string) => join(dir, name)
const PLAIN = Buffer.alloc(300_000, 'a row of the database, ')

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'encrypted-'))
  await writeFile(at('plain'), PLAIN)
  await encryptBackup(at('plain'), at('encrypted'), 'a long passphrase')
})
afterAll(() => rm(dir, { recursive: true }))

it('encrypts a backup, which the passphrase decrypts', async () => {
  expect((await readFile(at('encrypted'))).includes('a row')).toBe(false)
  expect((await stat(at('encrypted'))).mode & 0o077).toBe(0)
  expect([await isEncryptedBackup(at('plain')), await isEncryptedBackup(at('encrypted'))]).toEqual([
    false,
    true,
  ])
  await decryptBackup(at('encrypted'), at('again'), 'a long passphrase')
  expect((await readFile(at('again'))).equals(PLAIN)).toBe(true)
})

it('fails with another passphrase or a file with one changed byte', async () => {
  const WRONG = 'The passphrase is wrong, or the encrypted backup is damaged'
  await expect(decryptBackup(at('encrypted'), at('none'), 'another passphrase')).rejects.toThrow(WRONG)
  const bytes = await readFile(at('encrypted'))
  bytes[bytes.length >> 1]! ^= 1
  await writeFile(at('changed'), bytes)
  await expect(decryptBackup(at('changed'), at('none'), 'a long passphrase')).rejects.toThrow(WRONG)
  await writeFile(at('short'), bytes.subarray(0, 30))
  await expect(decryptBackup(at('short'), at('none'), 'a long passphrase')).rejects.toThrow('incomplete')
  await expect(stat(at('none'))).rejects.toThrow('ENOENT')
})
