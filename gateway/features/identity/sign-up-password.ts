import { compactDecrypt, errors } from 'jose'
import { GatewayError } from '../../kernel/errors.ts'
import type { KeyRing } from './keys.ts'

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
