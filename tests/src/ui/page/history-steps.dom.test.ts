import { expect, it } from 'vitest'
import { isSameStep } from '../../../../src/ui/page/use-address.ts'

const at = (search: string) => new URLSearchParams(search)

it('gives each control one history step a second', () => {
  expect(isSameStep(at(''), at('state=on'), 10_000)).toBe(false)
  expect(isSameStep(at('state=on'), at('state=off'), 10_900)).toBe(true)
  expect(isSameStep(at('state=off'), at('state=off&kind=Door'), 11_000)).toBe(false)
  expect(isSameStep(at('state=off&kind=Door'), at('state=off'), 12_001)).toBe(false)
})

it('gives a new step after Back, however fast', () => {
  expect(isSameStep(at(''), at('device=a'), 20_000)).toBe(false)
  expect(isSameStep(at(''), at('device=b'), 20_100)).toBe(false)
})
