import { pathOf, pathTo, paths } from '../navigation/paths.ts'

/**
 * Where choosing another home leads (§2): from room pages to the new home's default room; from group edit to the group list;
 * from HomeList, Dashboard or Home to the device list; otherwise the same page for the new home; failing that, the device list.
 * Pages that belong to no home stay as they are. What named one thing of the old home is left behind.
 */
export function afterHomeChoice(pathname: string, homeId: string): string {
  const devices = pathTo('DeviceList', { HomeID: homeId })
  const here = pathOf(pathname)
  if (!here) return devices
  switch (here.name) {
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
      return pathTo('DeviceCategory', { ...here.params, HomeID: homeId })
    default:
      return paths[here.name].needsHome ? pathTo(here.name, { HomeID: homeId }) : pathname
  }
}
