import dayjs from 'dayjs'
import type { Locale } from 'antd/es/locale'
import { useEffect, useState } from 'react'
import type { Language } from '../providers/i18n.ts'

const locales: Record<Language, () => Promise<{ default: Locale }>> = {
  'zh-TW': async () => {
    await import('dayjs/locale/zh-tw')
    return import('antd/es/locale/zh_TW')
  },
  'en-US': () => import('antd/es/locale/en_US'),
}
const dayjsNames: Record<Language, string> = { 'zh-TW': 'zh-tw', 'en-US': 'en' }

/** Ant Design's words in the person's language; dayjs follows. Undefined until the first have come. */
export function useLocale(language: Language): Locale | undefined {
  const [locale, setLocale] = useState<Locale>()
  useEffect(() => {
    let gone = false
    void locales[language]().then((found) => {
      if (gone) return
      dayjs.locale(dayjsNames[language])
      setLocale(found.default)
    })
    return () => {
      gone = true
    }
  }, [language])
  return locale
}
