import type { I18nProvider } from '@refinedev/core'
import { changeLanguage, currentLanguage, hasText, isLanguage, t } from '../lib/i18n/i18n.ts'

/** Refine's own texts (notifications.…) live in `shell`; one we do not have falls back to Refine's. */
export const i18nProvider: I18nProvider = {
  translate(key: string, options?: unknown, fallback?: string) {
    const ours = `shell:${key}`
    if (hasText(ours)) return t(ours, typeof options === 'object' ? (options as Record<string, string>) : {})
    return (typeof options === 'string' ? options : fallback) ?? key
  },
  changeLocale: (language: string) => (isLanguage(language) ? changeLanguage(language) : Promise.resolve()),
  getLocale: currentLanguage,
}
