import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Says who a screen's message is from, where the broker does not: the person and until when, with a code that only the
 * gateways can make. It goes to that screen alone, and from there to gateways alone.
 */
export function createProofs(key: Uint8Array) {
  const codeOf = (tenant: string, cognitoId: string, expiresAt: number) =>
    createHmac('sha256', key).update(`${tenant}/${cognitoId}/${expiresAt}`).digest()

  return {
    make: (tenant: string, cognitoId: string, expiresAt: number): string =>
      `${cognitoId}.${expiresAt}.${codeOf(tenant, cognitoId, expiresAt).toString('base64url')}`,

    /** The person of this company, or undefined when the proof is forged, another company's, or over. */
    read(proof: unknown, tenant: string, now: number): string | undefined {
      if (typeof proof !== 'string') return undefined
      const [cognitoId = '', until = '', code = ''] = proof.split('.')
      const expiresAt = Number(until)
      const given = Buffer.from(code, 'base64url')
      const right = codeOf(tenant, cognitoId, expiresAt)
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
      return expiresAt > now ? cognitoId : undefined
    },
  }
}
