import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deviceTypes } from '../../../contract/devices/kinds/registry.ts'
import { parseCommandValues, parseStatusFields } from '../../../contract/devices/kinds/status.ts'
import { confirms } from '../../../contract/devices/status-order.ts'
import type { World } from '../../../simulator/models/model.ts'
import { modelOf } from '../../../simulator/models/registry.ts'

const worlds: fc.Arbitrary<World> = fc.record({
  moving: fc.boolean(),
  lit: fc.double({ min: 0, max: 1, noNaN: true }),
  occupied: fc.boolean(),
  doorOpen: fc.boolean(),
  smoky: fc.boolean(),
  loose: fc.boolean(),
  faulty: fc.boolean(),
  shaken: fc.boolean(),
  dust: fc.double({ min: 0, max: 2_000, noNaN: true }),
  temperature: fc.double({ min: -50, max: 100, noNaN: true }),
  humidity: fc.double({ min: 0, max: 100, noNaN: true }),
  outdoors: fc.double({ min: -40, max: 60, noNaN: true }),
  tower: fc.array(fc.constantFrom(0, 1, 2), { maxLength: 6 }),
  blinkRate: fc.double({ min: 0, max: 600, noNaN: true }),
  pressed: fc.boolean(),
  watts: fc.double({ min: -5_000, max: 200_000, noNaN: true }),
  batteryGives: fc.boolean(),
  volts: fc.double({ min: 90, max: 400, noNaN: true }),
  powerFactor: fc.double({ min: -1, max: 1, noNaN: true }),
})
const spans = fc.array(fc.tuple(fc.integer({ min: 0, max: 3600 }), worlds), { maxLength: 20 })

describe.each(deviceTypes.map(({ type, kind }) => ({ type, kind })))('$type ($kind)', ({ type }) => {
  const model = modelOf(type)

  it('reports every status field of its type, as the contract wants it, whatever the world does', () => {
    fc.assert(
      fc.property(spans, (past) => {
        const state = past.reduce(
          (s, [seconds, world]) => model.step(s, seconds, world),
          model.make(type, {}),
        )
        const report = model.report(state)
        const parsed = parseStatusFields(type, report)
        expect(parsed?.error).toBeUndefined()
        expect(Object.keys(parsed?.data ?? {}).sort()).toEqual(Object.keys(report).sort())
      }),
      { numRuns: 50 },
    )
  })

  it('keeps its state through JSON, as a file keeps it', () => {
    const state = model.make(type, { kwh: 5, phases: 3, contactMode: 0 })
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
  })

  it('shows what a command asked for, so that its next report confirms it', () => {
    const fields = Object.keys(model.report(model.make(type, {})))
    for (const field of fields)
      for (const value of [1, 0]) {
        const values = parseCommandValues(type, { [field]: value })
        if (!values?.success) continue
        const state = model.command(model.make(type, {}), values.data)
        expect(confirms(model.report(state), { [field]: value })).toBe(true)
      }
  })
})

it('knows no model for a code the contract does not know', () => {
  expect(() => modelOf('1')).toThrow(RangeError)
})
