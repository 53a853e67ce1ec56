import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LOW_BATTERY, diagnostics } from '../../contract/devices/capabilities/capability.ts'
import { QUANTITIES } from '../../contract/devices/capabilities/sensors.ts'
import { samplesOf, stateFields, unitOf } from '../../contract/devices/kinds/history-fields.ts'
import { CATEGORIES } from '../../contract/devices/kinds/device-kind.ts'
import { deviceType, deviceTypes, reportsNothing } from '../../contract/devices/kinds/registry.ts'
import { parseCommandValues, parseStatusFields } from '../../contract/devices/kinds/status.ts'
import { confirms } from '../../contract/devices/status-order.ts'
import { TYPES } from '../invariants/specification/entities.ts'

const page = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

describe('device kinds beyond the specification', () => {
  it('have type codes from 901 to 999', () => {
    const specified = new Set(TYPES.flatMap(([codes]) => codes).map(String))
    const added = deviceTypes.map(({ type }) => type).filter((type) => !specified.has(type))
    expect(added.length).toBeGreaterThan(0)
    expect(added.filter((type) => !/^9(?!00)\d\d$/.test(type))).toEqual([])
  })

  it('leave no category without a device type', () => {
    const used = new Set(deviceTypes.map(({ category }) => category))
    expect(CATEGORIES.filter((category) => !used.has(category))).toEqual([])
  })

  it.each(['901', '902'])('%s is opened, closed, stopped and moved to a position', (type) => {
    for (const values of [{ Move: 0 }, { Move: 1 }, { Move: 2 }, { TargetPosition: 35 }])
      expect(parseCommandValues(type, values)?.data).toEqual(values)
    for (const bad of [{ Move: 3 }, { TargetPosition: 101 }, { TargetPosition: 0.5 }, { Position: 10 }])
      expect(parseCommandValues(type, bad)?.success).toBe(false)
  })

  it('a cover confirms a command when it accepts it, not when it has arrived', () => {
    const taken = { CoverState: 3, Position: 2, Move: 1, TargetPosition: 100 }
    expect(confirms(taken, { Move: 1 })).toBe(true)
    expect(confirms(taken, { TargetPosition: 100 })).toBe(true)
  })

  it('a button reports how it was pressed and how often, and accepts no command', () => {
    expect(parseStatusFields('903', { Press: 2, Presses: 7 })?.data).toEqual({ Press: 2, Presses: 7 })
    for (const bad of [{ Press: 4 }, { Presses: -1 }, { Presses: 1.5 }])
      expect(parseStatusFields('903', bad)?.success).toBe(false)
    expect(parseCommandValues('903', { Press: 1 })).toBeUndefined()
    expect(stateFields('903')).toEqual(['Press'])
    expect(samplesOf('903', { Press: 1, Presses: 7 })).toEqual([['Presses', 7]])
  })

  it('a plain sensor reports its quantity and unit', () => {
    const said = { Value: 1013.2, Unit: 'hPa', Quantity: 'pressure' }
    expect(parseStatusFields('905', said)?.data).toEqual(said)
    expect(parseStatusFields('905', { Value: 3, Unit: '', Quantity: '人數' })?.success).toBe(true)
    expect(samplesOf('905', said)).toEqual([['Value', 1013.2]])
  })

  it.each([
    ['a value that is no figure', { Value: '12' }],
    ['a value beyond all measure', { Value: 1e13 }],
    ['a unit of more than 16 characters', { Unit: 'x'.repeat(17) }],
    ['a quantity without a name', { Quantity: ' ' }],
    ['a quantity of more than 32 characters', { Quantity: 'x'.repeat(33) }],
  ])('a plain sensor is rejected with %s', (_, bad) => {
    expect(parseStatusFields('905', bad)?.success).toBe(false)
  })

  it('known quantities have a name in both languages and are in the hub protocol', () => {
    for (const language of ['zh-TW', 'en-US']) {
      const { quantities } = JSON.parse(page(`locales/${language}/devices.json`)) as {
        quantities: Record<string, string>
      }
      expect(Object.keys(quantities).toSorted()).toEqual([...QUANTITIES].toSorted())
    }
    const protocol = page('docs/hub-protocol.md')
    expect(QUANTITIES.filter((one) => !protocol.includes(`\`${one}\``))).toEqual([])
  })
})

describe('battery and link quality', () => {
  it('are fields of every device, and of its history if there is a unit', () => {
    for (const { type } of deviceTypes) {
      expect(parseStatusFields(type, { Battery: 14.5, LinkQuality: 255 })?.data, type).toEqual({
        Battery: 14.5,
        LinkQuality: 255,
      })
      expect(samplesOf(type, { Battery: 14.5, LinkQuality: 255 }), type).toEqual([['Battery', 14.5]])
    }
    expect(unitOf('Battery')).toBe('%')
  })

  it.each([{ Battery: -1 }, { Battery: 101 }, { LinkQuality: 256 }, { LinkQuality: 0.5 }])(
    'are rejected as %o',
    (bad) => {
      expect(parseStatusFields('755', bad)?.success).toBe(false)
    },
  )

  it('do not make a non-reporting device a reporting one', () => {
    expect(reportsNothing(deviceType('752'))).toBe(true)
  })

  it('are in the hub protocol, with the percentage below which a battery is low', () => {
    const protocol = page('docs/hub-protocol.md')
    for (const field of Object.keys(diagnostics.status)) expect(protocol).toContain(`any type: \`${field}\``)
    expect(protocol).toContain(`below ${LOW_BATTERY} `)
  })
})
