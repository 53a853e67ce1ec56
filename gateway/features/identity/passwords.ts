import { hash, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { compactDecrypt, errors } from 'jose'
import { Password } from '../../../contract/kernel/scalars.ts'
import { isPassword } from '../../../contract/kernel/sign-in-rules.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { PoolError } from './pool-error.ts'
import type { KeyRing } from './keys.ts'

/** OWASP's argon2id parameters: 19 MiB, two passes, one lane. */
const OWASP = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const MAX_LENGTH = 256

/** The 10,000 most common passwords that the rules of §5 accept, in lower case. */
const COMMON_PASSWORDS = new Set(
  dictionary['passwords-common'].filter((password) => isPassword(password)).slice(0, 10_000),
)

export type Passwords = ReturnType<typeof createPasswords>

/**
 * Hashes and verifies passwords with limited concurrency, so that a flood of sign-ins does not exhaust threads and memory.
 *
 * maxRunning  maximum number of concurrent hashes
 * maxWaiting  maximum queue length; beyond it callers get TooManyRequestsException
 * cost     parameters of a hash, memory in KiB; only tests use less than OWASP's
 */
export function createPasswords({
  maxRunning = 2,
  maxWaiting = 200,
  cost = OWASP,
}: { maxRunning?: number; maxWaiting?: number; cost?: typeof OWASP } = {}) {
  let busy = 0
  let hashed = 0
  const queue: (() => void)[] = []
  // Computed in advance; otherwise the first unknown account would wait for two hashes.
  const dummy = hash('no password has this hash', cost)

  async function runQueued<T>(work: () => Promise<T>): Promise<T> {
    if (busy >= maxRunning) {
      if (queue.length >= maxWaiting)
        throw new PoolError('TooManyRequestsException', 'Too many sign-ins, try again')
      await new Promise<void>((resolve) => queue.push(resolve))
    } else busy++
    try {
      hashed++
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else busy--
    }
  }

  return {
    /** Argon2id hash in PHC string form; throws like `requirePassword`. */
    async hash(password: string): Promise<string> {
      requirePassword(password)
      return runQueued(() => hash(password, cost))
    },

    /**
     * Whether the password matches the stored hash.
     *
     * stored  undefined for an unknown person: a dummy is verified instead, so that the response takes as long
     */
    async verify(stored: string | undefined, password: string): Promise<boolean> {
      const known = stored ?? (await dummy)
      const matches = await runQueued(() => verify(known, password.slice(0, MAX_LENGTH)))
      return matches && stored !== undefined && password.length <= MAX_LENGTH
    },

    /** Number of computed hashes; for metrics and tests. */
    get hashed() {
      return hashed
    },
  }
}

/** Throws InvalidPasswordException unless the password meets the rules of §5 and is not a common one, in any case. */
export function requirePassword(password: string): void {
  if (!Password.safeParse(password).success)
    throw new PoolError(
      'InvalidPasswordException',
      'Password did not conform with policy: at least 6 characters with a digit and a lowercase letter',
    )
  if (COMMON_PASSWORDS.has(password.toLowerCase()))
    throw new PoolError(
      'InvalidPasswordException',
      'This password is too common and easy to guess, choose another',
      'commonPassword',
    )
}

/**
 * Decrypts the password of a sign-up.
 *
 * jwe     encrypted to the public sign-up key (ECDH-ES+A256KW, P-256)
 * errors  INVALID if it is encrypted to another key, or was tampered with
 */
export async function decryptPassword(jwe: string, keys: KeyRing): Promise<string> {
  try {
    const { plaintext } = await compactDecrypt(
      jwe,
      async ({ kid }) => {
        const key = await keys.privateKey(kid)
        if (!key) throw new errors.JWEDecryptionFailed('unknown key')
        return key
      },
      {
        keyManagementAlgorithms: ['ECDH-ES', 'ECDH-ES+A256KW'],
        contentEncryptionAlgorithms: ['A256GCM', 'A128GCM'],
      },
    )
    return new TextDecoder().decode(plaintext)
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    throw new GatewayError('INVALID', 'The password is not encrypted to the current key', {
      Password: 'encryption',
    })
  }
}
