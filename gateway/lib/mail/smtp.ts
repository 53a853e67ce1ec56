import { createTransport } from 'nodemailer'
import type { Mail } from '../../kernel/ports.ts'

const TIMEOUT_MS = 10_000

/** Connection options: smtp://user:password@host:587 or smtps://…:465 */
const transportOptions = (url: string, timeout = TIMEOUT_MS) => ({
  url,
  connectionTimeout: timeout,
  greetingTimeout: timeout,
  socketTimeout: timeout,
})

/** Signs in to a mail server without sending; rejects with its error. timeout  in ms */
export async function verifySmtp(url: string, timeout: number): Promise<void> {
  const transport = createTransport(transportOptions(url, timeout))
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/**
 * Creates a Mail that sends through a server.
 *
 * url   smtp://user:password@host:587 or smtps://…:465
 * from  sender, e.g. "Building <noreply@example.com>"
 */
export function createSmtpMail(url: string, from: string): Mail & { close(): void } {
  const transport = createTransport(transportOptions(url))
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
