import { queryOptions, useQuery } from '@tanstack/react-query'
import { attention } from '../../contract/attention/calls.ts'
import { home as homeResource, type HomeWithRooms } from '../../contract/homes/home.ts'
import { peripheral, type DeviceSnapshot } from '../../contract/devices/peripheral.ts'
import { call, callKey, callQuery, queryClient, type RequestOf } from './api.ts'
import { selectHome } from './home-to-show.ts'
import { currentHomeId, useCurrentHomeId } from './current-home.ts'
import { statuses } from './status-store.ts'
import { useMay } from './session.ts'

/** The current home when it still exists, else as `homeToShow` has it. */
export function resolveHome(
  homes: readonly HomeWithRooms[],
  wanted = currentHomeId(),
): HomeWithRooms | undefined {
  return selectHome(homes, (id) => id === wanted)
}

export const homesQuery = callQuery(homeResource.operations.list, {})
export const homesKey = callKey(homeResource.operations.list, {})

/** What needs somebody in all homes, as the gateway says it: one answer for the morning screen and the menu. */
export const attentionQuery = callQuery(attention.listAttention, {})

/** The company's homes by name; undefined while loading. */
export const useHomes = (): HomeWithRooms[] | undefined => useQuery(homesQuery).data

/** Homes in the order of every choice among them. */
export const homesByName = (homes: readonly HomeWithRooms[]): HomeWithRooms[] =>
  homes.toSorted((a, b) => a.HomeName.localeCompare(b.HomeName, 'zh-TW', { numeric: true }))

/** The clock on a home's walls, e.g. "Asia/Taipei"; the browser's (undefined) before the home is known. */
export const useTimeZone = (homeId: string): string | undefined =>
  useHomes()?.find(({ HomeID }) => HomeID === homeId)?.TimeZone

export function useCurrentHome(): HomeWithRooms | undefined {
  const homes = useHomes()
  const wanted = useCurrentHomeId()
  return homes && resolveHome(homes, wanted)
}

export const devicesKey = (homeId: string) => callKey(peripheral.operations.list, { HomeID: homeId })

/** Hubs and devices. Their last statuses go to the status store, which the live channel then keeps current. */
const snapshotQuery = (input: RequestOf<typeof peripheral.operations.list>) =>
  queryOptions({
    ...callQuery(peripheral.operations.list, input),
    queryFn: async ({ signal }): Promise<DeviceSnapshot> => {
      const snapshot = await call(peripheral.operations.list, input, { signal })
      for (const status of snapshot.Statuses) statuses.report(status)
      return snapshot
    },
  })

/** Hubs and devices of a home. */
export const devicesQuery = (homeId: string) => snapshotQuery({ HomeID: homeId })

/** Hubs and devices of all homes. */
export const allDevicesQuery = snapshotQuery({})

/** `useQuery` of a home's hubs and devices; not asked without a home or the right to read devices. */
export function useDevices(homeId: string | undefined) {
  const may = useMay('device', 'Read')
  return useQuery({ ...devicesQuery(homeId ?? ''), enabled: homeId !== undefined && may })
}

/** The cached devices of a home, if loaded. */
export const cachedDevices = (homeId: string): DeviceSnapshot | undefined =>
  queryClient.getQueryData<DeviceSnapshot>(devicesKey(homeId))
