import { useMemo } from 'react'
import type { Notification } from '../../../contract/notifications/calls.ts'
import { type Sentence, sentenceOf, type SentenceWords } from '../../../contract/notifications/sentence.ts'
import { useHomes } from '../../data/homes.ts'
import { useDecimalPrecision } from '../../data/personal.ts'
import { useLanguage } from '../../lib/i18n/i18n.ts'
import { useZone } from '../../ui/page/use-zone.ts'
import { sentenceWords } from './sentence-words.ts'

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
function createWords(make: (timeZone: string) => SentenceWords): (timeZone: string) => SentenceWords {
  const byZone = new Map<string, SentenceWords>()
  return (timeZone) => {
    const words = byZone.get(timeZone) ?? make(timeZone)
    byZone.set(timeZone, words)
    return words
  }
}
