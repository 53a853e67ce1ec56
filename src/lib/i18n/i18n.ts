import { createInstance } from 'i18next'
import type { ResourceName } from '../../../contract/index.ts'
import { isolated } from '../../../contract/kernel/text.ts'
import auth from '../../../locales/zh-TW/auth.json' with { type: 'json' }
import type { PathName } from '../../navigation/paths.ts'
import { createStore, useStore } from '../store.ts'
import { LANGUAGES, wordsOf, type Language, type Namespace, type Namespaces } from './words.ts'

/** Storage key of the chosen language; kept after sign-out. */
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
 * Texts of all records, in `locales/<language>/records/<record>.json`. One pattern covers the fields of all records: the union of
 * all records and keys exceeds what the compiler can compare.
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

/** The language chosen last, else zh-TW (§9). */
export function firstLanguage(): Language {
  const remembered = localStorage.getItem(LANGUAGE_KEY)
  return isLanguage(remembered) ? remembered : 'zh-TW'
}

/** Starts i18n with the first language, and the namespaces of the first page. */
export async function startI18n(namespaces: readonly Namespace[]): Promise<void> {
  const lng = firstLanguage()
  if (!i18n.isInitialized)
    await i18n.init({
      lng,
      fallbackLng: 'zh-TW',
      resources: { 'zh-TW': { auth } },
      // React escapes text; isolation keeps a right-to-left name from reordering the text around it.
      interpolation: { escapeValue: true, escape: isolated },
      returnNull: false,
    })
  await loadNamespaces(namespaces, lng)
  await switchTo(lng)
}

/** Loads further namespaces, e.g. those of the signed-in screens. */
export async function loadNamespaces(namespaces: readonly Namespace[], lng = language.get()): Promise<void> {
  for (const namespace of namespaces) loaded.add(namespace)
  await Promise.all(namespaces.map((namespace) => fetchNamespace(lng, namespace)))
}

/** Switches the language without a reload: fetches the texts, then all components that use `useT` render again. */
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

/** Text in the user's language. Components must use `useT`, so that they render again when the language changes. */
export const t = (key: TKey, values?: TValues): string => i18n.t(key, { ...values })

/** Whether a text exists, for keys built from values of the gateway, e.g. a reason or a new device type. */
export const hasText = (key: string): key is TKey => i18n.exists(key)

/** Texts of a given language; their namespaces must have been loaded (`loadNamespaces`). */
export const wordsIn = (lng: Language) => {
  const fixed = i18n.getFixedT(lng)
  return {
    language: lng,
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

/** `t` for components, which render again when the language changes; a different function per language. */
export const useT = (): typeof t => translators[useStore(language)]
