import { useState } from 'react'
import { useT } from '../lib/i18n/i18n.ts'
import { confirmSignUp, signUp } from './account.ts'
import { AuthField } from './field.tsx'
import { BackLink, EmailField, Form, Link, useForm, useSignUpIsOpen, type AuthFormProps } from './forms.tsx'
import { CodeField, NewPasswordFields } from './password-forms.tsx'
import { invitation, showView } from './views.ts'

/** Signs up a company: shows whether sign-up is closed, and asks for the emailed code if email is sent. */
export default function SignUpForm(props: AuthFormProps) {
  const t = useT()
  const [invited] = useState(invitation)
  const [session, setSession] = useState<string>()
  const isOpen = useSignUpIsOpen()
  if (session !== undefined) return <SignUpCodeForm {...props} session={session} />
  if (isOpen === false && !invited)
    return (
      <>
        <p className="lead">{t('auth:signUp.closed')}</p>
        <p className="links">
          <BackLink />
        </p>
      </>
    )
  return <CompanyForm {...props} invited={invited} onRequested={setSession} />
}

function CompanyForm({
  email,
  setEmail,
  setNotice,
  invited,
  onRequested: onAsked,
}: AuthFormProps & { invited: ReturnType<typeof invitation>; onRequested: (session: string) => void }) {
  const t = useT()
  const state = useForm(
    ['companyName', 'familyName', 'givenName', 'email', 'newPassword', 'confirmPassword'],
    { email: invited?.email ?? email },
    async (values) => {
      const address = (values.email ?? '').trim()
      const session = await signUp({
        email: address,
        password: values.newPassword ?? '',
        firstName: (values.givenName ?? '').trim(),
        lastName: (values.familyName ?? '').trim(),
        companyName: (values.companyName ?? '').trim(),
        invitation: invited?.secret,
      })
      setEmail(address)
      setNotice(session === undefined ? 'auth:signUp.done' : 'auth:signUp.sent')
      if (session === undefined) showView('signIn')
      else onAsked(session)
    },
  )
  return (
    <Form
      state={state}
      submit="auth:signUp.submit"
      busy="auth:signUp.busy"
      after={
        <p className="links">
          <span>
            {t('auth:signUp.have')} <Link to="signIn">{t('auth:signIn.submit')}</Link>
          </span>
        </p>
      }
    >
      <p className="lead">{t('auth:signUp.text')}</p>
      <AuthField label={t('auth:companyName')} autoComplete="organization" {...state.bind('companyName')} />
      <div className="pair">
        <AuthField label={t('auth:familyName')} autoComplete="family-name" {...state.bind('familyName')} />
        <AuthField label={t('auth:givenName')} autoComplete="given-name" {...state.bind('givenName')} />
      </div>
      <EmailField state={state} />
      <NewPasswordFields label="auth:password" state={state} />
    </Form>
  )
}

function SignUpCodeForm({ setNotice, session }: AuthFormProps & { session: string }) {
  const state = useForm(['code'], {}, async (values) => {
    await confirmSignUp(session, (values.code ?? '').trim())
    setNotice('auth:signUp.done')
    showView('signIn')
  })
  return (
    <Form
      state={state}
      submit="auth:signUp.confirm"
      busy="auth:signUp.busy"
      after={
        <p className="links">
          <BackLink />
        </p>
      }
    >
      <CodeField state={state} />
    </Form>
  )
}
