import { queryOptions, useQuery } from '@tanstack/react-query'
import { attention } from '../../contract/attention/calls.ts'
import { home as homeResource, type HomeWithRooms } from '../../contract/homes/home.ts'
import { peripheral, type DeviceSnapshot } from '../../contract/devices/peripheral.ts'
import { call, callKey, callQuery, queryClient, type RequestOf } from './api.ts'
import { selectHome } from './home-to-show.ts'
import { currentHomeId, useCurrentHomeId } from './current-home.ts'
import { statuses } from './status-store.ts'
import { useMay } from './session.ts'

/** The wanted home, by default the current one, if it still exists, else as `selectHome` chooses. */
export function resolveHome(
  homes: readonly HomeWithRooms[],
  homeId = currentHomeId(),
): HomeWithRooms | undefined {
  return selectHome(homes, (id) => id === homeId)
}

export const homesQuery = callQuery(homeResource.operations.list, {})
export const homesKey = callKey(homeResource.operations.list, {})

/** Attention items of all homes: one answer for the dashboard and the menu. */
export const attentionQuery = callQuery(attention.listAttention, {})

/** The company's homes by name; undefined while loading. */
export const useHomes = (): HomeWithRooms[] | undefined => useQuery(homesQuery).data

/** Homes by name, the order in every selection. */
export const homesByName = (homes: readonly HomeWithRooms[]): HomeWithRooms[] =>
  homes.toSorted((a, b) => a.HomeName.localeCompare(b.HomeName, 'zh-TW', { numeric: true }))

/** Time zone of a home, e.g. "Asia/Taipei"; undefined (the browser's) before the home is known. */
export const useTimeZone = (homeId: string): string | undefined =>
  useHomes()?.find(({ HomeID }) => HomeID === homeId)?.TimeZone

export function useCurrentHome(): HomeWithRooms | undefined {
  const homes = useHomes()
  const requestedId = useCurrentHomeId()
  return homes && resolveHome(homes, requestedId)
}

export const devicesKey = (homeId: string) => callKey(peripheral.operations.list, { HomeID: homeId })

/** Query of hubs and devices. Stores their last statuses in the status store, which the live channel keeps current. */
const snapshotQuery = (input: RequestOf<typeof peripheral.operations.list>) =>
  queryOptions({
    ...callQuery(peripheral.operations.list, input),
    queryFn: async ({ signal }): Promise<DeviceSnapshot> => {
      const snapshot = await call(peripheral.operations.list, input, { signal })
      for (const status of snapshot.Statuses) statuses.report(status)
      return snapshot
    },
  })

/** Query of the hubs and devices of a home. */
export const devicesQuery = (homeId: string) => snapshotQuery({ HomeID: homeId })

/** Query of the hubs and devices of all homes. */
export const allDevicesQuery = snapshotQuery({})

/** `useQuery` of a home's hubs and devices; disabled without a home or the right to read devices. */
export function useDevices(homeId: string | undefined) {
  const may = useMay('device', 'Read')
  return useQuery({ ...devicesQuery(homeId ?? ''), enabled: homeId !== undefined && may })
}

/** The cached devices of a home, if loaded. */
export const cachedDevices = (homeId: string): DeviceSnapshot | undefined =>
  queryClient.getQueryData<DeviceSnapshot>(devicesKey(homeId))
