import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { t as translate, useT } from '../lib/i18n/i18n.ts'
import { EMAIL_PATTERN, isPassword } from '../../contract/kernel/sign-in-rules.ts'

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

/** Error of a field: a key of `auth:error`. */
export type FieldFault = 'required' | 'email' | 'password' | 'confirm' | 'code' | 'tooLong'
export type FieldName =
  | 'email'
  | 'password'
  | 'newPassword'
  | 'confirmPassword'
  | 'companyName'
  | 'familyName'
  | 'givenName'
  | 'code'
export type Values = Partial<Record<FieldName, string>>

/** First error of each field; empty if the form is valid (§5). */
export function validateFields(
  fields: readonly FieldName[],
  values: Values,
): Partial<Record<FieldName, FieldFault>> {
  const faults: Partial<Record<FieldName, FieldFault>> = {}
  for (const field of fields) {
    const fault = faultOf(field, values[field] ?? '', values)
    if (fault) faults[field] = fault
  }
  return faults
}

function faultOf(field: FieldName, value: string, values: Values): FieldFault | undefined {
  if (value.trim() === '') return 'required'
  switch (field) {
    case 'email':
      return value.trim().length > 254 ? 'tooLong' : EMAIL_PATTERN.test(value.trim()) ? undefined : 'email'
    case 'newPassword':
      return isPassword(value) ? undefined : 'password'
    case 'confirmPassword':
      return value === values.newPassword ? undefined : 'confirm'
    case 'code':
      return /^\d{6}$/.test(value.trim()) ? undefined : 'code'
    case 'companyName':
    case 'familyName':
    case 'givenName':
      return value.trim().length > 64 ? 'tooLong' : undefined
    case 'password':
      return undefined
  }
}
