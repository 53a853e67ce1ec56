import type { DeviceSnapshot } from '../../contract/devices/peripheral.ts'
import type { AnyChange } from '../data/cache-patches.ts'

/** Home and room of the current page. */
export interface CurrentPlace {
  homeId: string | undefined
  roomId: number | undefined
}

/** Effects of a data-change event in addition to the invalidation of cached answers (§4). */
export interface SideEffects {
  /** Page to navigate to because the current home or room was deleted. */
  goTo?: { page: 'HomeList' } | { page: 'DeviceList'; homeId: string }
  /** PeripheralUIDs of devices whose status is removed. */
  removedUids: readonly string[]
}

/**
 * Computes the side effects of a data-change event. Pure.
 *
 * devicesOf  the hubs and devices of a home before the event, if known
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
        removedUids: devicesOf(HomeID)?.Peripherals.map(({ PeripheralUID }) => PeripheralUID) ?? [],
        ...(place.homeId === HomeID && { goTo: { page: 'HomeList' } }),
      }
    }
    case 'home.removeRoom':
    case 'room.remove': {
      const { HomeID, RoomID } = change.record
      const isHere = place.homeId === HomeID && place.roomId === RoomID
      return { removedUids: [], ...(isHere && { goTo: { page: 'DeviceList', homeId: HomeID } }) }
    }
    case 'thing.remove': {
      const { HomeID, ThingName } = change.record
      const hubDevices =
        devicesOf(HomeID)?.Peripherals.filter((device) => device.ThingName === ThingName) ?? []
      return { removedUids: hubDevices.map(({ PeripheralUID }) => PeripheralUID) }
    }
    case 'peripheral.remove':
      return { removedUids: [change.record.PeripheralUID] }
    default:
      return { removedUids: [] }
  }
}
