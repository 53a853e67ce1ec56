import type { SentenceWords } from '../../../contract/rules/notification/sentence.ts'
import { hasText, t, type TKey } from '../../lib/i18n/i18n.ts'
import type { Language } from '../../lib/i18n/words.ts'

/** Who reads: their language, the clock that they go by, and how many decimals they want. */
export interface Reader {
  language: Language
  timeZone: string
  decimals: number
}

/** The words of sentences as the screens say them; the namespaces `notifications`, `devices` and `automation` must be there. */
export function sentenceWords({ language, timeZone, decimals }: Reader): SentenceWords {
  const figure = new Intl.NumberFormat(language, { maximumFractionDigits: decimals })
  const moment = new Intl.DateTimeFormat(language, {
    timeZone,
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return {
    text: (key, values) => t(key as TKey, values),
    has: hasText,
    number: (value) => figure.format(value),
    time: (at) => moment.format(at),
  }
}
