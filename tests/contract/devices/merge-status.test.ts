import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeStatus, commonPaths, replaces, confirms } from '../../../contract/devices/status-order.ts'
import { reports as values } from '../../support/thermostat-reports.ts'

const node = (NodeID: number, more: object = {}) => ({ NodeID, ...more })
const table = (...ThermostatTable: object[]) => ({ ThermostatTable })

describe('merging a report', () => {
  it('replaces fields, and only the reported nodes of a table (§4)', () => {
    const known = {
      Switch: 1,
      ...table(node(2, { Switch: 1, TargetTemperature: 24 }), node(1, { Temperature: 26 })),
    }
    expect(mergeStatus(known, table(node(2, { Switch: 0 }), node(3, { Temperature: 22 })))).toEqual({
      Switch: 1,
      ...table(
        node(1, { Temperature: 26 }),
        node(2, { Switch: 0, TargetTemperature: 24 }),
        node(3, { Temperature: 22 }),
      ),
    })
  })

  it('contains everything of the report, and merging twice is the same as once', () => {
    fc.assert(
      fc.property(values, values, (known, report) => {
        const merged = mergeStatus(known, report)
        expect(confirms(merged, report)).toBe(true)
        expect(sorted(mergeStatus(merged, report))).toEqual(sorted(merged))
      }),
    )
  })

  it('gives the same result in any grouping', () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        expect(sorted(mergeStatus(mergeStatus(a, b), c))).toEqual(sorted(mergeStatus(a, mergeStatus(b, c))))
      }),
    )
  })

  it('can skip a report that the next one replaces completely', () => {
    fc.assert(
      fc.property(values, values, values, (known, skipped, next) => {
        fc.pre(replaces(next, skipped))
        expect(sorted(mergeStatus(known, next))).toEqual(
          sorted(mergeStatus(mergeStatus(known, skipped), next)),
        )
      }),
    )
    expect(replaces(table(node(1, { Switch: 1 })), table(node(2, { Switch: 1 })))).toBe(false)
    expect(replaces(table(node(1, { Switch: 1 })), table(node(1, { Switch: 0 })))).toBe(true)
    expect(replaces({}, table())).toBe(false)
  })
})

const sorted = ({ ThermostatTable, ...rest }: Record<string, unknown>) => ({
  ...rest,
  ThermostatTable: (ThermostatTable as { NodeID: number }[] | undefined)?.toSorted(
    (a, b) => a.NodeID - b.NodeID,
  ),
})

describe('commands', () => {
  it('are independent if they set other fields or nodes', () => {
    expect(commonPaths({ Switch1: 1 }, { Switch2: 1 })).toBe(false)
    expect(commonPaths({ Switch1: 1 }, { Switch1: 0 })).toBe(true)
    expect(commonPaths({ ModbusValues: { a: 1 } }, { ModbusValues: { b: 1 } })).toBe(false)
    expect(commonPaths(table(node(1, { Switch: 1 })), table(node(2, { Switch: 1 })))).toBe(false)
    expect(commonPaths(table(node(1, { Switch: 1 })), table(node(1, { TargetTemperature: 20 })))).toBe(false)
    expect(
      commonPaths(
        table(node(1, { Switch: 1 })),
        table(node(2, { Switch: 1 }), node(1, { Switch: 0, TargetTemperature: 21 })),
      ),
    ).toBe(true)
  })
})
