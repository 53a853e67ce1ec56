import { readWords } from '../../support/read-words.ts'

export const LANGUAGES = ['zh-TW', 'en-US'] as const
export type Language = (typeof LANGUAGES)[number]

/** Text of the product by its key, e.g. `shell:pages.RoomList`; an unknown key throws. */
export type Words = (key: string, values?: Readonly<Record<string, string | number>>) => string

/** Product's own texts in a language, as the screens show them. */
export function wordsOf(language: Language): Words {
  const namespaces = readWords(language)
  return (key, values = {}) => {
    const [namespace = '', path = ''] = key.split(':')
    const find = (text: string) =>
      text
        .split('.')
        .reduce<unknown>(
          (at, step) => (at as Record<string, unknown> | undefined)?.[step],
          namespaces[namespace],
        )
    const { count } = values
    const plural =
      typeof count === 'number' ? `${path}_${new Intl.PluralRules(language).select(count)}` : path
    const at = find(plural) ?? find(path)
    if (typeof at !== 'string') throw new Error(`${language} has no text ${key}`)
    return at.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name]
      if (value === undefined) throw new Error(`${key} needs ${name}`)
      return String(value)
    })
  }
}
