import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DeviceStatus } from '../../../../../contract/device-kinds/status.ts'
import type { Condition } from '../../../../../contract/rules/automation/condition.ts'
import { type Verdict, verdictOf } from '../../../../../contract/rules/automation/truth.ts'
import {
  candidatesOf,
  createKnown,
  forget,
  readAll,
} from '../../../../../gateway/features/automation/engine/known.ts'
import type { Db } from '../../../../../gateway/store/db.ts'

const [tenant, homeId] = ['company', 'home']
const FIELDS = ['Power', 'ThermostatTable.2.Temperature', 'ModbusValues.flow']

const rowOf = (conditions: readonly Condition[], i: number) => ({
  tenant,
  homeId,
  automationId: `rule-${i}`,
  isReady: true,
  version: 1,
  rule: { Conditions: { PeripheralUIDs: conditions } },
})
const holding = (rows: readonly unknown[]) => ({ query: async () => rows }) as unknown as Db

/** A status whose quantities are as said, in the order of FIELDS; undefined ones are not there. */
const statusOf = (uid: string, [power, temperature, flow]: readonly (number | undefined)[]) =>
  ({
    PeripheralUID: uid,
    ...(power !== undefined && { Power: power }),
    ...(temperature !== undefined && {
      ThermostatTable: [{ NodeID: 1 }, { NodeID: 2, Temperature: temperature }],
    }),
    ...(flow !== undefined && { ModbusValues: { flow } }),
  }) as unknown as DeviceStatus

const uids = fc.constantFrom('a', 'b')
const numbers = fc.integer({ min: 0, max: 4 })
const conditions = fc.record({
  PeripheralUID: uids,
  Field: fc.constantFrom(...FIELDS),
  Logical: fc.constantFrom('=' as const, '>' as const, '<=' as const),
  Status: numbers,
})
const verdicts = fc.constantFrom<Verdict[]>(true, false, undefined)

describe('rules that a report gives reason to decide', () => {
  it('are those of which its figures turn a condition, and no other', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.tuple(conditions, verdicts), { minLength: 1, maxLength: 8 }), { maxLength: 6 }),
        uids,
        fc.tuple(...FIELDS.map(() => fc.option(numbers, { nil: undefined }))),
        async (rules, uid, values) => {
          const known = createKnown()
          await readAll(
            known,
            holding(
              rules.map((rule, i) =>
                rowOf(
                  rule.map(([one]) => one),
                  i,
                ),
              ),
            ),
          )
          for (const [i, rule] of rules.entries())
            known.verdicts.set(
              `${tenant}/rule-${i}`,
              rule.map(([, was]) => was),
            )
          const statuses = [statusOf(uid, values)]
          const found = candidatesOf(known, { tenant, homeId, uids: [uid], moved: [], statuses }, 0)
          const turned = rules.flatMap((rule, i) =>
            rule.some(
              ([one, was]) =>
                one.PeripheralUID === uid && verdictOf(one, values[FIELDS.indexOf(one.Field)], was) !== was,
            )
              ? [`rule-${i}`]
              : [],
          )
          expect([...found].map(({ automationId }) => automationId).sort()).toEqual(turned.sort())
        },
      ),
    ))

  const watching = async (...rules: Condition[]) => {
    const known = createKnown()
    await readAll(known, holding(rules.map((one, i) => rowOf([one], i))))
    return known
  }
  const unread = (changed: { uids: string[]; moved: string[] }) => ({
    tenant,
    homeId,
    ...changed,
    get statuses(): never {
      throw new Error('Statuses were read')
    },
  })

  it('are found without reading statuses while no device that reported has a figure watched', async () => {
    const known = await watching(
      { PeripheralUID: 'a', Field: 'Power', Logical: '>', Status: 1 },
      { PeripheralUID: 'b', Field: 'Switch', Logical: '=', Status: 1 },
    )
    expect([...candidatesOf(known, unread({ uids: ['b', 'c'], moved: ['b'] }), 0)]).toMatchObject([
      { automationId: 'rule-1' },
    ])
  })

  it('are none any more once they are forgotten', async () => {
    const known = await watching(
      { PeripheralUID: 'a', Field: 'Power', Logical: '>', Status: 1 },
      { PeripheralUID: 'a', Field: 'Power', Logical: '>', Status: 2 },
    )
    const reported = { tenant, homeId, uids: ['a'], moved: [], statuses: [statusOf('a', [3])] }
    forget(known, `${tenant}/rule-0`)
    expect([...candidatesOf(known, reported, 0)]).toMatchObject([{ automationId: 'rule-1' }])
    forget(known, `${tenant}/rule-1`)
    expect(known.measured.size).toBe(0)
  })
})
