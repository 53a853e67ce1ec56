import type { Locale } from 'antd/es/locale'
import dayjs from 'dayjs'
import { createStore } from '../../lib/store.ts'
import type { Language } from '../../lib/i18n/words.ts'

/** Ant Design's texts in the user's language; undefined for English, its default. */
export const antdLocale = createStore<Locale | undefined>(undefined)

const dayjsNames: Record<Language, string> = { 'zh-TW': 'zh-tw', 'en-US': 'en' }
const localeLoaders: Record<Language, () => Promise<Locale | undefined>> = {
  'zh-TW': async () => (await import('./locale-zh-tw.ts')).default,
  'en-US': async () => undefined,
}

let requestedLanguage: Language | undefined

/** Loads the date formats and Ant Design's texts of a language, English if that fails. Never throws; of several calls the last one wins. */
export async function loadLocale(language: Language): Promise<void> {
  requestedLanguage = language
  const [locale, name] = await localeLoaders[language]().then(
    (locale) => [locale, dayjsNames[language]] as const,
    () => [undefined, dayjsNames['en-US']] as const,
  )
  if (requestedLanguage !== language) return
  dayjs.locale(name)
  // Weeks begin on Monday in every language (ISO 8601), in pickers as in the calendar and in periods.
  const dates = dayjs.Ls[name]
  if (dates) dates.weekStart = 1
  antdLocale.set(locale)
}
