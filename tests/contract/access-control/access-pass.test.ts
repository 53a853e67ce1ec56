import { describe, expect, it } from 'vitest'
import {
  cardDigits,
  formatPhone,
  movement,
  phoneDigits,
  readPass,
  type Visit,
  visitorDenial,
  visitState,
  writePass,
} from '../../../contract/access-control/access-pass.ts'

const visit = (changes: Partial<Visit> = {}): Visit => ({
  ValidFrom: 1_000,
  ValidUntil: 2_000,
  CheckedInAt: null,
  AwayAt: null,
  CheckedOutAt: null,
  RevokedAt: null,
  ...changes,
})

describe('A visit', () => {
  it.each([
    ['expected', {}, 500],
    ['expected', {}, 2_000],
    ['missed', {}, 2_001],
    ['inside', { CheckedInAt: 1_100 }, 2_000],
    ['overdue', { CheckedInAt: 1_100 }, 2_001],
    ['left', { CheckedInAt: 1_100, CheckedOutAt: 1_200 }, 9_000],
    ['expected', { CheckedInAt: 1_100, AwayAt: 1_200 }, 2_000],
    ['left', { CheckedInAt: 1_100, AwayAt: 1_200 }, 2_001],
    ['left', { CheckedInAt: 1_100, AwayAt: 1_200, RevokedAt: 1_300 }, 1_400],
    ['revoked', { RevokedAt: 900 }, 1_000],
    ['inside', { CheckedInAt: 1_100, RevokedAt: 1_200 }, 1_300],
  ] as const)('is %s with %j at %i', (state, changes, now) => {
    expect(visitState(visit(changes), now)).toBe(state)
  })

  it('is admitted within its window, both ends included', () => {
    expect([999, 1_000, 2_000, 2_001].map((now) => visitorDenial(visit(), now))).toEqual([
      'notYet',
      undefined,
      undefined,
      'expired',
    ])
  })
})

it('alternates in and out at a two-way door', () => {
  expect([
    movement('both', false),
    movement('both', true),
    movement('in', true),
    movement('out', false),
  ]).toEqual(['in', 'out', 'in', 'out'])
})

describe('A pass', () => {
  it('contains what was written, with its window in whole seconds, never shorter', () => {
    const from = 1_767_571_201_999
    const pass = readPass(writePass({ kind: 'visitor', id: 'v-1', from, until: from + 1 }))
    expect(pass).toEqual({ kind: 'visitor', id: 'v-1', from: 1_767_571_201_000, until: 1_767_571_202_000 })
    expect(readPass(writePass({ kind: 'employee', id: 'e_1', serial: 40 }))).toEqual({
      kind: 'employee',
      id: 'e_1',
      serial: 40,
    })
  })

  it.each(['', 'V', 'V..1.2', 'V.a.1', 'V.a.1.2.3', 'E.a.1.2', 'E.a.', 'X.a.1.2', 'V.a b.1.2', 'V.a.-1.2'])(
    'is rejected if it reads %j',
    (text) => expect(readPass(text)).toBeUndefined(),
  )
})

it('normalizes phone and card numbers however they are written', () => {
  expect(phoneDigits('(０９１１) 222-333')).toBe('0911222333')
  expect(phoneDigits('+886 (0)911-222-333')).toBe('0911222333')
  expect(phoneDigits('+81 90-1234-5678')).toBe('+819012345678')
  expect(formatPhone('0911222333')).toBe('0911-222-333')
  expect(formatPhone('')).toBe('')
  expect(cardDigits(' 04:a1-ｂ2 ')).toBe('04A1B2')
})
