import { createInstance } from 'i18next'
import { isolated } from '../../../contract/kernel/isolated.ts'
import { sentenceFormats, type SentenceWords } from '../../../contract/notifications/sentence.ts'
import enAutomation from '../../../locales/en-US/automation.json' with { type: 'json' }
import enDevices from '../../../locales/en-US/devices.json' with { type: 'json' }
import enNotifications from '../../../locales/en-US/notifications.json' with { type: 'json' }
import zhAutomation from '../../../locales/zh-TW/automation.json' with { type: 'json' }
import zhDevices from '../../../locales/zh-TW/devices.json' with { type: 'json' }
import zhNotifications from '../../../locales/zh-TW/notifications.json' with { type: 'json' }
import type { OutgoingMessage } from '../../domain/notifications/notification-transport.ts'

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
