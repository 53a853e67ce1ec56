import { PASSWORD_RULES, type PasswordRule } from '../../contract/kernel/sign-in-rules.ts'
import { useT } from '../lib/i18n/i18n.ts'

/** Password rules of §2; each is ticked once it is met. */
export function PasswordRules({ password }: { password: string }) {
  const t = useT()
  return (
    <ul className="rules" aria-label={t('auth:rules.title')}>
      {(Object.keys(PASSWORD_RULES) as PasswordRule[]).map((rule) => {
        const isMet = PASSWORD_RULES[rule](password)
        return (
          <li key={rule} data-met={isMet}>
            <span aria-hidden="true">{isMet ? '✓' : '○'}</span> {t(`auth:rules.${rule}`)}
            <span className="visually-hidden"> ({t(isMet ? 'auth:rules.met' : 'auth:rules.notMet')})</span>
          </li>
        )
      })}
    </ul>
  )
}
