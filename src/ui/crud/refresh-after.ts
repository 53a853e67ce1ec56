import { resources, procedures, type ResourceName } from '../../../contract/index.ts'
import type { AnyEndpoint } from '../../../contract/kernel/define-endpoint.ts'
import { callKey, queryClient } from '../../providers/api.ts'

const { home, room, peripheral, user, department } = resources
const { homeLists } = procedures

const devices = [peripheral.operations.list, peripheral.operations.get, procedures.peripheral.listByRoom]
const rooms = [homeLists.listHome, homeLists.listRoom, room.operations.list]

/** The cached answers that hold a record of each resource. */
const holders: Record<ResourceName, readonly AnyEndpoint[]> = {
  [home.name]: [...rooms, ...devices],
  [room.name]: [...rooms, ...devices],
  thing: [...rooms, ...devices],
  peripheral: [...rooms, ...devices, procedures.peripheral.listDiscovered],
  [user.name]: [user.operations.list],
  [department.name]: [department.operations.list],
}

/** Fetches again what holds records of a resource, after this screen changed one; other screens hear of it by event. */
export const refreshAfter = async (resource: ResourceName): Promise<void> => {
  await Promise.all(
    holders[resource].map((endpoint) => queryClient.invalidateQueries({ queryKey: callKey(endpoint) })),
  )
}
