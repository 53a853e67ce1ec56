import { useEffect, useState } from 'react'
import { authState } from '../data/auth-state.ts'
import { changeLanguage, LANGUAGE_KEY, useT } from '../lib/i18n/i18n.ts'
import { useStore } from '../lib/store.ts'
import { acceptInvitation, AccountError, readInvitation, signIn, type InvitationDetails } from './account.ts'
import { AuthField } from './field.tsx'
import { Form, Link, openApplication, useForm, type AuthFormProps } from './forms.tsx'
import { NewPasswordFields } from './password-forms.tsx'
import { invitationToken, showView } from './views.ts'

type State = { invited: InvitationDetails } | { failure: AccountError } | 'reading'

async function read(token: string): Promise<State> {
  try {
    const invited = await readInvitation(token)
    // Without a language chosen on this device, the invitation's language applies.
    if (localStorage.getItem(LANGUAGE_KEY) === null) await changeLanguage(invited.Language)
    return { invited }
  } catch (error) {
    return { failure: error instanceof AccountError ? error : new AccountError('auth:error.unknown') }
  }
}

/** Form for an invited person: name and password, followed by a sign-in. */
export default function InvitationForm(props: AuthFormProps) {
  const t = useT()
  const [token] = useState(invitationToken)
  const [state, setState] = useState<State>(
    token ? 'reading' : { failure: new AccountError('auth:invitation.over') },
  )
  useEffect(() => {
    let isUnmounted = false
    if (token)
      void read(token).then((invitation) => {
        if (!isUnmounted) setState(invitation)
      })
    return () => {
      isUnmounted = true
    }
  }, [token])
  const retry = () => {
    setState('reading')
    void read(token).then(setState)
  }

  if (state === 'reading') return <p className="lead">{t('auth:opening')}</p>
  if ('failure' in state)
    return (
      <>
        <p className="alert" role="alert">
          {t(state.failure.key)}
        </p>
        <p className="links">
          {state.failure.key !== 'auth:invitation.over' && (
            <button type="button" className="link" onClick={retry}>
              {t('auth:invitation.reload')}
            </button>
          )}
          <Link to="signIn">{t('auth:back')}</Link>
        </p>
      </>
    )
  return <AcceptForm {...props} token={token} invited={state.invited} />
}

function AcceptForm({
  setEmail,
  setNotice,
  token,
  invited,
}: AuthFormProps & { token: string; invited: InvitationDetails }) {
  const t = useT()
  const isSignedIn = useStore(authState) === 'app'
  const state = useForm(
    ['familyName', 'givenName', 'newPassword', 'confirmPassword'],
    { familyName: invited.LastName, givenName: invited.FirstName },
    async (values) => {
      const password = values.newPassword ?? ''
      const email = await acceptInvitation({
        token,
        password,
        firstName: (values.givenName ?? '').trim(),
        lastName: (values.familyName ?? '').trim(),
      }).catch((error: unknown) => {
        const isInsecure = error instanceof AccountError && error.key === 'auth:error.insecure'
        throw isInsecure ? new AccountError('auth:invitation.insecure') : error
      })
      setEmail(email)
      // The new user must not see data of a user who was signed in here.
      if (authState.get() === 'app') await (await import('../live/sign-out.ts')).signOut()
      try {
        openApplication(await signIn(email, password))
      } catch {
        setNotice('auth:invitation.done')
        showView('signIn')
      }
    },
  )
  const { CompanyName: company, InvitedBy: inviter, MaskedEmail: email } = invited
  return (
    <Form state={state} submit="auth:invitation.submit" busy="auth:invitation.busy">
      <p className="lead">
        {inviter
          ? t('auth:invitation.by', { who: inviter, company, email })
          : t('auth:invitation.nobody', { company, email })}
      </p>
      {isSignedIn && <p className="lead">{t('auth:invitation.signedIn')}</p>}
      <div className="pair">
        <AuthField label={t('auth:familyName')} autoComplete="family-name" {...state.bind('familyName')} />
        <AuthField label={t('auth:givenName')} autoComplete="given-name" {...state.bind('givenName')} />
      </div>
      <NewPasswordFields label="auth:password" state={state} />
    </Form>
  )
}
