import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { t as translate, useT } from '../lib/i18n/i18n.ts'
import type { FieldFault } from './validate.ts'

interface FieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  fault?: FieldFault | undefined
  type?: 'text' | 'email' | 'password'
  autoComplete: string
  inputMode?: 'email' | 'numeric'
  autoFocus?: boolean
  /** Content below the field, e.g. the password rules. */
  children?: ReactNode
}

/** Labelled input with its error below; a password field can show its text and warns if Caps Lock is on. */
export function AuthField({ label, value, onChange, fault, type = 'text', children, ...input }: FieldProps) {
  const t = useT()
  const id = useId()
  const [isRevealed, setIsRevealed] = useState(false)
  const [caps, setCaps] = useState(false)
  const secret = type === 'password'
  const watchCaps = (event: KeyboardEvent) => setCaps(event.getModifierState?.('CapsLock') ?? false)
  const notes = [fault && `${id}-fault`, caps && `${id}-caps`, children && `${id}-more`]
    .filter(Boolean)
    .join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-box">
        <input
          id={id}
          type={secret && isRevealed ? 'text' : type}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-invalid={fault ? true : undefined}
          aria-describedby={notes || undefined}
          autoCapitalize="none"
          spellCheck={false}
          {...(secret && { onKeyDown: watchCaps, onKeyUp: watchCaps, onBlur: () => setCaps(false) })}
          {...input}
        />
        {secret && (
          <button
            type="button"
            className="reveal"
            aria-label={t(isRevealed ? 'auth:hide' : 'auth:show')}
            aria-pressed={isRevealed}
            onClick={() => setIsRevealed(!isRevealed)}
          >
            <Eye crossed={isRevealed} />
          </button>
        )}
      </div>
      {fault && (
        <p className="fault" id={`${id}-fault`}>
          {translate(`auth:error.${fault}`)}
        </p>
      )}
      {caps && (
        <p className="hint" id={`${id}-caps`} role="status">
          {t('auth:capsLock')}
        </p>
      )}
      {children && <div id={`${id}-more`}>{children}</div>}
    </div>
  )
}

const Eye = ({ crossed }: { crossed: boolean }) => (
  <svg
    viewBox="0 0 24 24"
    width="20"
    height="20"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
  >
    <path d="M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12Z" />
    <circle cx="12" cy="12" r="3" />
    {crossed && <path d="M4 4l16 16" />}
  </svg>
)
