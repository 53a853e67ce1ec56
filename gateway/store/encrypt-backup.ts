import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

/** First line of an encrypted backup, followed by the salt, the nonce, the encrypted bytes of the backup, and the authentication tag. */
const LABEL = Buffer.from('gateway-backup-encrypted 1\n')
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = LABEL.length + SALT_BYTES + NONCE_BYTES
export const MIN_PASSPHRASE = 12

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
const keyOf = (passphrase: string, salt: Buffer) =>
  derive(passphrase, salt, 32, { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 })

/** Encrypts a backup file into another one, which gets its final name when complete. */
export async function encryptBackup(from: string, to: string, passphrase: string): Promise<void> {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)]
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt), nonce).setAAD(LABEL)
  const draft = `${to}.partial`
  try {
    await pipeline(
      createReadStream(from),
      cipher,
      async function* (encrypted: AsyncIterable<Buffer>) {
        yield Buffer.concat([LABEL, salt, nonce])
        yield* encrypted
        yield cipher.getAuthTag()
      },
      createWriteStream(draft, { mode: 0o600, flush: true }),
    )
    await rename(draft, to)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

export async function isEncryptedBackup(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LABEL.length), 0, LABEL.length, 0)
    return bytesRead === LABEL.length && buffer.equals(LABEL)
  } finally {
    await file.close()
  }
}

/**
 * Decrypts a backup file into another one.
 *
 * errors  if the passphrase is wrong or a byte differs; the output is then invalid and deleted
 */
export async function decryptBackup(from: string, to: string, passphrase: string): Promise<void> {
  const file = await open(from, 'r')
  try {
    const { size } = await file.stat()
    if (size < HEAD_BYTES + TAG_BYTES) throw new Error('The encrypted backup is incomplete')
    const at = async (position: number, length: number) =>
      (await file.read(Buffer.alloc(length), 0, length, position)).buffer
    const salt = await at(LABEL.length, SALT_BYTES)
    const nonce = await at(LABEL.length + SALT_BYTES, NONCE_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', await keyOf(passphrase, salt), nonce, {
      authTagLength: TAG_BYTES,
    })
      .setAAD(LABEL)
      .setAuthTag(await at(size - TAG_BYTES, TAG_BYTES))
    const encrypted = createReadStream(from, { start: HEAD_BYTES, end: size - TAG_BYTES - 1 })
    await pipeline(encrypted, decipher, createWriteStream(to, { mode: 0o600 }))
  } catch (error) {
    await rm(to, { force: true })
    const isWrong = error instanceof Error && /authenticate data/.test(error.message)
    throw isWrong ? new Error('The passphrase is wrong, or the encrypted backup is damaged') : error
  } finally {
    await file.close()
  }
}
