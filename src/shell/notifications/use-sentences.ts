import { useMemo } from 'react'
import type { Notification } from '../../../contract/notifications/calls.ts'
import {
  type Sentence,
  sentenceOf,
  type SentenceWords,
  sentenceFormats,
} from '../../../contract/notifications/sentence.ts'
import { useHomes } from '../../data/homes.ts'
import { useDecimalPrecision } from '../../data/personal.ts'
import { useLanguage, hasText, t, type TKey } from '../../lib/i18n/i18n.ts'
import { useZone } from '../../ui/page/format-when.ts'
import type { Language } from '../../lib/i18n/words.ts'

/** Text of a notification in the reader's language, with times in the time zone of its home. */
export function useSentences(): (notification: Notification) => Sentence {
  const language = useLanguage()
  const decimals = useDecimalPrecision()
  const homes = useHomes()
  const zone = useZone()
  return useMemo(() => {
    const wordsIn = createWords((timeZone) => sentenceWords({ language, timeZone, decimals }))
    return (notification) => {
      const home = homes?.find(({ HomeID }) => HomeID === notification.HomeID)
      return sentenceOf(notification, wordsIn(home?.TimeZone ?? zone))
    }
  }, [language, decimals, homes, zone])
}

/** Texts cached by time zone: their formats are expensive to create. */
function createWords(create: (timeZone: string) => SentenceWords): (timeZone: string) => SentenceWords {
  const byZone = new Map<string, SentenceWords>()
  return (timeZone) => {
    const words = byZone.get(timeZone) ?? create(timeZone)
    byZone.set(timeZone, words)
    return words
  }
}

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

/** Page that a notification links to; undefined without one, or if it is outside of the product. */
export const targetPathOf = ({ Path }: Pick<Notification, 'Path'>): string | undefined =>
  Path !== null && /^\/(?![/\\])/.test(Path) ? Path : undefined
