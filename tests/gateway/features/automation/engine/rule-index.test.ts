import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CommandValues } from '../../../../../contract/devices/capabilities/capability.ts'
import type { Condition } from '../../../../../contract/automation/condition.ts'
import { type TruthValue, evaluateCondition } from '../../../../../contract/automation/evaluate-conditions.ts'
import {
  candidatesOfChanges,
  candidatesOfReports,
  createRuleIndex,
  removeFromIndex,
  loadAllRules,
  updateIndex,
} from '../../../../../gateway/features/automation/engine/rule-index.ts'
import type { Db } from '../../../../../gateway/kernel/db.ts'

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

const keyOf = (i: number) => `${tenant}/rule-${i}`
const rulesFound = (found: Iterable<{ automationId: string }>) =>
  [...found].map(({ automationId }) => automationId).toSorted()

/** Report of a device: quantities in the order of FIELDS, without undefined ones. */
const reportOf = (uid: string, [power, temperature, flow]: readonly (number | null | undefined)[]) => ({
  device: { key: `${tenant}/${uid}`, peripheralUID: uid },
  values: {
    ...(power !== undefined && { Power: power }),
    ...(temperature !== undefined && {
      ThermostatTable: [{ NodeID: 1 }, { NodeID: 2, Temperature: temperature }],
    }),
    ...(flow !== undefined && { ModbusValues: { flow } }),
  } as CommandValues,
})

const uids = fc.constantFrom('a', 'b')
const numbers = fc.integer({ min: 0, max: 4 })
const conditions: fc.Arbitrary<Condition> = fc
  .record({
    PeripheralUID: uids,
    Field: fc.constantFrom(...FIELDS),
    Logical: fc.constantFrom('=' as const, '!=' as const, '>' as const, '<=' as const, 'outside' as const),
    Status: numbers,
    Clear: fc.option(numbers, { nil: undefined }),
  })
  .map(({ Clear, Status, ...rest }) => ({
    ...rest,
    Status: rest.Logical === 'outside' ? [Status, Status + 2] : Status,
    ...(Clear !== undefined && (rest.Logical === '>' || rest.Logical === '<=') && { Clear }),
  }))
const verdicts = fc.constantFrom<TruthValue[]>(true, false, undefined)
/** Successive events: a device reports, or the previous result of a rule is set. */
const steps = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      uid: uids,
      // Halves lie between the limits.
      values: fc.tuple(
        ...FIELDS.map(() =>
          fc.oneof(
            { weight: 5, arbitrary: fc.integer({ min: -1, max: 11 }).map((n) => n / 2) },
            fc.constantFrom(null, undefined),
          ),
        ),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ rule: fc.nat(5), was: verdicts }) },
)

describe('rules to evaluate for a report', () => {
  it('are only those with a condition that the report changes, whatever was reported before', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(conditions, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 }),
        fc.array(steps, { maxLength: 12 }),
        async (rules, all) => {
          const known = createRuleIndex()
          await loadAllRules(known, holding(rules.map(rowOf)))
          const verdictsOf = rules.map((rule): TruthValue[] => rule.map(() => undefined))
          for (const i of rules.keys()) updateIndex(known, { key: keyOf(i) }, verdictsOf[i] ?? [], null)
          for (const step of all) {
            if ('rule' in step) {
              const i = step.rule % rules.length
              verdictsOf[i] = (rules[i] ?? []).map(() => step.was)
              updateIndex(known, { key: keyOf(i) }, verdictsOf[i], null)
              continue
            }
            const turned = rules.flatMap((rule, i) =>
              rule.some((one, at) => {
                const value = step.values[FIELDS.indexOf(one.Field)]
                const was = verdictsOf[i]?.[at]
                return (
                  one.PeripheralUID === step.uid &&
                  value !== undefined &&
                  evaluateCondition(one, value ?? undefined, was) !== was
                )
              })
                ? [`rule-${i}`]
                : [],
            )
            const found = candidatesOfReports(known, [reportOf(step.uid, step.values)], 0)
            expect(rulesFound(found)).toEqual(turned.toSorted())
          }
        },
      ),
    ))

  const watching = async (...rules: Condition[]) => {
    const known = createRuleIndex()
    await loadAllRules(known, holding(rules.map((one, i) => rowOf([one], i))))
    return known
  }

  it('are all rules of its device until their state is known', async () => {
    const known = await watching({ PeripheralUID: 'a', Field: 'Power', Logical: '>', Status: 1 })
    expect(candidatesOfReports(known, [reportOf('b', [0])], 0).size).toBe(0)
    expect(candidatesOfReports(known, [reportOf('a', [0])], 0).size).toBe(1)
    updateIndex(known, { key: keyOf(0) }, [false], null)
    expect(candidatesOfReports(known, [reportOf('a', [0])], 0).size).toBe(0)
  })

  it('stay as few when all rules are reloaded, and are all for a changed rule', async () => {
    const known = await watching({ PeripheralUID: 'a', Field: 'Power', Logical: '>', Status: 1 })
    updateIndex(known, { key: keyOf(0) }, [false], null)
    const rule = rowOf([{ PeripheralUID: 'a', Field: 'Power', Logical: '>', Status: 1 }], 0)
    await loadAllRules(known, holding([rule]))
    expect(candidatesOfReports(known, [reportOf('a', [0])], 0).size).toBe(0)
    await loadAllRules(known, holding([{ ...rule, version: 2 }]))
    expect(candidatesOfReports(known, [reportOf('a', [0])], 0).size).toBe(1)
  })

  it('include those on the silence of its device, until they know that it reported', async () => {
    const known = await watching({ PeripheralUID: 'a', Field: 'SilentFor', Logical: '>', Status: 60 })
    const isFound = () => candidatesOfReports(known, [reportOf('a', [0])], 0).size > 0
    updateIndex(known, { key: keyOf(0) }, [true], null)
    expect([isFound(), isFound()]).toEqual([true, true])
    updateIndex(known, { key: keyOf(0) }, [false], null)
    expect([isFound(), isFound()]).toEqual([false, false])
    updateIndex(known, { key: keyOf(0) }, [true], null)
    expect(isFound()).toBe(true)
  })

  it('are those of devices with a changed state', async () => {
    const known = await watching(
      { PeripheralUID: 'a', Field: 'Power', Logical: '>', Status: 1 },
      { PeripheralUID: 'b', Field: 'Switch', Logical: '=', Status: 1 },
    )
    expect(rulesFound(candidatesOfChanges(known, { tenant, changedUIDs: ['b', 'c'] }))).toEqual(['rule-1'])
  })

  it('are empty once they are removed', async () => {
    const known = await watching(
      { PeripheralUID: 'a', Field: 'Power', Logical: '>', Status: 1 },
      { PeripheralUID: 'a', Field: 'Power', Logical: '>', Status: 2 },
    )
    removeFromIndex(known, keyOf(0))
    expect(rulesFound(candidatesOfReports(known, [reportOf('a', [3])], 0))).toEqual(['rule-1'])
    removeFromIndex(known, keyOf(1))
    expect(known.watches.size).toBe(0)
    expect(known.byDevice.size).toBe(0)
  })
})
