import {
  sentenceOf,
  type NotificationContent,
  sentenceFormats,
  type SentenceWords,
} from '../../../contract/notifications/sentence.ts'
import type { OutgoingMessage } from '../../domain/notifications/notification-transport.ts'
import { plainName } from '../../lib/mail/plain-name.ts'
import type { Mail } from '../../kernel/ports.ts'
import type { MessageContent } from './digest.ts'
import { createInstance } from 'i18next'
import { isolated } from '../../../contract/kernel/isolated.ts'
import enAutomation from '../../../locales/en-US/automation.json'
import enDevices from '../../../locales/en-US/devices.json'
import enNotifications from '../../../locales/en-US/notifications.json'
import zhAutomation from '../../../locales/zh-TW/automation.json'
import zhDevices from '../../../locales/zh-TW/devices.json'
import zhNotifications from '../../../locales/zh-TW/notifications.json'

const i18n = createInstance()
void i18n.init({
  initAsync: false,
  lng: 'zh-TW',
  fallbackLng: 'zh-TW',
  resources: {
    'zh-TW': { automation: zhAutomation, devices: zhDevices, notifications: zhNotifications },
    'en-US': { automation: enAutomation, devices: enDevices, notifications: enNotifications },
  },
  // Messages are plain text; a name must not turn the words around it.
  interpolation: { escapeValue: true, escape: isolated },
})

/** Most decimals of a figure in a message. */
const DECIMALS = 2

/** The words of messages in a language, with moments by the clock of a zone. */
export function wordsOf(language: OutgoingMessage['language'], timeZone: string): SentenceWords {
  const t = i18n.getFixedT(language)
  return {
    text: (key, values) => t(key, { ...values }),
    has: (key) => i18n.exists(key, { lng: language }),
    ...sentenceFormats(language, timeZone, DECIMALS),
  }
}

/** Who reads it, and by which clock. */
export interface Reader {
  language: OutgoingMessage['language']
  timeZone: string
}

/** A telling in the words of its reader. */
export function messageOf(
  telling: MessageContent,
  { language, timeZone }: Reader,
  rest: Pick<
    OutgoingMessage,
    'id' | 'notificationId' | 'topic' | 'acknowledgeToken' | 'unread' | 'isLifeSafety'
  >,
): OutgoingMessage {
  const { category, severity, homeId, alarmId, path, at } = telling
  const sentence = sentenceOf(toldOf(telling), wordsOf(language, timeZone))
  return { ...sentence, ...rest, path, category, severity, homeId, alarmId, language, at }
}

/** A telling as a sentence is made of it, with what people wrote changed as a transport needs. */
function toldOf(
  { kind, severity, values, worst }: MessageContent,
  change = (values: MessageContent['values']) => values,
): NotificationContent {
  const Worst = worst && { Kind: worst.kind, Severity: worst.severity, Values: change(worst.values) }
  return { Kind: kind, Severity: severity, Values: change(values), ...(Worst && { Worst }) }
}

/** Texts with nothing in them of which a mail program would make a link. */
const withoutLinks = (values: MessageContent['values']): MessageContent['values'] =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.split('\n').map(plainName).join('\n') : value,
    ]),
  )

/**
 * The same as a mail: what people wrote has nothing in it of which a mail program would make a link, because the mail comes from us.
 *
 * address  where browsers reach the product; undefined where nobody has said so
 * id       the same at each attempt
 */
export function mailOf(
  to: string,
  telling: MessageContent,
  reader: Reader,
  address: string | undefined,
  id: string,
): Parameters<Mail['send']>[0] {
  const words = wordsOf(reader.language, reader.timeZone)
  const { title, body } = sentenceOf(toldOf(telling, withoutLinks), words)
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
