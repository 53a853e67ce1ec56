import { changeLanguage, useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { LANGUAGES } from '../../lib/i18n/words.ts'

/** Both languages side by side, each in its own language: for pages before sign-in. */
export function LanguageChoice({ className, buttons }: { className?: string; buttons?: string }) {
  const t = useT()
  const current = useLanguage()
  return (
    <div role="group" className={className} aria-label={t('auth:language')}>
      {LANGUAGES.map((language) => (
        <button
          key={language}
          type="button"
          className={buttons}
          lang={language}
          aria-pressed={language === current}
          onClick={() => void changeLanguage(language)}
        >
          {{ 'zh-TW': '繁體中文', 'en-US': 'English' }[language]}
        </button>
      ))}
    </div>
  )
}
