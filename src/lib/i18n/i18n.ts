import { createInstance } from 'i18next'
import { isolated } from '../../../contract/rules/isolated.ts'
import { createStore, useStore } from '../store.ts'
import type access from '../../../locales/zh-TW/access.json'
import auth from '../../../locales/zh-TW/auth.json' with { type: 'json' }
import type bookings from '../../../locales/zh-TW/bookings.json'
import type audit from '../../../locales/zh-TW/audit.json'
import type cards from '../../../locales/zh-TW/cards.json'
import type company from '../../../locales/zh-TW/company.json'
import type charts from '../../../locales/zh-TW/charts.json'
import type energy from '../../../locales/zh-TW/energy.json'
import type dashboard from '../../../locales/zh-TW/dashboard.json'
import type devices from '../../../locales/zh-TW/devices.json'
import type errors from '../../../locales/zh-TW/errors.json'
import type exportWords from '../../../locales/zh-TW/export.json'
import type history from '../../../locales/zh-TW/history.json'
import type lists from '../../../locales/zh-TW/lists.json'
import type lightHouse from '../../../locales/zh-TW/lightHouse.json'
import type meterImport from '../../../locales/zh-TW/meterImport.json'
import type meters from '../../../locales/zh-TW/meters.json'
import type modbus from '../../../locales/zh-TW/modbus.json'
import type ota from '../../../locales/zh-TW/ota.json'
import type people from '../../../locales/zh-TW/people.json'
import type personal from '../../../locales/zh-TW/personal.json'
import type resources from '../../../locales/zh-TW/resources.json'
import type screens from '../../../locales/zh-TW/screens.json'
import type search from '../../../locales/zh-TW/search.json'
import type shell from '../../../locales/zh-TW/shell.json'
import type tariff from '../../../locales/zh-TW/tariff.json'

export const LANGUAGES = ['zh-TW', 'en-US'] as const
export type Language = (typeof LANGUAGES)[number]
/** Where the choice is remembered; it survives a sign-out. */
export const LANGUAGE_KEY = 'language'
export const isLanguage = (value: unknown): value is Language => LANGUAGES.includes(value as Language)

interface Namespaces {
  access: typeof access
  audit: typeof audit
  auth: typeof auth
  bookings: typeof bookings
  cards: typeof cards
  company: typeof company
  charts: typeof charts
  energy: typeof energy
  dashboard: typeof dashboard
  devices: typeof devices
  errors: typeof errors
  export: typeof exportWords
  history: typeof history
  lists: typeof lists
  lightHouse: typeof lightHouse
  meterImport: typeof meterImport
  meters: typeof meters
  modbus: typeof modbus
  ota: typeof ota
  people: typeof people
  personal: typeof personal
  resources: typeof resources
  screens: typeof screens
  search: typeof search
  shell: typeof shell
  tariff: typeof tariff
}
export type Namespace = keyof Namespaces

type Leaves<T> = {
  [K in keyof T & string]: T[K] extends string
    ? K extends `${infer Base}_${'one' | 'other'}`
      ? Base
      : K
    : `${K}.${Leaves<T[K]>}`
}[keyof T & string]

/** Every key of the locales, e.g. 'shell:menu.devices'; plural forms by their base key. */
export type TKey = { [N in Namespace]: `${N}:${Leaves<Namespaces[N]>}` }[Namespace]
export type TValues = Readonly<Record<string, string | number>>

/** What the application behind the sign-in needs before it can be drawn: no word of a device among them. */
export const APP_NAMESPACES = ['shell', 'dashboard', 'errors'] as const satisfies readonly Namespace[]
/** What every other screen comes with. */
export const SCREEN_NAMESPACES = [
  'company',
  'devices',
  'lists',
  'personal',
  'resources',
  'screens',
] as const satisfies readonly Namespace[]
type AppNamespace = (typeof APP_NAMESPACES)[number]
type SharedNamespace = (typeof SCREEN_NAMESPACES)[number]

type Words = Record<string, unknown>

/** The words of the sign-in page. Those of the default language, which others fall back to, come with the program. */
const signInWords: Record<Language, () => Promise<Words>> = {
  'zh-TW': () => Promise.resolve(auth),
  'en-US': async () => (await import('../../../locales/en-US/auth.json')).default,
}
/** The words of few screens, which come with those. */
const screenWords = {
  audit: {
    'zh-TW': async () => (await import('../../../locales/zh-TW/audit.json')).default,
    'en-US': async () => (await import('../../../locales/en-US/audit.json')).default,
  },
  access: {
    'zh-TW': async () => (await import('../../../locales/zh-TW/access.json')).default,
    'en-US': async () => (await import('../../../locales/en-US/access.json')).default,
  },
  bookings: {
    'zh-TW': async () => (await import('../../../locales/zh-TW/bookings.json')).default,
    'en-US': async () => (await import('../../../locales/en-US/bookings.json')).default,
  },
  cards: {
    'zh-TW': async () => (await import('../../../locales/zh-TW/cards.json')).default,
    'en-US': async () => (await import('../../../locales/en-US/cards.json')).default,
  },
  energy: {
    'zh-TW': async () => (await import('../../../locales/zh-TW/energy.json')).default,
    'en-US': async () => (await import('../../../locales/en-US/energy.json')).default,
  },
  charts: {
    'zh-TW': async () => (await import('../../../locales/zh-TW/charts.json')).default,
    'en-US': async () => (await import('../../../locales/en-US/charts.json')).default,
  },
  export: {
    'zh-TW': async () => (await import('../../../locales/zh-TW/export.json')).default,
    'en-US': async () => (await import('../../../locales/en-US/export.json')).default,
  },
  history: {
    'zh-TW': async () => (await import('../../../locales/zh-TW/history.json')).default,
    'en-US': async () => (await import('../../../locales/en-US/history.json')).default,
  },
  lightHouse: {
    'zh-TW': async () => (await import('../../../locales/zh-TW/lightHouse.json')).default,
    'en-US': async () => (await import('../../../locales/en-US/lightHouse.json')).default,
  },
  meterImport: {
    'zh-TW': async () => (await import('../../../locales/zh-TW/meterImport.json')).default,
    'en-US': async () => (await import('../../../locales/en-US/meterImport.json')).default,
  },
  meters: {
    'zh-TW': async () => (await import('../../../locales/zh-TW/meters.json')).default,
    'en-US': async () => (await import('../../../locales/en-US/meters.json')).default,
  },
  modbus: {
    'zh-TW': async () => (await import('../../../locales/zh-TW/modbus.json')).default,
    'en-US': async () => (await import('../../../locales/en-US/modbus.json')).default,
  },
  ota: {
    'zh-TW': async () => (await import('../../../locales/zh-TW/ota.json')).default,
    'en-US': async () => (await import('../../../locales/en-US/ota.json')).default,
  },
  people: {
    'zh-TW': async () => (await import('../../../locales/zh-TW/people.json')).default,
    'en-US': async () => (await import('../../../locales/en-US/people.json')).default,
  },
  search: {
    'zh-TW': async () => (await import('../../../locales/zh-TW/search.json')).default,
    'en-US': async () => (await import('../../../locales/en-US/search.json')).default,
  },
  tariff: {
    'zh-TW': async () => (await import('../../../locales/zh-TW/tariff.json')).default,
    'en-US': async () => (await import('../../../locales/en-US/tariff.json')).default,
  },
} as const satisfies Partial<Record<Namespace, Record<Language, () => Promise<Words>>>>
type ScreenNamespace = keyof typeof screenWords
const isOfScreens = (namespace: Namespace): namespace is ScreenNamespace => namespace in screenWords

const appWords: Record<Language, () => Promise<Record<AppNamespace, Words>>> = {
  'zh-TW': async () => (await import('./words/zh-TW.ts')).default,
  'en-US': async () => (await import('./words/en-US.ts')).default,
}
const sharedWords: Record<Language, () => Promise<Record<SharedNamespace, Words>>> = {
  'zh-TW': async () => (await import('./words/screens-zh-TW.ts')).default,
  'en-US': async () => (await import('./words/screens-en-US.ts')).default,
}
const isAppNamespace = (namespace: Namespace): namespace is AppNamespace =>
  APP_NAMESPACES.some((name) => name === namespace)

async function wordsOf(lng: Language, namespace: Namespace): Promise<Words> {
  if (namespace === 'auth') return signInWords[lng]()
  if (isOfScreens(namespace)) return screenWords[namespace][lng]()
  return isAppNamespace(namespace)
    ? (await appWords[lng]())[namespace]
    : (await sharedWords[lng]())[namespace]
}
const i18n = createInstance()
/** Whether there is such a word, where its name comes from outside. */
export const isWorded = (key: string): key is TKey => i18n.exists(key)
const loaded = new Set<Namespace>()
const language = createStore<Language>('zh-TW')

async function fetchNamespace(lng: Language, namespace: Namespace): Promise<void> {
  if (i18n.hasResourceBundle(lng, namespace)) return
  i18n.addResourceBundle(lng, namespace, await wordsOf(lng, namespace))
}

/** Starts with the remembered language, else zh-TW (§9), and the namespaces the first page needs. */
export async function startI18n(namespaces: readonly Namespace[]): Promise<void> {
  const remembered = localStorage.getItem(LANGUAGE_KEY)
  const lng = isLanguage(remembered) ? remembered : 'zh-TW'
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

export const useLanguage = (): Language => useStore(language)
export const currentLanguage = (): Language => language.get()

const translators: Record<Language, typeof t> = {
  'zh-TW': (key, values) => t(key, values),
  'en-US': (key, values) => t(key, values),
}

/** `t`, with the component drawn again when the language changes; another function for each language. */
export const useT = (): typeof t => translators[useStore(language)]
