import { sentenceOf } from '../../../contract/rules/notification/sentence.ts'
import type { Message } from '../../lib/notices.ts'
import { plainName } from '../../lib/mail/plain-name.ts'
import type { Mail } from '../../ports.ts'
import type { Telling } from './digest.ts'
import { wordsOf } from './words.ts'

/** Who reads it, and by which clock. */
export interface Reader {
  language: Message['language']
  timeZone: string
}

/** A telling in the words of its reader. */
export function messageOf(
  { kind, category, severity, homeId, alarmId, values, path, at }: Telling,
  { language, timeZone }: Reader,
  rest: Pick<Message, 'id' | 'notificationId' | 'topic' | 'acknowledgeToken' | 'unread'>,
): Message {
  const told = { Kind: kind, Severity: severity, Values: values }
  const sentence = sentenceOf(told, wordsOf(language, timeZone))
  return { ...sentence, ...rest, path, category, severity, homeId, alarmId, language, at }
}

/**
 * The same as a mail: what people wrote has nothing in it of which a mail program would make a link, because the mail comes from us.
 *
 * address  where browsers reach the product; undefined where nobody has said so
 * id       the same at each attempt
 */
export function mailOf(
  to: string,
  telling: Telling,
  reader: Reader,
  address: string | undefined,
  id: string,
): Parameters<Mail['send']>[0] {
  const values = Object.fromEntries(
    Object.entries(telling.values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.split('\n').map(plainName).join('\n') : value,
    ]),
  )
  const words = wordsOf(reader.language, reader.timeZone)
  const told = { Kind: telling.kind, Severity: telling.severity, Values: values }
  const { title, body } = sentenceOf(told, words)
  const open =
    address !== undefined && telling.path !== null
      ? words.text('notifications:mail.open', { address: `${address}${telling.path}` })
      : ''
  const lines = [title, body, open, words.text('notifications:mail.why')]
  return {
    id,
    to,
    subject: title.replace(/\s+/g, ' '),
    text: lines.filter((line) => line !== '').join('\n\n'),
  }
}
