import { createTransport } from 'nodemailer'
import type { Mail } from '../../ports.ts'

const TIMEOUT = 10_000

/**
 * Sends mail through a server.
 *
 * url   smtp://user:password@host:587 or smtps://…:465
 * from  sender, e.g. "Building <noreply@example.com>"
 */
export function createSmtpMail(url: string, from: string): Mail & { close(): void } {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
  })
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    goesOut: true,
    async send({ calendar, id, ...message }) {
      await transport.sendMail({
        from,
        ...message,
        ...(id !== undefined && { messageId: `<${id}@${domain}>` }),
        ...(calendar && { icalEvent: calendar }),
      })
    },
    close: () => transport.close(),
  }
}
