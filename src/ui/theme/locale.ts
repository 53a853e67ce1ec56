import type { Locale } from 'antd/es/locale'
import dayjs from 'dayjs'
import { createStore } from '../../lib/store.ts'
import type { Language } from '../../lib/i18n/words.ts'

/** Ant Design's words in the person's language; undefined for English, which it says by itself. */
export const antdLocale = createStore<Locale | undefined>(undefined)

const dayjsNames: Record<Language, string> = { 'zh-TW': 'zh-tw', 'en-US': 'en' }
const words: Record<Language, () => Promise<Locale | undefined>> = {
  'zh-TW': async () => (await import('./locale-zh-tw.ts')).default,
  'en-US': async () => undefined,
}

let wanted: Language | undefined

/** Dates and Ant Design's words in this language, in English if they cannot be had. Never fails; of several calls the last one counts. */
export async function loadLocale(language: Language): Promise<void> {
  wanted = language
  const [found, name] = await words[language]().then(
    (locale) => [locale, dayjsNames[language]] as const,
    () => [undefined, dayjsNames['en-US']] as const,
  )
  if (wanted !== language) return
  dayjs.locale(name)
  // A week begins on Monday in every language (ISO 8601), in pickers as in the calendar and in periods.
  const dates = dayjs.Ls[name]
  if (dates) dates.weekStart = 1
  antdLocale.set(found)
}
