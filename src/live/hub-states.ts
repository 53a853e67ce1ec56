import { topics } from '../../contract/channels/table.ts'
import { peripheral, type DeviceSnapshot } from '../../contract/devices/peripheral.ts'
import { SHADOW_NAMES } from '../../contract/devices/shadow-names.ts'
import { callKey, cacheInvalidation, queryClient } from '../data/api.ts'
import type { EntityChange } from '../data/cache-invalidation.ts'
import { cachedDevices } from '../data/homes.ts'
import { mayNow, me } from '../data/session.ts'
import { gatewayNow } from '../lib/gateway-clock.ts'
import { connection } from './channel.ts'
import { setHubOnlineInFirmware } from './firmware.ts'

/** Entities whose stale answers would mislead the user: refetched when the channel connects. */
const REFETCH_ON_CONNECT: readonly EntityChange[] = [
  { entity: 'conferenceRoom' },
  { entity: 'quarantinedReading' },
  { entity: 'firmwareUpdate' },
  { entity: 'alarm' },
]

/** Requests what may have been missed: entities that only events keep current, statuses, and the connection state of hubs. */
export function resynchronize(homes: readonly string[]): void {
  void cacheInvalidation.invalidate(REFETCH_ON_CONNECT)
  requestHubStates(homes)
}

/** Refetches everything that is shown, after a time without events. */
export function resynchronizeAll(homes: readonly string[]): void {
  void cacheInvalidation.invalidateAll()
  requestHubStates(homes)
}

/** Publishes a request. If the channel is not connected, the next connect requests everything anyway. */
const request = (topic: string) =>
  void connection.publish(topic, { Timestamp: gatewayNow() }).catch(() => undefined)

export function requestStatus(homeId: string): void {
  const rootId = me.get()?.RootCognitoId
  if (rootId && mayNow('device', 'Read')) request(topics.statusRequest.topic({ rootId, homeId }))
}

function requestHubStates(homes: readonly string[]): void {
  for (const homeId of homes) {
    requestStatus(homeId)
    for (const { ThingName: thingName } of cachedDevices(homeId)?.Things ?? [])
      for (const shadowName of SHADOW_NAMES) request(topics.shadowGet.topic({ thingName, shadowName }))
  }
}

/** Stores whether a hub is connected. After it reconnects, the statuses of its home's devices are requested again (§4). */
export function setHubOnline(thingName: string, online: boolean): void {
  setHubOnlineInFirmware(queryClient, thingName, online)
  for (const [key, devices] of queryClient.getQueriesData<DeviceSnapshot>({
    queryKey: callKey(peripheral.operations.list),
  })) {
    const thing = devices?.Things.find((entry) => entry.ThingName === thingName)
    if (!devices || !thing || thing.Online === online) continue
    const updatedAt = queryClient.getQueryState(key)?.dataUpdatedAt
    const Things = devices.Things.map((entry) =>
      entry === thing ? { ...entry, Online: online, SeenAt: gatewayNow() } : entry,
    )
    queryClient.setQueryData(key, { ...devices, Things }, updatedAt ? { updatedAt } : {})
    if (online) requestStatus(thing.HomeID)
  }
}
