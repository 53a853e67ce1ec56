import { useMemo } from 'react'
import type { Notification } from '../../../contract/procedures/notifications.ts'
import {
  type Sentence,
  sentenceOf,
  type SentenceWords,
} from '../../../contract/rules/notification/sentence.ts'
import { useHomes } from '../../data/homes.ts'
import { useDecimalPrecision } from '../../data/personal.ts'
import { useLanguage } from '../../lib/i18n/i18n.ts'
import { useZone } from '../../ui/page/use-zone.ts'
import { sentenceWords } from './sentence-words.ts'

/** What a notification says in the reader's language, with moments by the clock of its home. */
export function useSentences(): (notification: Notification) => Sentence {
  const language = useLanguage()
  const decimals = useDecimalPrecision()
  const homes = useHomes()
  const zone = useZone()
  return useMemo(() => {
    const byZone = new Map<string, SentenceWords>()
    const wordsIn = (timeZone: string) => {
      const words = byZone.get(timeZone) ?? sentenceWords({ language, timeZone, decimals })
      byZone.set(timeZone, words)
      return words
    }
    return (notification) => {
      const home = homes?.find(({ HomeID }) => HomeID === notification.HomeID)
      return sentenceOf(notification, wordsIn(home?.TimeZone ?? zone))
    }
  }, [language, decimals, homes, zone])
}
