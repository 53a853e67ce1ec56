import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { setSignedIn, authState } from '../data/auth-state.ts'
import { useT, type TKey } from '../lib/i18n/i18n.ts'
import { useStore } from '../lib/store.ts'
import { AccountError, signIn, isSignUpOpen } from './account.ts'
import { AuthField, validateFields, type FieldFault, type FieldName, type Values } from './field.tsx'
import { clearViewFromUrl, showView } from './views.ts'

/** State that the views share: the email address, typed once, and a notice for the next view. */
export interface AuthFormProps {
  email: string
  setEmail: (email: string) => void
  setNotice: (notice: TKey | undefined) => void
}

/** State of a form: values, field errors after the first attempt, and one error above the button. */
export function useForm(
  fields: readonly FieldName[],
  initial: Values,
  send: (values: Values) => Promise<void>,
) {
  const [values, setValues] = useState<Values>(initial)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<AccountError>()
  const form = useRef<HTMLFormElement>(null)
  const faults: Partial<Record<FieldName, FieldFault>> = wasSubmitted ? validateFields(fields, values) : {}

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (sending) return
    setWasSubmitted(true)
    setFailure(undefined)
    const invalidFields = validateFields(fields, values)
    const first = fields.findIndex((field) => invalidFields[field])
    if (first >= 0) {
      form.current?.querySelectorAll('input')[first]?.focus()
      return
    }
    setSending(true)
    try {
      await send(values)
    } catch (error) {
      setFailure(error instanceof AccountError ? error : new AccountError('auth:error.unknown'))
      setSending(false)
    }
  }

  const bind = (name: FieldName) => ({
    value: values[name] ?? '',
    onChange: (value: string) => setValues((old) => ({ ...old, [name]: value })),
    fault: faults[name],
  })
  return { form, submit, bind, busy: sending, failure, values }
}

export function Form(props: {
  state: ReturnType<typeof useForm>
  submit: TKey
  busy: TKey
  children: ReactNode
  after?: ReactNode
}) {
  const t = useT()
  const { form, submit, busy, failure } = props.state
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      {props.children}
      {failure && (
        <p className="alert" role="alert">
          {failure.text ?? t(failure.key)}
        </p>
      )}
      <button className="primary" type="submit" disabled={busy} aria-busy={busy}>
        {t(busy ? props.busy : props.submit)}
      </button>
      {props.after}
    </form>
  )
}

export const Link = ({
  to,
  children,
}: {
  to: 'signIn' | 'signUp' | 'forgot' | 'reset'
  children: ReactNode
}) => (
  <button type="button" className="link" onClick={() => showView(to)}>
    {children}
  </button>
)

/** Link back to the sign-in form; to the dashboard for a signed-in user. */
export function BackLink() {
  const t = useT()
  const isSignedIn = useStore(authState) === 'app'
  return <Link to="signIn">{t(isSignedIn ? 'auth:backToApp' : 'auth:back')}</Link>
}

export function EmailField({ state }: { state: ReturnType<typeof useForm> }) {
  const t = useT()
  return (
    <AuthField
      label={t('auth:email')}
      type="email"
      inputMode="email"
      autoComplete="username"
      {...state.bind('email')}
    />
  )
}

/** Continues after a sign-in: opens the application, or the form for a new password. */
export function openApplication(step: 'done' | 'newPassword') {
  if (step === 'newPassword') return showView('newPassword')
  clearViewFromUrl()
  setSignedIn()
}

export function SignInForm({ email, setEmail, setNotice }: AuthFormProps) {
  const t = useT()
  const isOpen = useSignUpIsOpen()
  const state = useForm(['email', 'password'], { email }, async (values) => {
    const address = (values.email ?? '').trim()
    setEmail(address)
    const step = await signIn(address, values.password ?? '')
    setNotice(undefined)
    openApplication(step)
  })
  return (
    <Form
      state={state}
      submit="auth:signIn.submit"
      busy="auth:signIn.busy"
      after={
        <p className="links">
          <Link to="forgot">{t('auth:signIn.forgot')}</Link>
          {isOpen && (
            <span>
              {t('auth:signIn.noAccount')} <Link to="signUp">{t('auth:signIn.toSignUp')}</Link>
            </span>
          )}
        </p>
      }
    >
      <EmailField state={state} />
      <AuthField
        label={t('auth:password')}
        type="password"
        autoComplete="current-password"
        {...state.bind('password')}
      />
    </Form>
  )
}

/** Whether anyone may sign up a company; undefined while unknown. */
export function useSignUpIsOpen(): boolean | undefined {
  const [isOpen, setIsOpen] = useState<boolean>()
  useEffect(() => {
    let isUnmounted = false
    void isSignUpOpen().then((isOpenNow) => {
      if (!isUnmounted) setIsOpen(isOpenNow)
    })
    return () => {
      isUnmounted = true
    }
  }, [])
  return isOpen
}
