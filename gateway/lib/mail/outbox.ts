import { createHash, timingSafeEqual } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { escapeHtml } from '../escape-html.ts'
import type { Clock, Mail, Random } from '../../kernel/ports.ts'
import { sql, type Db } from '../../kernel/db.ts'

const MAX_MESSAGES = 200
const DAY_MS = 24 * 3_600_000
/** Validity of the page's address, in ms. */
export const ADDRESS_TTL_MS = DAY_MS
/** Retention of a message, in ms: longer than the links in it are valid. */
export const MESSAGE_TTL_MS = 7 * DAY_MS

interface Message {
  to: string
  subject: string
  text: string
  at: number
}

/** Mail without a mail server: stores the last 200 messages, on a page that only the server's console links to. */
export interface Outbox extends Mail {
  /** Path of the page, with a random token that changes at each start and expires after a day; for the console only. */
  readonly path: string
  /** Page as HTML if the token is valid, undefined otherwise. */
  renderPage(token: string): Promise<string | undefined>
}

/**
 * Stores emails in the table `outbox`, so that they survive a restart.
 *
 * onNewAddress  called with the new path if a message arrives after the previous path has expired
 */
export function createOutbox({
  db,
  clock,
  random,
  onNewAddress = () => {},
}: {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'bytes'>
  onNewAddress?: (path: string) => void
}): Outbox {
  const createAddress = () => ({
    token: Buffer.from(random.bytes(18)).toString('base64url'),
    expiresAt: clock.now() + ADDRESS_TTL_MS,
  })
  let address = createAddress()
  const pathOf = ({ token }: typeof address) => `/outbox/${token}`
  const digest = (text: string) => createHash('sha256').update(text).digest()

  return {
    isDelivered: false,
    get path() {
      return pathOf(address)
    },

    async send({ to, subject, text: content, calendar }) {
      const text = calendar
        ? `${content}\n\n[text/calendar; method=${calendar.method}]\n${calendar.content}`
        : content
      await db.query(sql`
        insert into outbox (recipient, subject, body, created_at) values (${to}, ${subject}, ${text}, ${clock.now()})`)
      await db.query(sql`
        delete from outbox where message_id <= (
          select message_id from outbox order by message_id desc offset ${MAX_MESSAGES} limit 1)
        or created_at <= ${clock.now() - MESSAGE_TTL_MS}::bigint`)
      if (clock.now() < address.expiresAt) return
      address = createAddress()
      onNewAddress(pathOf(address))
    },

    async renderPage(requestedToken) {
      const { token, expiresAt } = address
      if (!timingSafeEqual(digest(requestedToken), digest(token)) || clock.now() >= expiresAt)
        return undefined
      const messages = await db.query<Message>(sql`
        select recipient as "to", subject, body as text, created_at as at from outbox
        where created_at > ${clock.now() - MESSAGE_TTL_MS}::bigint order by message_id desc`)
      return html(messages)
    },
  }
}

const html = (messages: Message[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><title>Outbox</title></head>
<body><h1>Outbox</h1>
<p>No mail server is configured (SMTP_URL), so messages wait here. The newest comes first; ${MAX_MESSAGES} are kept for a week. The address of this page expires a day after it was printed.</p>
${messages.map(article).join('\n') || '<p>Nothing has been sent yet.</p>'}
</body></html>
`

const article = ({ to, subject, text, at }: Message): string =>
  `<article><h2>${escapeHtml(subject)}</h2><p>${escapeHtml(to)}, ${new Date(at).toISOString()}</p><pre>${escapeHtml(text)}</pre></article>`

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
    isDelivered: true,
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
