import { sentenceFormats, type SentenceWords } from '../../../contract/notifications/sentence.ts'
import { hasText, t, type TKey } from '../../lib/i18n/i18n.ts'
import type { Language } from '../../lib/i18n/words.ts'

/** Who reads: their language, the clock that they go by, and how many decimals they want. */
export interface SentenceReader {
  language: Language
  timeZone: string
  decimals: number
}

/** The words of sentences as the screens say them; the namespaces `notifications`, `devices` and `automation` must be there. */
export function sentenceWords({ language, timeZone, decimals }: SentenceReader): SentenceWords {
  return {
    text: (key, values) => t(key as TKey, values),
    has: hasText,
    ...sentenceFormats(language, timeZone, decimals),
  }
}
