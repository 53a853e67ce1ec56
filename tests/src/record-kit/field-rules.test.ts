import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Department } from '../../../contract/people/department.ts'
import { Home } from '../../../contract/homes/home.ts'
import { user } from '../../../contract/people/user.ts'
import { isRequired, maxLengthOf, reasonFor } from '../../../src/record-kit/field-rules.ts'

describe('form rules from the contract', () => {
  it('require a name that is not only blanks', () => {
    expect(reasonFor(Home.shape.HomeName, '')).toBe('required')
    expect(reasonFor(Home.shape.HomeName, undefined)).toBe('required')
    expect(reasonFor(Home.shape.HomeName, '   ')).toBe('required')
    expect(reasonFor(Home.shape.HomeName, '臺北辦公室')).toBeUndefined()
  })

  it('reject input beyond the maximum length', () => {
    expect(reasonFor(Department.shape.Department, 'x'.repeat(65))).toBe('tooLong')
    expect(maxLengthOf(Department.shape.Department)).toBe(64)
  })

  it('name the rule that a password or an address breaks', () => {
    const { shape } = user.operations.create.input
    expect(reasonFor(shape.password, 'SHORT1')).toBe('password')
    expect(reasonFor(shape.password, 'long enough 1')).toBeUndefined()
    expect(reasonFor(shape.Email, 'nobody')).toBe('email')
  })

  it('allow an optional or nullable field to be empty', () => {
    expect(reasonFor(Home.shape.ThreadNetworkKey, '')).toBeUndefined()
    expect(isRequired(Home.shape.ThreadNetworkKey)).toBe(false)
    expect(isRequired(Home.shape.HomeName)).toBe(true)
  })

  it('reject a number that is invalid, or not an integer', () => {
    expect(reasonFor(z.number(), 'x')).toBe('number')
    expect(reasonFor(z.number().int(), 1.5)).toBe('number')
  })

  it("replace the library's own message with a reason of ours", () => {
    expect(reasonFor(z.number().max(5), 6)).toBe('tooBig')
    expect(reasonFor(z.number().min(1), 0)).toBe('tooSmall')
    expect(reasonFor(z.string(), 1)).toBe('invalid')
  })
})
