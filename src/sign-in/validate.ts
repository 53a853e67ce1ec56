import { EMAIL_PATTERN, isPassword } from '../../contract/kernel/credential.ts'

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
