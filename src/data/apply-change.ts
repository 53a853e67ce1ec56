import type { CompanyProfile } from '../../contract/procedures/company.ts'
import type { DataChangeName, DataChangePayload } from '../../contract/channels/data-change.ts'
import type { HomeWithRooms } from '../../contract/resources/home.ts'
import type { DeviceSnapshot, Peripheral } from '../../contract/resources/peripheral.ts'
import type { Room, RoomKey, RoomWithContents } from '../../contract/resources/room.ts'
import type { Thing } from '../../contract/resources/thing.ts'
import type { User } from '../../contract/resources/user.ts'

/** The part of the cache that events keep current; what was never loaded is absent and stays so. */
export interface Cached {
  homes?: readonly HomeWithRooms[]
  /** Hubs and devices by home. */
  devices: Readonly<Record<string, DeviceSnapshot>>
  users?: readonly User[]
  company?: CompanyProfile
}

/** Where the person is. */
export interface Place {
  homeId: string | undefined
  roomId: number | undefined
}

export interface Outcome {
  cached: Cached
  /** Where to go because the place is gone (§4). */
  goTo?: { page: 'HomeList' } | { page: 'DeviceList'; homeId: string }
  /** Devices whose status is to be forgotten. */
  forget?: readonly string[]
  /** Homes whose devices are to be asked for again when next looked at. */
  stale?: readonly string[]
}

export type AnyChange = { [N in DataChangeName]: { name: N; record: DataChangePayload<N> } }[DataChangeName]

/** What an event does to the cache (§4, live data rules). Pure; applying the same event twice changes nothing more. */
export function applyChange(cached: Cached, change: AnyChange, place: Place): Outcome {
  switch (change.name) {
    case 'home.add': {
      const home = change.record
      return { cached: onHomes(cached, (homes) => [...homes.filter((h) => h.HomeID !== home.HomeID), home]) }
    }
    case 'home.update':
      return { cached: onHome(cached, change.record.HomeID, (home) => ({ ...home, ...change.record })) }
    case 'home.remove':
      return removeHome(cached, change.record.HomeID, place)
    case 'home.addRoom':
    case 'home.updateRoom':
    case 'room.add':
    case 'room.update':
      return { cached: putRoom(cached, change.record) }
    case 'home.removeRoom':
    case 'room.remove':
      return removeRoom(cached, change.record, place)
    case 'thing.add':
      return inCurrentHome(cached, change.record.HomeID, place, () =>
        withThingInRoom(
          onDevices(cached, change.record.HomeID, (devices) =>
            devices.Things.some((thing) => thing.ThingName === change.record.ThingName)
              ? devices
              : { ...devices, Things: [...devices.Things, change.record] },
          ),
          change.record,
        ),
      )
    case 'thing.update':
      return { cached: updateThing(cached, change.record) }
    case 'thing.remove': {
      const { HomeID, ThingName } = change.record
      const gone = cached.devices[HomeID]?.Peripherals.filter((p) => p.ThingName === ThingName).map(
        (p) => p.PeripheralUID,
      )
      const without = onDevices(cached, HomeID, (devices) => ({
        ...devices,
        Things: devices.Things.filter((thing) => thing.ThingName !== ThingName),
        Peripherals: devices.Peripherals.filter((p) => p.ThingName !== ThingName),
      }))
      return {
        cached: onRooms(without, HomeID, (room) => ({
          ...room,
          ThingNameList: room.ThingNameList.filter((name) => name !== ThingName),
          PeripheralList: room.PeripheralList.filter((uid) => !gone?.includes(uid)),
        })),
        forget: gone ?? [],
      }
    }
    case 'peripheral.add':
      return inCurrentHome(cached, change.record.HomeID, place, () =>
        withPeripheralInRoom(
          onDevices(cached, change.record.HomeID, (devices) =>
            devices.Peripherals.some((p) => p.PeripheralUID === change.record.PeripheralUID)
              ? devices
              : { ...devices, Peripherals: [...devices.Peripherals, change.record] },
          ),
          change.record,
        ),
      )
    case 'peripheral.update':
      return { cached: updatePeripheral(cached, change.record) }
    case 'peripheral.remove': {
      const { HomeID, PeripheralUID } = change.record
      const without = onDevices(cached, HomeID, (devices) => ({
        ...devices,
        Peripherals: devices.Peripherals.filter((p) => p.PeripheralUID !== PeripheralUID),
      }))
      return {
        cached: onRooms(without, HomeID, (room) => ({
          ...room,
          PeripheralList: room.PeripheralList.filter((uid) => uid !== PeripheralUID),
        })),
        forget: [PeripheralUID],
      }
    }
    case 'user.add':
    case 'user.update':
      return {
        cached: { ...cached, ...(cached.users && { users: put(cached.users, change.record, 'CognitoId') }) },
      }
    case 'user.remove':
      return {
        cached: {
          ...cached,
          ...(cached.users && { users: cached.users.filter((user) => user.Email !== change.record.Email) }),
        },
      }
    case 'company.update':
      return { cached: { ...cached, company: change.record } }
    // Lists that are fetched again.
    case 'department.add':
    case 'department.update':
    case 'department.remove':
    case 'discovery.add':
    case 'modbusTable.add':
    case 'modbusTable.update':
    case 'modbusTable.remove':
    case 'virtualMeter.add':
    case 'virtualMeter.update':
    case 'virtualMeter.remove':
    case 'tariff.add':
    case 'tariff.update':
    case 'tariff.remove':
    case 'pricing.update':
    case 'metering.update':
    case 'quarantinedReading.update':
    case 'firmware.add':
    case 'firmware.remove':
    case 'visitor.add':
    case 'visitor.update':
    case 'visitor.remove':
    case 'employee.add':
    case 'employee.update':
    case 'employee.remove':
    case 'scanner.add':
    case 'scanner.update':
    case 'scanner.remove':
    case 'scanEvent.add':
    case 'conferenceRoom.add':
    case 'conferenceRoom.update':
    case 'conferenceRoom.remove':
    case 'conferenceRoom.addBooking':
    case 'conferenceRoom.removeBooking':
      return { cached }
  }
}

/** Replaces the record of the same key in place, or adds it at the end. */
function put<T>(list: readonly T[], record: T, key: keyof T): readonly T[] {
  const at = list.findIndex((entry) => entry[key] === record[key])
  return at < 0 ? [...list, record] : list.with(at, { ...(list[at] as T), ...record })
}

const byName = (a: HomeWithRooms, b: HomeWithRooms) => a.HomeName.localeCompare(b.HomeName, 'zh-TW')

function onHomes(
  cached: Cached,
  change: (homes: readonly HomeWithRooms[]) => readonly HomeWithRooms[],
): Cached {
  return cached.homes ? { ...cached, homes: [...change(cached.homes)].sort(byName) } : cached
}

function onHome(cached: Cached, homeId: string, change: (home: HomeWithRooms) => HomeWithRooms): Cached {
  return onHomes(cached, (homes) => homes.map((home) => (home.HomeID === homeId ? change(home) : home)))
}

function onRooms(
  cached: Cached,
  homeId: string,
  change: (room: RoomWithContents) => RoomWithContents,
): Cached {
  return onHome(cached, homeId, (home) => ({ ...home, RoomList: home.RoomList.map(change) }))
}

function onDevices(
  cached: Cached,
  homeId: string,
  change: (devices: DeviceSnapshot) => DeviceSnapshot,
): Cached {
  const devices = cached.devices[homeId]
  return devices ? { ...cached, devices: { ...cached.devices, [homeId]: change(devices) } } : cached
}

/** §4: what is added applies only if its home is the current one; another home asks again when it is looked at. */
function inCurrentHome(cached: Cached, homeId: string, place: Place, apply: () => Cached): Outcome {
  return homeId === place.homeId ? { cached: apply() } : { cached, stale: [homeId] }
}

function removeHome(cached: Cached, homeId: string, place: Place): Outcome {
  const { [homeId]: gone, ...devices } = cached.devices
  return {
    cached: onHomes({ ...cached, devices }, (homes) => homes.filter((home) => home.HomeID !== homeId)),
    forget: gone?.Peripherals.map((p) => p.PeripheralUID) ?? [],
    ...(place.homeId === homeId && { goTo: { page: 'HomeList' as const } }),
  }
}

function putRoom(cached: Cached, room: Room): Cached {
  return onHome(cached, room.HomeID, (home) => {
    const known = home.RoomList.some(({ RoomID }) => RoomID === room.RoomID)
    return {
      ...home,
      RoomList: known
        ? home.RoomList.map((old) => (old.RoomID === room.RoomID ? { ...old, ...room } : old))
        : [...home.RoomList, { PeripheralList: [], ThingNameList: [], ...room }],
    }
  })
}

/** A deleted room's devices move to the default room. */
function removeRoom(cached: Cached, { HomeID, RoomID }: RoomKey, place: Place): Outcome {
  const emptied = onHome(cached, HomeID, (home) => {
    const gone = home.RoomList.find((room) => room.RoomID === RoomID)
    if (!gone) return home
    return {
      ...home,
      RoomList: home.RoomList.filter((room) => room !== gone).map((room) =>
        room.RoomID === 0
          ? {
              ...room,
              PeripheralList: [...room.PeripheralList, ...gone.PeripheralList],
              ThingNameList: [...room.ThingNameList, ...gone.ThingNameList],
            }
          : room,
      ),
    }
  })
  const toDefault = <T extends { RoomID: number }>(entry: T): T =>
    entry.RoomID === RoomID ? { ...entry, RoomID: 0 } : entry
  return {
    cached: onDevices(emptied, HomeID, (devices) => ({
      ...devices,
      Things: devices.Things.map(toDefault),
      Peripherals: devices.Peripherals.map(toDefault),
    })),
    ...(place.homeId === HomeID &&
      place.roomId === RoomID && { goTo: { page: 'DeviceList' as const, homeId: HomeID } }),
  }
}

/** Puts an id into one room's list and takes it out of every other: a move, or nothing when it stands there already. */
const moveTo = (list: readonly string[], id: string, here: boolean): string[] =>
  here ? (list.includes(id) ? [...list] : [...list, id]) : list.filter((entry) => entry !== id)

function withPeripheralInRoom(cached: Cached, { HomeID, RoomID, PeripheralUID }: Peripheral): Cached {
  return onRooms(cached, HomeID, (room) => ({
    ...room,
    PeripheralList: moveTo(room.PeripheralList, PeripheralUID, room.RoomID === RoomID),
  }))
}

function withThingInRoom(cached: Cached, { HomeID, RoomID, ThingName }: Thing): Cached {
  return onRooms(cached, HomeID, (room) => ({
    ...room,
    ThingNameList: moveTo(room.ThingNameList, ThingName, room.RoomID === RoomID),
  }))
}

function updatePeripheral(cached: Cached, peripheral: Peripheral): Cached {
  const changed = onDevices(cached, peripheral.HomeID, (devices) => ({
    ...devices,
    Peripherals: devices.Peripherals.map((old) =>
      old.PeripheralUID === peripheral.PeripheralUID ? { ...old, ...peripheral } : old,
    ),
  }))
  return withPeripheralInRoom(changed, peripheral)
}

function updateThing(cached: Cached, thing: Thing): Cached {
  const changed = onDevices(cached, thing.HomeID, (devices) => ({
    ...devices,
    Things: devices.Things.map((old) => (old.ThingName === thing.ThingName ? { ...old, ...thing } : old)),
  }))
  return withThingInRoom(changed, thing)
}
