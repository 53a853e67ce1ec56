import enUS from 'antd/es/locale/en_US'
import dayjs from 'dayjs'
import type { Locale } from 'antd/es/locale'
import { useEffect, useState } from 'react'
import type { Language } from '../../lib/i18n/words.ts'

const locales: Record<Language, () => Promise<{ default: Locale }>> = {
  'zh-TW': () => import('./locale-zh-tw.ts'),
  // What Ant Design says by itself, so it is here anyway.
  'en-US': async () => ({ default: enUS }),
}
const dayjsNames: Record<Language, string> = { 'zh-TW': 'zh-tw', 'en-US': 'en' }

/**
 * Ant Design's words in the person's language; dayjs follows. Undefined until the first have come, English if they cannot be
 * had: a ConfigProvider whose locale comes later draws everything in it again, and what a person did meanwhile is lost.
 */
export function useLocale(language: Language): Locale | undefined {
  const [locale, setLocale] = useState<Locale>()
  useEffect(() => {
    let gone = false
    const use = (name: string, words: Locale) => {
      if (gone) return
      dayjs.locale(name)
      // A week begins on Monday in every language (ISO 8601), in pickers as in the calendar and in periods.
      const dates = dayjs.Ls[name]
      if (dates) dates.weekStart = 1
      setLocale(words)
    }
    locales[language]().then(
      (found) => use(dayjsNames[language], found.default),
      () => use(dayjsNames['en-US'], enUS),
    )
    return () => {
      gone = true
    }
  }, [language])
  return locale
}
