import { describe, expect, it } from 'vitest'
import { applianceOf, deviceKinds, deviceType, deviceTypes } from '../../contract/devices/kinds/registry.ts'
import { parseCommandValues, parseStatusFields } from '../../contract/devices/kinds/status.ts'

describe('device kinds', () => {
  it('has one kind for every type code', () => {
    const codes = Object.values(deviceKinds).flatMap(({ variants }) => Object.keys(variants))
    expect(new Set(codes).size).toBe(codes.length)
    expect(deviceTypes.map(({ type }) => type).toSorted()).toEqual(codes.toSorted())
  })

  it('names every kind by its registry key', () => {
    for (const [key, { kind }] of Object.entries(deviceKinds)) expect(kind).toBe(key)
  })

  it('allows a command to set only what a report can show', () => {
    for (const { capabilities } of deviceTypes)
      for (const { status, command, units } of capabilities) {
        expect(Object.keys(status)).toEqual(expect.arrayContaining(Object.keys(command)))
        expect(Object.keys(status)).toEqual(expect.arrayContaining(Object.keys(units)))
      }
  })
})

describe('reports', () => {
  it('keep the fields of the type and drop the others', () => {
    expect(parseStatusFields('534', { Switch1: 1, Switch2: 0, Switch3: 1, x: 'y' })?.data).toEqual({
      Switch1: 1,
      Switch2: 0,
    })
  })
  it('are rejected if a value is not one of the states', () => {
    expect(parseStatusFields('516', { Switch: 2 })?.success).toBe(false)
    expect(parseStatusFields('755', { DoorState: 0 })?.success).toBe(false)
    expect(parseStatusFields('514', { AccumulatePower: -1 })?.success).toBe(false)
    expect(parseStatusFields('514', { AccumulatePower: Number.NaN })?.success).toBe(false)
  })
  it('of an unknown type are not validated', () => {
    expect(parseStatusFields('9999', { Switch: 1 })).toBeUndefined()
    expect(deviceType('9999')).toBeUndefined()
  })
})

describe('commands', () => {
  it('set what the type supports', () => {
    expect(parseCommandValues('535', { Switch3: 1 })?.data).toEqual({ Switch3: 1 })
  })
  it('are rejected if empty, out of range or for another type', () => {
    for (const bad of [{}, { Switch1: 2 }, { Switch: 1 }, { Switch1: 1, DoorState: 1 }, null, 'on'])
      expect(parseCommandValues('535', bad)?.success).toBe(false)
  })
  it('do not exist for sensors and unknown types', () => {
    expect(parseCommandValues('754', { MotionState: 1 })).toBeUndefined()
    expect(parseCommandValues('9999', { Switch: 1 })).toBeUndefined()
  })
})

it.each([
  [1, 'airConditioner'],
  [4, 'dehumidifier'],
  [14, 'ventilation'],
  [99, undefined],
  [undefined, undefined],
])('identifies a 527 appliance that reports TaiSEIAType %s as %s', (TaiSEIAType, name) => {
  expect(applianceOf(deviceType('527'), { TaiSEIAType })).toBe(name)
  expect(applianceOf(deviceType('525'), { TaiSEIAType })).toBeUndefined()
})
