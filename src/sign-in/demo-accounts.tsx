import { useEffect, useState } from 'react'
import { webConfig, type DemoSignIn } from '../data/config.ts'
import { useT, type TKey } from '../lib/i18n/i18n.ts'
import { AccountError, signIn } from './account.ts'
import { openApplication } from './forms.tsx'

/** Roles of the demo's accounts by the first part of their address. */
const ROLES: Readonly<Record<string, TKey>> = {
  owner: 'auth:demo.owner',
  facility: 'auth:demo.facility',
  operator: 'auth:demo.operator',
  viewer: 'auth:demo.viewer',
}
const roleOf = (email: string): TKey | undefined => ROLES[email.split('@')[0] ?? '']

/** Buttons that sign in with the accounts of a demo; nothing unless the gateway lists any. */
export function DemoAccounts() {
  const t = useT()
  const accounts = useDemoSignIn()
  const [chosen, setChosen] = useState<string>()
  const [failure, setFailure] = useState<AccountError>()
  if (!accounts) return null
  const enter = async (email: string) => {
    setChosen(email)
    setFailure(undefined)
    try {
      openApplication(await signIn(email, accounts.Password))
    } catch (error) {
      setFailure(error instanceof AccountError ? error : new AccountError('auth:error.unknown'))
      setChosen(undefined)
    }
  }
  return (
    <section className="demo-accounts" aria-labelledby="demo-accounts">
      <h2 id="demo-accounts">{t('auth:demo.title')}</h2>
      {failure && (
        <p className="alert" role="alert">
          {failure.text ?? t(failure.key)}
        </p>
      )}
      {accounts.Emails.map((email) => {
        const role = roleOf(email)
        return (
          <button
            key={email}
            type="button"
            disabled={chosen !== undefined}
            aria-busy={chosen === email}
            onClick={() => void enter(email)}
          >
            <strong>{role ? t(role) : email}</strong>
            {role && <span>{email}</span>}
          </button>
        )
      })}
    </section>
  )
}

function useDemoSignIn(): DemoSignIn | undefined {
  const [accounts, setAccounts] = useState<DemoSignIn>()
  useEffect(() => {
    let isUnmounted = false
    webConfig().then(
      ({ Demo }) => !isUnmounted && setAccounts(Demo?.SignIn),
      // The form reports that the gateway is unreachable.
      () => {},
    )
    return () => {
      isUnmounted = true
    }
  }, [])
  return accounts
}
