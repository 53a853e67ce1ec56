import { sentenceFormats, type SentenceWords } from '../../../contract/notifications/sentence.ts'
import { hasText, t, type TKey } from '../../lib/i18n/i18n.ts'
import type { Language } from '../../lib/i18n/words.ts'

/** Preferences of the reader: language, time zone, and number of decimals. */
export interface SentenceReader {
  language: Language
  timeZone: string
  decimals: number
}

/** Texts of notification sentences on screens; the namespaces `notifications`, `devices` and `automation` must be loaded. */
export function sentenceWords({ language, timeZone, decimals }: SentenceReader): SentenceWords {
  return {
    text: (key, values) => t(key as TKey, values),
    has: hasText,
    ...sentenceFormats(language, timeZone, decimals),
  }
}
