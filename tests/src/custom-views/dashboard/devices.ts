import type { AnsweredPeripheral, Peripheral } from '../../../../contract/devices/peripheral.ts'
import type { ThingWithState } from '../../../../contract/devices/thing.ts'
import { aPeripheral } from '../../../support/peripheral.ts'

export const NOW = 1_790_000_000_000

/** Hub of home h1. */
export const hub = (
  ThingName: string,
  Online: boolean,
  more: Partial<ThingWithState> = {},
): ThingWithState => ({
  ThingName,
  DeviceName: `閘道器 ${ThingName}`,
  HomeID: 'h1',
  RoomID: 0,
  Online,
  SeenAt: NOW,
  ...more,
})

/** Device of home h1 behind the hub `on`. */
export const device = (
  PeripheralUID: string,
  PeripheralType: string,
  more: Partial<Peripheral> = {},
): AnsweredPeripheral => aPeripheral({ PeripheralUID, PeripheralType, ThingName: 'on', ...more })
