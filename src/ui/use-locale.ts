import enUS from 'antd/es/locale/en_US'
import dayjs from 'dayjs'
import type { Locale } from 'antd/es/locale'
import { useEffect, useState } from 'react'
import type { Language } from '../providers/i18n.ts'

const locales: Record<Language, () => Promise<{ default: Locale }>> = {
  'zh-TW': async () => {
    await import('dayjs/locale/zh-tw')
    return import('antd/es/locale/zh_TW')
  },
  // What Ant Design says by itself, so it is here anyway.
  'en-US': async () => ({ default: enUS }),
}
const dayjsNames: Record<Language, string> = { 'zh-TW': 'zh-tw', 'en-US': 'en' }

/**
 * Ant Design's words in the person's language; dayjs follows. English until the first have come: a ConfigProvider that has
 * no locale at first and one later draws everything in it anew, and what a person did meanwhile is lost.
 */
export function useLocale(language: Language): Locale {
  const [locale, setLocale] = useState<Locale>(enUS)
  useEffect(() => {
    let gone = false
    void locales[language]().then((found) => {
      if (gone) return
      dayjs.locale(dayjsNames[language])
      // A week begins on Monday in every language (ISO 8601), in pickers as in the calendar and in periods.
      const words = dayjs.Ls[dayjsNames[language]]
      if (words) words.weekStart = 1
      setLocale(found.default)
    })
    return () => {
      gone = true
    }
  }, [language])
  return locale
}
