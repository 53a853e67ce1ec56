import type { Api, Call } from './api.ts'
import { ENGLISH } from './demo-english.ts'

/** Languages of the demo's names. */
export const DEMO_LANGUAGES = ['zh', 'en'] as const
export type DemoLanguage = (typeof DEMO_LANGUAGES)[number]

const CHINESE: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ENGLISH).map(([chinese, english]) => [english, chinese]),
)

/** Copy of a value in which each text that is a known name is translated. */
function translateAll(value: unknown, names: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return names[value] ?? value
  if (Array.isArray(value)) return value.map((one) => translateAll(one, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, translateAll(one, names)]))
}

/** A name of the plan, which is in Chinese, as the gateway stores it. */
export const nameIn = (language: DemoLanguage, name: string): string =>
  language === 'en' ? (ENGLISH[name] ?? name) : name

/**
 * Calls that store names in a language, and return those of the plan. So the plan, which identifies everything by its Chinese name, is the
 * same for all languages.
 */
export const callIn = (language: DemoLanguage, call: Call): Call =>
  language === 'zh'
    ? call
    : async (endpoint, input) =>
        translateAll(await call(endpoint, translateAll(input, ENGLISH) as typeof input), CHINESE) as Awaited<
          ReturnType<typeof call<typeof endpoint>>
        >

/** As `callIn`, for the calls of everyone who signs in. */
export const apiIn = (language: DemoLanguage, api: Api): Api => ({
  ...api,
  signUp: (person) =>
    api.signUp(language === 'zh' ? person : (translateAll(person, ENGLISH) as typeof person)),
  signIn: async (...account) => callIn(language, await api.signIn(...account)),
})
