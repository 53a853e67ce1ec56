import { pathOf, pathTo, paths } from '../navigation/paths.ts'

/**
 * Address after choosing another home (§2): from room pages the new home's default room; from group edit the group list; from HomeList,
 * Dashboard or Home the device list; otherwise the same page for the new home; failing that, the device list. Pages without a home stay
 * as they are. Parameters that identify something in the old home are dropped.
 */
export function afterHomeChoice(pathname: string, homeId: string): string {
  const devices = pathTo('DeviceList', { HomeID: homeId })
  const currentPath = pathOf(pathname)
  if (!currentPath) return devices
  switch (currentPath.name) {
    case 'RoomDevice':
      return pathTo('RoomDevice', { HomeID: homeId, RoomID: 0 })
    case 'updateGroup':
      return pathTo('GroupListing', { HomeID: homeId })
    case 'HomeList':
    case 'Dashboard':
    case 'Home':
    case 'DeviceInfo':
    case 'ModBusInfo':
      return devices
    case 'DeviceCategory':
      return pathTo('DeviceCategory', { ...currentPath.params, HomeID: homeId })
    default:
      return paths[currentPath.name].needsHome ? pathTo(currentPath.name, { HomeID: homeId }) : pathname
  }
}
