import { describe, expect, it } from 'vitest'
import { passwordFault } from '../../../../src/custom-views/personal/change-password.tsx'

describe('the fields of a password change', () => {
  it.each(['PreviousPassword', 'ProposedPassword', 'Confirm'] as const)('are required: %s', (field) => {
    expect(passwordFault(field, {})).toBe('required')
  })

  it('accept any current password, as it may be older than the rules', () => {
    expect(passwordFault('PreviousPassword', { PreviousPassword: 'X' })).toBeUndefined()
  })

  it.each(['ab1', 'abcdef', '123456', 'ABCDE1'])('reject %s as a new password', (ProposedPassword) => {
    expect(passwordFault('ProposedPassword', { ProposedPassword })).toBe('password')
  })

  it('reject the current password as the new one', () => {
    const values = { PreviousPassword: 'secret1', ProposedPassword: 'secret1' }
    expect(passwordFault('ProposedPassword', values)).toBe('same')
  })

  it('require the new password twice', () => {
    expect(passwordFault('Confirm', { ProposedPassword: 'secret2', Confirm: 'secret3' })).toBe('mismatch')
    expect(passwordFault('Confirm', { ProposedPassword: 'secret2', Confirm: 'secret2' })).toBeUndefined()
  })
})
