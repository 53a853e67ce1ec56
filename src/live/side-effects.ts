import type { DeviceSnapshot } from '../../contract/devices/peripheral.ts'
import type { AnyChange } from '../data/cache-patches.ts'

/** Where the person is. */
export interface CurrentPlace {
  homeId: string | undefined
  roomId: number | undefined
}

/** What an event does beside the answers that it makes old (§4). */
export interface SideEffects {
  /** Where to go because the place is gone. */
  goTo?: { page: 'HomeList' } | { page: 'DeviceList'; homeId: string }
  /** Devices whose status is to be forgotten. */
  forget: readonly string[]
}

/**
 * What follows from an event. Pure.
 *
 * devicesOf  the hubs and devices of a home as they were before the event, if known
 */
export function sideEffectsOf(
  change: AnyChange,
  place: CurrentPlace,
  devicesOf: (homeId: string) => DeviceSnapshot | undefined,
): SideEffects {
  switch (change.name) {
    case 'home.remove': {
      const { HomeID } = change.record
      return {
        forget: devicesOf(HomeID)?.Peripherals.map(({ PeripheralUID }) => PeripheralUID) ?? [],
        ...(place.homeId === HomeID && { goTo: { page: 'HomeList' } }),
      }
    }
    case 'home.removeRoom':
    case 'room.remove': {
      const { HomeID, RoomID } = change.record
      const isHere = place.homeId === HomeID && place.roomId === RoomID
      return { forget: [], ...(isHere && { goTo: { page: 'DeviceList', homeId: HomeID } }) }
    }
    case 'thing.remove': {
      const { HomeID, ThingName } = change.record
      const behind = devicesOf(HomeID)?.Peripherals.filter((device) => device.ThingName === ThingName) ?? []
      return { forget: behind.map(({ PeripheralUID }) => PeripheralUID) }
    }
    case 'peripheral.remove':
      return { forget: [change.record.PeripheralUID] }
    default:
      return { forget: [] }
  }
}
