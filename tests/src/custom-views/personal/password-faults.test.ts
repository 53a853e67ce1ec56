import { describe, expect, it } from 'vitest'
import { passwordFault } from '../../../../src/custom-views/personal/change-password.tsx'

describe('the fields of a password change', () => {
  it.each(['PreviousPassword', 'ProposedPassword', 'Confirm'] as const)('must be filled in: %s', (field) => {
    expect(passwordFault(field, {})).toBe('required')
  })

  it('take any current password: it may be older than the rules', () => {
    expect(passwordFault('PreviousPassword', { PreviousPassword: 'X' })).toBeUndefined()
  })

  it.each(['ab1', 'abcdef', '123456', 'ABCDE1'])('refuse %s as a new password', (ProposedPassword) => {
    expect(passwordFault('ProposedPassword', { ProposedPassword })).toBe('password')
  })

  it('refuse the password there is already', () => {
    const values = { PreviousPassword: 'secret1', ProposedPassword: 'secret1' }
    expect(passwordFault('ProposedPassword', values)).toBe('same')
  })

  it('want the same new password twice', () => {
    expect(passwordFault('Confirm', { ProposedPassword: 'secret2', Confirm: 'secret3' })).toBe('mismatch')
    expect(passwordFault('Confirm', { ProposedPassword: 'secret2', Confirm: 'secret2' })).toBeUndefined()
  })
})
