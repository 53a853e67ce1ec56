import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../kernel/errors.ts'
import type { Clock } from '../kernel/ports.ts'

export interface SecurityContactOptions {
  /** `mailto:` and an address, or an https page, as in SECURITY_CONTACT; NOT_FOUND if omitted. */
  contact: string | undefined
  /** Public URL of the gateway; only https is canonical (RFC 9116, section 2.5.2). */
  publicUrl: string | undefined
  clock: Pick<Clock, 'now'>
}

const PATH = '/.well-known/security.txt'
/** Validity of the file in ms: below a year, as RFC 9116, section 2.5.5, recommends. */
const VALID_MS = 180 * 86_400_000

/** GET /.well-known/security.txt (RFC 9116): contact for reports of vulnerabilities in this installation. */
export function serveSecurityContact(
  app: FastifyInstance,
  { contact, publicUrl, clock }: SecurityContactOptions,
): void {
  app.get(PATH, async (_request, reply) => {
    if (contact === undefined) throw new GatewayError('NOT_FOUND', 'SECURITY_CONTACT is not set')
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${new Date(clock.now() + VALID_MS).toISOString()}`,
      'Preferred-Languages: zh-TW, en',
      ...(publicUrl?.startsWith('https:') ? [`Canonical: ${publicUrl}${PATH}`] : []),
    ]
    return reply
      .headers({ 'cache-control': 'no-cache', 'content-type': 'text/plain; charset=utf-8' })
      .send(`${lines.join('\n')}\n`)
  })
}
