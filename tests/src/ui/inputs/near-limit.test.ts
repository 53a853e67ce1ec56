import { expect, it } from 'vitest'
import { COUNT_NEAR_LIMIT } from '../../../../src/ui/inputs/near-limit.ts'

it('counts only the last ten characters of a limit', () => {
  const counter = (count: number, maxLength?: number) =>
    COUNT_NEAR_LIMIT.formatter({ count, ...(maxLength !== undefined && { maxLength }) })
  expect(counter(0, 64)).toBe('')
  expect(counter(53, 64)).toBe('')
  expect(counter(54, 64)).toBe('54 / 64')
  expect(counter(64, 64)).toBe('64 / 64')
  expect(counter(5)).toBe('')
})
