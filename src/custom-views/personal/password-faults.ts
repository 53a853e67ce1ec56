import { isPassword } from '../../../contract/kernel/credentials.ts'

export type PasswordField = 'PreviousPassword' | 'ProposedPassword' | 'Confirm'
export type PasswordValues = Record<PasswordField, string>

/**
 * What is wrong with a field of the change-password form (§5), before anything is sent.
 *
 * returns  a reason key of `errors.fields`, or 'same' and 'mismatch' of this page; undefined when the field is good
 */
export function passwordFault(field: PasswordField, values: Partial<PasswordValues>): string | undefined {
  const value = values[field] ?? ''
  if (value === '') return 'required'
  switch (field) {
    case 'PreviousPassword':
      return undefined
    case 'ProposedPassword':
      if (!isPassword(value)) return 'password'
      return value === values.PreviousPassword ? 'same' : undefined
    case 'Confirm':
      return value === values.ProposedPassword ? undefined : 'mismatch'
  }
}
