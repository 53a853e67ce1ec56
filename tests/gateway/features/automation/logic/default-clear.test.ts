import { expect, it } from 'vitest'
import { Conditions } from '../../../../../contract/automation/condition.ts'
import { withDefaultClear } from '../../../../../gateway/features/automation/logic/default-clear.ts'
import { evaluateCondition } from '../../../../../contract/automation/evaluate-conditions.ts'

const compared = (condition: object) =>
  withDefaultClear(
    Conditions.parse({ PeripheralUIDs: [{ PeripheralUID: 'a', Field: 'Power', ...condition }] }),
  ).PeripheralUIDs[0]!

it.each([
  ['>', 100, 98],
  ['>=', -100, -102],
  ['<', 100, 102],
  ['<=', 0, 0],
  ['outside', [200, 240], [204, 235.2]],
  ['outside', [100, 101], [100.5, 100.5]],
  ['between', [200, 240], undefined],
  ['=', 100, undefined],
])('clears an alarm on a value %s %j at %j', (Logical, Status, Clear) => {
  expect(compared({ Logical, Status }).Clear).toEqual(Clear)
})

it('keeps the configured clear value', () => {
  expect(compared({ Logical: '>', Status: 100, Clear: 50 }).Clear).toBe(50)
})

it('keeps a value true that was outside until it is well within', () => {
  const condition = compared({ Logical: 'outside', Status: [200, 240] })
  expect([199, 203, 241, 236].map((value) => evaluateCondition(condition, value, true))).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect([204, 235].map((value) => evaluateCondition(condition, value, true))).toEqual([false, false])
  expect([203, 236].map((value) => evaluateCondition(condition, value, false))).toEqual([false, false])
})
