import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useStore } from '../lib/store.ts'
import { signInReason } from '../data/auth-state.ts'
import { t as translate, useT, type TKey } from '../lib/i18n/i18n.ts'
import { LanguageChoice } from '../ui/inputs/language-choice.tsx'
import { loadAmplify, publicProfile } from './account.ts'
import { DemoAccounts } from './demo-accounts.tsx'
import { SignInForm } from './forms.tsx'
import { syncViewWithUrl, view, type AuthView } from './views.ts'
import './sign-in.css'

const titles: Record<AuthView, TKey> = {
  signIn: 'auth:signIn.title',
  signUp: 'auth:signUp.title',
  forgot: 'auth:forgot.title',
  reset: 'auth:reset.title',
  newPassword: 'auth:challenge.title',
  invitation: 'auth:invitation.title',
}

// Rarely used, so not part of the first chunk.
const passwordForms = () => import('./password-forms.tsx')
const ForgotForm = lazy(async () => ({ default: (await passwordForms()).ForgotForm }))
const ResetForm = lazy(async () => ({ default: (await passwordForms()).ResetForm }))
const NewPasswordForm = lazy(async () => ({ default: (await passwordForms()).NewPasswordForm }))
const SignUpForm = lazy(() => import('./sign-up-form.tsx'))
const InvitationForm = lazy(() => import('./invitation-form.tsx'))

/** Start page of users who are not signed in (§2). Plain React, to load fast. */
export function SignInPage() {
  const t = useT()
  const current = useStore(view)
  const reason = useStore(signInReason)
  const [email, setEmail] = useState('')
  const [notice, setNotice] = useState<TKey>()
  const profile = usePublicProfile()
  const heading = useRef<HTMLHeadingElement>(null)
  const last = useRef(current)

  useEffect(() => syncViewWithUrl(), [])
  const title = profile.LogoName || t('auth:product')
  useEffect(() => {
    document.title = `${translate(titles[current])} · ${title}`
  }, [current, title])
  useEffect(() => {
    // After a change of view, screen readers start at its heading; the first page does not move the focus.
    if (last.current !== current) heading.current?.focus()
    last.current = current
  }, [current])

  const shared = { email, setEmail, setNotice }
  const message = notice ?? (current === 'signIn' && reason ? (`auth:reason.${reason}` as const) : undefined)
  return (
    <div className="sign-in" onFocusCapture={prepareOnce}>
      <header className="sign-in-brand">
        {profile.LogoUrl ? <img src={profile.LogoUrl} alt="" height="40" /> : <Mark />}
        <span>{title}</span>
      </header>
      <main className="sign-in-card">
        <h1 ref={heading} tabIndex={-1}>
          {t(titles[current])}
        </h1>
        {message && (
          <p className="notice" role="status">
            {t(message)}
          </p>
        )}
        {current === 'signIn' && <SignInForm {...shared} />}
        {current === 'signIn' && <DemoAccounts />}
        <Suspense fallback={<p className="lead">{t('auth:opening')}</p>}>
          {current === 'forgot' && <ForgotForm {...shared} />}
          {current === 'reset' && <ResetForm {...shared} />}
          {current === 'newPassword' && <NewPasswordForm />}
          {current === 'signUp' && <SignUpForm {...shared} />}
          {current === 'invitation' && <InvitationForm {...shared} />}
        </Suspense>
      </main>
      <footer className="sign-in-foot">
        <LanguageChoice buttons="link" />
      </footer>
    </div>
  )
}

let prepared = false
function prepareOnce() {
  if (!prepared) loadAmplify()
  prepared = true
}

function usePublicProfile() {
  const [profile, setProfile] = useState<{ LogoName: string; LogoUrl: string | null }>({
    LogoName: '',
    LogoUrl: null,
  })
  useEffect(() => {
    let isUnmounted = false
    void publicProfile().then((result) => {
      if (!isUnmounted) setProfile(result)
    })
    return () => {
      isUnmounted = true
    }
  }, [])
  return profile
}

const Mark = () => (
  <svg viewBox="0 0 32 32" width="40" height="40" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="var(--accent)" />
    <path d="M8 25V10l8-4 8 4v15h-5v-6h-6v6z" fill="var(--on-accent)" />
    <path d="M17.5 9.5 13 15.5h2.6L14.5 20l4.5-6h-2.6z" fill="var(--accent)" />
  </svg>
)
