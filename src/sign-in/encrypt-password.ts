import { CompactEncrypt, importJWK, type JWK } from 'jose'

/** Password as a compact JWE for a public key (§7 UserSignUp). */
export async function encryptPassword(password: string, key: JWK): Promise<string> {
  const alg = key.alg ?? (key.kty === 'RSA' ? 'RSA-OAEP-256' : 'ECDH-ES')
  return new CompactEncrypt(new TextEncoder().encode(password))
    .setProtectedHeader({ alg, enc: 'A256GCM', ...(key.kid && { kid: key.kid }) })
    .encrypt(await importJWK(key, alg))
}
