import { useState } from 'react'
import { authState } from '../data/auth-state.ts'
import { useT, type TKey } from '../lib/i18n/i18n.ts'
import { chooseNewPassword, forgotPassword, mailGoesOut, resetPassword } from './account.ts'
import { AuthField, type FieldName } from './field.tsx'
import { BackLink, EmailField, Form, Link, openApplication, type AuthFormProps, useForm } from './forms.tsx'
import { PasswordRules } from './password-rules.tsx'
import { mailedLink, showView } from './views.ts'

export function CodeField({ state }: { state: ReturnType<typeof useForm> }) {
  const t = useT()
  return (
    <AuthField
      label={t('auth:code')}
      inputMode="numeric"
      autoComplete="one-time-code"
      {...state.bind('code')}
    />
  )
}

/** New password with its rules, and its repetition. */
export function NewPasswordFields({ label, state }: { label: TKey; state: ReturnType<typeof useForm> }) {
  const t = useT()
  return (
    <>
      <AuthField label={t(label)} type="password" autoComplete="new-password" {...state.bind('newPassword')}>
        <PasswordRules password={state.values.newPassword ?? ''} />
      </AuthField>
      <AuthField
        label={t('auth:confirmPassword')}
        type="password"
        autoComplete="new-password"
        {...state.bind('confirmPassword')}
      />
    </>
  )
}

export function ForgotForm({ email, setEmail, setNotice }: AuthFormProps) {
  const t = useT()
  const state = useForm(['email'], { email }, async (values) => {
    const address = (values.email ?? '').trim()
    await forgotPassword(address)
    setEmail(address)
    setNotice((await mailGoesOut()) ? 'auth:forgot.sent' : 'auth:forgot.kept')
    showView('reset')
  })
  return (
    <Form
      state={state}
      submit="auth:forgot.submit"
      busy="auth:forgot.busy"
      after={
        <p className="links">
          <Link to="reset">{t('auth:forgot.haveCode')}</Link>
          <BackLink />
        </p>
      }
    >
      <p className="lead">{t('auth:forgot.text')}</p>
      <EmailField state={state} />
    </Form>
  )
}

/** Sets a new password with an emailed code; the link of the email contains address and code. */
export function ResetForm({ email, setEmail, setNotice }: AuthFormProps) {
  const t = useT()
  const [initialLink] = useState(mailedLink)
  const fields: readonly FieldName[] = initialLink ? [] : ['email', 'code']
  const state = useForm([...fields, 'newPassword', 'confirmPassword'], { email }, async (values) => {
    const address = initialLink?.email ?? (values.email ?? '').trim()
    await resetPassword(address, initialLink?.code ?? (values.code ?? '').trim(), values.newPassword ?? '')
    // The reset has ended all sessions of the user, so a signed-in user must sign in again.
    if (authState.get() === 'app') await (await import('../live/sign-out.ts')).signOut()
    setEmail(address)
    setNotice('auth:reset.done')
    showView('signIn')
  })
  return (
    <Form
      state={state}
      submit="auth:reset.submit"
      busy="auth:reset.busy"
      after={
        <p className="links">
          <Link to="forgot">{t('auth:reset.again')}</Link>
          <BackLink />
        </p>
      }
    >
      {initialLink ? (
        <p className="lead">{t('auth:reset.of', { email: initialLink.email })}</p>
      ) : (
        <>
          <EmailField state={state} />
          <CodeField state={state} />
        </>
      )}
      <NewPasswordFields label="auth:newPassword" state={state} />
    </Form>
  )
}

/** A sub-user's first sign-in: replaces the initial password. */
export function NewPasswordForm() {
  const t = useT()
  const state = useForm(['newPassword', 'confirmPassword'], {}, async (values) => {
    openApplication(await chooseNewPassword(values.newPassword ?? ''))
  })
  return (
    <Form
      state={state}
      submit="auth:challenge.submit"
      busy="auth:signIn.busy"
      after={
        <p className="links">
          <BackLink />
        </p>
      }
    >
      <p className="lead">{t('auth:challenge.text')}</p>
      <NewPasswordFields label="auth:newPassword" state={state} />
    </Form>
  )
}
