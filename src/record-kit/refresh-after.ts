import { resources, procedures, type ResourceName } from '../../contract/index.ts'
import type { AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import { callKey, queryClient } from '../data/api.ts'
import { listsShowing, refineKey } from '../data/refine-lists.ts'

const { home, room, peripheral, user, department, modbusTable, conferenceRoom, visitor, employee, scanner } =
  resources

const devices = [peripheral.operations.list, peripheral.operations.get, procedures.peripheral.listByRoom]
const rooms = [home.operations.list]

/** The cached answers that hold a record of each resource, beside Refine's lists. */
const holders: Record<ResourceName, readonly AnyEndpoint[]> = {
  [home.name]: [...rooms, ...devices],
  [room.name]: [...rooms, ...devices],
  thing: [...rooms, ...devices],
  peripheral: [...rooms, ...devices, procedures.peripheral.listDiscovered],
  [user.name]: [user.operations.list, user.operations.page, user.operations.get],
  [department.name]: [user.operations.page],
  [modbusTable.name]: [modbusTable.operations.list],
  virtualMeter: [resources.virtualMeter.operations.list],
  [visitor.name]: [visitor.operations.list, visitor.operations.get],
  [employee.name]: [employee.operations.list, employee.operations.get],
  [scanner.name]: [scanner.operations.list],
  [resources.tariff.name]: [resources.tariff.operations.list],
  [conferenceRoom.name]: [conferenceRoom.operations.list],
}

/** Fetches again what holds records of a resource, after this screen changed one; other screens hear of it by event. */
export const refreshAfter = async (resource: ResourceName): Promise<void> => {
  await Promise.all([
    ...holders[resource].map((endpoint) => queryClient.invalidateQueries({ queryKey: callKey(endpoint) })),
    // A mutation of Refine's has begun to fetch its own list again.
    ...listsShowing(resource).map((name) =>
      queryClient.invalidateQueries({ queryKey: refineKey(name) }, { cancelRefetch: false }),
    ),
  ])
}
