/** Baseline of a first screen: a sign-in form with React alone. */
import { StrictMode, useState, type FormEvent } from 'react'
import { createRoot } from 'react-dom/client'

function SignIn() {
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSent(true)
  }
  return (
    <main>
      <h1>Sign in</h1>
      <form onSubmit={submit}>
        <label>
          E-mail <input type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
        </label>
        <label>
          Password <input type="password" />
        </label>
        <button type="submit" disabled={sent}>
          Sign in
        </button>
      </form>
    </main>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <SignIn />
  </StrictMode>,
)
