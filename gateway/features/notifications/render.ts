import {
  sentenceOf,
  type NotificationContent,
  sentenceFormats,
  type SentenceWords,
} from '../../../contract/notifications/sentence.ts'
import type { OutgoingMessage } from '../../domain/notifications/notification-transport.ts'
import { plainName } from '../../lib/mail/address.ts'
import type { Mail } from '../../kernel/ports.ts'
import type { MessageContent } from './digest.ts'
import { createInstance } from 'i18next'
import { isolated } from '../../../contract/kernel/text.ts'
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
  // Messages are plain text; isolation keeps right-to-left names from reordering the surrounding words.
  interpolation: { escapeValue: true, escape: isolated },
})

/** Maximum number of decimals of a value in a message. */
const DECIMALS = 2

/** Texts and formats of messages in a language and time zone. */
export function wordsOf(language: OutgoingMessage['language'], timeZone: string): SentenceWords {
  const t = i18n.getFixedT(language)
  return {
    text: (key, values) => t(key, { ...values }),
    has: (key) => i18n.exists(key, { lng: language }),
    ...sentenceFormats(language, timeZone, DECIMALS),
  }
}

/** Language and time zone of the reader. */
export interface Reader {
  language: OutgoingMessage['language']
  timeZone: string
}

/** Renders a message for its reader. */
export function messageOf(
  content: MessageContent,
  { language, timeZone }: Reader,
  rest: Pick<
    OutgoingMessage,
    'id' | 'notificationId' | 'topic' | 'acknowledgeToken' | 'unread' | 'isLifeSafety'
  >,
): OutgoingMessage {
  const { category, severity, homeId, alarmId, path, at } = content
  const sentence = sentenceOf(sentenceContentOf(content), wordsOf(language, timeZone))
  return { ...sentence, ...rest, path, category, severity, homeId, alarmId, language, at }
}

/** Content from which the sentence is built; `change` adapts texts by users to the transport. */
function sentenceContentOf(
  { kind, severity, values, worst }: MessageContent,
  change = (values: MessageContent['values']) => values,
): NotificationContent {
  const Worst = worst && { Kind: worst.kind, Severity: worst.severity, Values: change(worst.values) }
  return { Kind: kind, Severity: severity, Values: change(values), ...(Worst && { Worst }) }
}

/** Removes everything from texts by users that a mail program would turn into a link. */
const withoutLinks = (values: MessageContent['values']): MessageContent['values'] =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.split('\n').map(plainName).join('\n') : value,
    ]),
  )

/**
 * Renders a message as an email. Texts by users contain nothing that a mail program turns into a link, because the email comes from us.
 *
 * address  public URL of the product; undefined if not configured
 * id       the same at each attempt
 */
export function mailOf(
  to: string,
  content: MessageContent,
  reader: Reader,
  address: string | undefined,
  id: string,
): Parameters<Mail['send']>[0] {
  const words = wordsOf(reader.language, reader.timeZone)
  const { title, body } = sentenceOf(sentenceContentOf(content, withoutLinks), words)
  const open =
    address !== undefined && content.path !== null
      ? words.text('notifications:mail.open', { address: `${address}${content.path}` })
      : ''
  const lines = [title, body, open, words.text('notifications:mail.why')]
  return {
    id,
    to,
    subject: title.replace(/\s+/g, ' '),
    text: lines.filter((line) => line !== '').join('\n\n'),
  }
}
