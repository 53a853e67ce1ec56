import { expect, it } from 'vitest'
import type { HistoryDevice } from '../../../../contract/devices/history-calls.ts'
import { firstQuantities } from '../../../../src/custom-views/history/use-first-quantities.ts'

const NOW = 1_760_000_000_000
const quantity = (Field: string, Unit: string, Last = NOW, Kind: 'measured' | 'state' = 'measured') => ({
  Field,
  Kind,
  Label: null,
  Unit,
  First: 0,
  Last,
})
const device = (PeripheralUID: string, ...Quantities: HistoryDevice['Quantities']): HistoryDevice => ({
  PeripheralUID,
  PeripheralName: PeripheralUID,
  PeripheralType: '514',
  RoomID: 0,
  Quantities,
})
const devices = [
  device('sub', quantity('AccumulatePower', 'kWh'), quantity('Power', 'W')),
  device('main', quantity('Power', 'W'), quantity('Voltage', 'V')),
  device('air', quantity('Temperature', '°C'), quantity('PM25', 'µg/m³')),
  device('door', quantity('DoorState', '', NOW, 'state')),
  device('old', quantity('Temperature', '°C', NOW - 90_000_000)),
  device('hot', quantity('Temperature', '°C')),
]
const chosen = (needing: string[], main?: string) =>
  firstQuantities(devices, { attentionUids: new Set(needing), main }, NOW - 86_400_000).map(
    ({ PeripheralUID, Field }) => `${PeripheralUID}:${Field}`,
  )

it('starts with the power of the site and three measured quantities, with at most two units', () => {
  expect(chosen([], 'main')).toEqual(['main:Power', 'air:Temperature', 'hot:Temperature', 'sub:Power'])
})

it('prefers quantities that need attention', () => {
  expect(chosen(['hot'], 'main').slice(0, 2)).toEqual(['main:Power', 'hot:Temperature'])
})

it("uses any power if the site's meter is unknown, and nothing if no data is stored", () => {
  expect(chosen([])[0]).toBe('sub:Power')
  expect(firstQuantities([], { attentionUids: new Set(), main: undefined }, 0)).toEqual([])
})
