import { createInstance } from 'i18next'
import type { ResourceName } from '../../../contract/index.ts'
import { isolated } from '../../../contract/kernel/isolated.ts'
import auth from '../../../locales/zh-TW/auth.json' with { type: 'json' }
import type { PathName } from '../../navigation/paths.ts'
import { createStore, useStore } from '../store.ts'
import { LANGUAGES, wordsOf, type Language, type Namespace, type Namespaces } from './words.ts'

/** Where the choice is remembered; it survives a sign-out. */
export const LANGUAGE_KEY = 'language'
export const isLanguage = (value: unknown): value is Language => LANGUAGES.includes(value as Language)

type Leaves<T> = {
  [K in keyof T & string]: T[K] extends string
    ? K extends `${infer Base}_${'one' | 'other'}`
      ? Base
      : K
    : `${K}.${Leaves<T[K]>}`
}[keyof T & string]

/**
 * What every record says, in `locales/<language>/records/<record>.json`. The fields are one pattern for all records: a pattern a
 * record, times every key, is more than the compiler compares.
 */
type RecordKey =
  | `resources:${ResourceName | 'company'}.${'list' | 'create' | 'empty' | 'consequence'}`
  | `resources:${string}.fields.${string}`
  | `shell:pages.${PathName}`

/** Every key of the locales, e.g. 'shell:menu.devices'; plural forms by their base key. */
export type TKey = { [N in Namespace]: `${N}:${Leaves<Namespaces[N]>}` }[Namespace] | RecordKey
export type TValues = Readonly<Record<string, string | number>>

const i18n = createInstance()
const loaded = new Set<Namespace>()
const language = createStore<Language>('zh-TW')

async function fetchNamespace(lng: Language, namespace: Namespace): Promise<void> {
  if (i18n.hasResourceBundle(lng, namespace)) return
  i18n.addResourceBundle(lng, namespace, await wordsOf(lng, namespace))
}

/** The language that was chosen last, else zh-TW (§9). */
export function firstLanguage(): Language {
  const remembered = localStorage.getItem(LANGUAGE_KEY)
  return isLanguage(remembered) ? remembered : 'zh-TW'
}

/** Starts with that language, and the namespaces the first page needs. */
export async function startI18n(namespaces: readonly Namespace[]): Promise<void> {
  const lng = firstLanguage()
  if (!i18n.isInitialized)
    await i18n.init({
      lng,
      fallbackLng: 'zh-TW',
      resources: { 'zh-TW': { auth } },
      // React escapes what is shown; a name must not turn the words around it.
      interpolation: { escapeValue: true, escape: isolated },
      returnNull: false,
    })
  await loadNamespaces(namespaces, lng)
  await switchTo(lng)
}

/** Makes further words ready, e.g. those of the signed-in screens. */
export async function loadNamespaces(namespaces: readonly Namespace[], lng = language.get()): Promise<void> {
  for (const namespace of namespaces) loaded.add(namespace)
  await Promise.all(namespaces.map((namespace) => fetchNamespace(lng, namespace)))
}

/** Switches without a reload: the words are fetched first, then every component that uses `useT` draws again. */
export async function changeLanguage(next: Language): Promise<void> {
  localStorage.setItem(LANGUAGE_KEY, next)
  await Promise.all([...loaded].map((namespace) => fetchNamespace(next, namespace)))
  await switchTo(next)
}

async function switchTo(next: Language): Promise<void> {
  await i18n.changeLanguage(next)
  document.documentElement.lang = next
  language.set(next)
}

/** A text in the person's language. In components call it through `useT`, so that a language switch reaches them. */
export const t = (key: TKey, values?: TValues): string => i18n.t(key, { ...values })

/** Whether there is such a text: for keys built from what the gateway says, e.g. a reason or a new device type. */
export const hasText = (key: string): key is TKey => i18n.exists(key)

/** The texts of a language that need not be the person's; their namespaces must have been made ready (`loadNamespaces`). */
export const wordsIn = (lng: Language) => {
  const fixed = i18n.getFixedT(lng)
  return {
    text: (key: string, values?: TValues): string => fixed(key, { ...values }),
    has: (key: string): boolean => i18n.exists(key, { lng }),
  }
}

export const useLanguage = (): Language => useStore(language)
export const currentLanguage = (): Language => language.get()

const translators: Record<Language, typeof t> = {
  'zh-TW': (key, values) => t(key, values),
  'en-US': (key, values) => t(key, values),
}

/** `t`, with the component drawn again when the language changes; another function for each language. */
export const useT = (): typeof t => translators[useStore(language)]
