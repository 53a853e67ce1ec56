import type { QueryClient } from '@tanstack/react-query'
import type { CompanyProfile } from '../../contract/procedures/company.ts'
import type { HomeWithRooms } from '../../contract/resources/home.ts'
import { peripheral, type DeviceSnapshot } from '../../contract/resources/peripheral.ts'
import { user, type User } from '../../contract/resources/user.ts'
import { callKey } from './api.ts'
import { devicesKey, homesKey } from './homes.ts'
import { companyKey } from './personal.ts'
import type { Cached } from './apply-change.ts'

const usersKey = callKey(user.operations.list, {})

/** What the events concern, as it stands in the query cache. */
export function readCached(client: QueryClient): Cached {
  const devices: Record<string, DeviceSnapshot> = {}
  for (const [key, data] of client.getQueriesData<DeviceSnapshot>({
    queryKey: callKey(peripheral.operations.list),
  })) {
    const homeId = (key[1] as { HomeID?: string } | undefined)?.HomeID
    if (homeId && data) devices[homeId] = data
  }
  return {
    homes: client.getQueryData<HomeWithRooms[]>(homesKey),
    devices,
    users: client.getQueryData<User[]>(usersKey),
    company: client.getQueryData<CompanyProfile>(companyKey),
  }
}

/** Writes back what changed. A patched entry keeps its age: it is still fully refreshed an hour after its load (§4). */
export function writeCached(client: QueryClient, before: Cached, after: Cached): void {
  const write = (key: readonly unknown[], old: unknown, next: unknown) => {
    if (old === next || next === undefined) return
    const updatedAt = client.getQueryState(key)?.dataUpdatedAt
    client.setQueryData(key, next, updatedAt ? { updatedAt } : {})
  }
  write(homesKey, before.homes, after.homes)
  write(usersKey, before.users, after.users)
  write(companyKey, before.company, after.company)
  for (const homeId of new Set([...Object.keys(before.devices), ...Object.keys(after.devices)])) {
    const next = after.devices[homeId]
    if (next) write(devicesKey(homeId), before.devices[homeId], next)
    else client.removeQueries({ queryKey: devicesKey(homeId) })
  }
}
