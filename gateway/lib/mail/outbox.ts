import { createHash, timingSafeEqual } from 'node:crypto'
import { escapeHtml } from '../escape-html.ts'
import type { Clock, Mail, Random } from '../../ports.ts'
import { sql, type Db } from '../../store/db.ts'

const KEPT = 200

interface Message {
  to: string
  subject: string
  text: string
  at: number
}

/** Mail without a mail server: the last 200 messages, on a page that only the server's console links to. */
export interface Outbox extends Mail {
  /** Path of the page, with a random token that changes at each start; print it on the console and nowhere else. */
  path: string
  /** The page as HTML if the token is right, undefined otherwise. */
  page(token: string): Promise<string | undefined>
}

/** Keeps mail in the table `outbox`, so that a restart loses none. */
export function createOutbox({ db, clock, random }: { db: Db; clock: Clock; random: Random }): Outbox {
  const token = Buffer.from(random.bytes(18)).toString('base64url')
  const digest = (text: string) => createHash('sha256').update(text).digest()

  return {
    goesOut: false,
    path: `/outbox/${token}`,

    async send({ to, subject, text: words, calendar }) {
      const text = calendar
        ? `${words}\n\n[text/calendar; method=${calendar.method}]\n${calendar.content}`
        : words
      await db.query(sql`
        insert into outbox (recipient, subject, body, created_at) values (${to}, ${subject}, ${text}, ${clock.now()})`)
      await db.query(sql`
        delete from outbox where message_id <= (
          select message_id from outbox order by message_id desc offset ${KEPT} limit 1)`)
    },

    async page(given) {
      if (!timingSafeEqual(digest(given), digest(token))) return undefined
      const messages = await db.query<Message>(sql`
        select recipient as "to", subject, body as text, created_at as at from outbox order by message_id desc`)
      return html(messages)
    },
  }
}

const html = (messages: Message[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><title>Outbox</title></head>
<body><h1>Outbox</h1>
<p>No mail server is configured (SMTP_URL), so messages wait here. The newest comes first; ${KEPT} are kept.</p>
${messages.map(article).join('\n') || '<p>Nothing has been sent yet.</p>'}
</body></html>
`

const article = ({ to, subject, text, at }: Message): string =>
  `<article><h2>${escapeHtml(subject)}</h2><p>${escapeHtml(to)}, ${new Date(at).toISOString()}</p><pre>${escapeHtml(text)}</pre></article>`
