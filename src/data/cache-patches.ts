import { company, type CompanyProfile } from '../../contract/people/company-calls.ts'
import type { AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import type { DataChangeName, DataChangePayload } from '../../contract/data-change.ts'
import { home, type HomeWithRooms } from '../../contract/homes/home.ts'
import {
  answeredPeripheral,
  peripheral,
  type DeviceSnapshot,
  type Peripheral,
} from '../../contract/devices/peripheral.ts'
import type { Room, RoomKey, RoomWithContents } from '../../contract/homes/room.ts'
import type { Thing } from '../../contract/devices/thing.ts'
import { user, type User } from '../../contract/people/user.ts'

/** Home of the current page. */
export interface PatchContext {
  homeId: string | undefined
}

export type AnyChange = { [N in DataChangeName]: { name: N; record: DataChangePayload<N> } }[DataChangeName]

/** Applies an event to an answer: returns the same answer if it is not affected, 'old' if it must be refetched. */
type Patch<Answer> = (answer: Answer, change: AnyChange, place: PatchContext) => Answer | 'old'

/** Patches the company's homes with their rooms. */
const onHomes: Patch<readonly HomeWithRooms[]> = (homes, change, place) => {
  switch (change.name) {
    case 'home.add':
      return 'old'
    case 'home.update':
      return sorted(onHome(homes, change.record.HomeID, (home) => ({ ...home, ...change.record })))
    case 'home.remove':
      return homes.filter(({ HomeID }) => HomeID !== change.record.HomeID)
    case 'room.add':
    case 'room.update':
      return putRoom(homes, change.record)
    case 'home.removeRoom':
    case 'room.remove':
      return removeRoom(homes, change.record)
    case 'thing.add':
      return isCurrent(change.record, place) ? withThingInRoom(homes, change.record) : homes
    case 'thing.update':
      return withThingInRoom(homes, change.record)
    case 'thing.remove':
      // Its devices are deleted too, and only the list of devices knows which these are.
      return 'old'
    case 'peripheral.add':
      return isCurrent(change.record, place) ? withPeripheralInRoom(homes, change.record) : homes
    case 'peripheral.update':
      return withPeripheralInRoom(homes, change.record)
    case 'peripheral.remove': {
      const { HomeID, PeripheralUID } = change.record
      return onRooms(homes, HomeID, (room) => ({
        ...room,
        PeripheralList: room.PeripheralList.filter((uid) => uid !== PeripheralUID),
      }))
    }
    default:
      return homes
  }
}

/** Patches the hubs and devices of one home. */
const onDevices: Patch<DeviceSnapshot> = (devices, change, place) => {
  switch (change.name) {
    case 'home.removeRoom':
    case 'room.remove': {
      // The devices of a deleted room move to the default room.
      const toDefault = <T extends { RoomID: number }>(entry: T): T =>
        entry.RoomID === change.record.RoomID ? { ...entry, RoomID: 0 } : entry
      return {
        ...devices,
        Things: devices.Things.map(toDefault),
        Peripherals: devices.Peripherals.map(toDefault),
      }
    }
    case 'thing.add':
      if (!isCurrent(change.record, place)) return 'old'
      return devices.Things.some(({ ThingName }) => ThingName === change.record.ThingName)
        ? devices
        : { ...devices, Things: [...devices.Things, change.record] }
    case 'thing.update':
      return {
        ...devices,
        Things: devices.Things.map((old) =>
          old.ThingName === change.record.ThingName ? { ...old, ...change.record } : old,
        ),
      }
    case 'thing.remove': {
      const { ThingName } = change.record
      return {
        ...devices,
        Things: devices.Things.filter((thing) => thing.ThingName !== ThingName),
        Peripherals: devices.Peripherals.filter((device) => device.ThingName !== ThingName),
      }
    }
    case 'peripheral.add':
      if (!isCurrent(change.record, place)) return 'old'
      return devices.Peripherals.some(({ PeripheralUID }) => PeripheralUID === change.record.PeripheralUID)
        ? devices
        : { ...devices, Peripherals: [...devices.Peripherals, answeredPeripheral(change.record)] }
    case 'peripheral.update':
      return {
        ...devices,
        Peripherals: devices.Peripherals.map((old) =>
          old.PeripheralUID === change.record.PeripheralUID
            ? { ...old, ...answeredPeripheral(change.record) }
            : old,
        ),
      }
    case 'peripheral.remove':
      return {
        ...devices,
        Peripherals: devices.Peripherals.filter(
          ({ PeripheralUID }) => PeripheralUID !== change.record.PeripheralUID,
        ),
      }
    default:
      return devices
  }
}

const onUsers: Patch<readonly User[]> = (users, change) => {
  switch (change.name) {
    case 'user.add':
    case 'user.update':
      return put(users, change.record, 'CognitoId')
    case 'user.remove':
      return users.filter(({ Email }) => Email !== change.record.Email)
    default:
      return users
  }
}

const onCompany: Patch<CompanyProfile> = (company, change) =>
  change.name === 'company.update' ? change.record : company

/** Patches by path, for the answers of calls that are `inPlace` (§4, live data rules). Pure and idempotent. */
export const cachePatches: Readonly<Record<string, Patch<unknown>>> = Object.fromEntries([
  patchOf(home.operations.list, onHomes),
  patchOf(peripheral.operations.list, onDevices),
  patchOf(user.operations.list, onUsers),
  patchOf(company.getCompanyProfile, onCompany),
])

function patchOf<Answer>({ path }: AnyEndpoint, patch: Patch<Answer>): [string, Patch<unknown>] {
  return [path, (answer, change, place) => patch(answer as Answer, change, place)]
}

/** Whether a record belongs to the current home. §4: additions patch only the current home; other homes are refetched when shown. */
const isCurrent = ({ HomeID }: { HomeID: string }, { homeId }: PatchContext): boolean => HomeID === homeId

/** Replaces the record with the same key in place, or appends it. */
function put<T>(list: readonly T[], record: T, key: keyof T): readonly T[] {
  const at = list.findIndex((entry) => entry[key] === record[key])
  return at < 0 ? [...list, record] : list.with(at, { ...(list[at] as T), ...record })
}

type Homes = readonly HomeWithRooms[]

const sorted = (homes: Homes): Homes =>
  [...homes].sort((a, b) => a.HomeName.localeCompare(b.HomeName, 'zh-TW'))

const onHome = (homes: Homes, homeId: string, change: (home: HomeWithRooms) => HomeWithRooms): Homes =>
  homes.map((home) => (home.HomeID === homeId ? change(home) : home))

const onRooms = (homes: Homes, homeId: string, change: (room: RoomWithContents) => RoomWithContents): Homes =>
  onHome(homes, homeId, (home) => ({ ...home, RoomList: home.RoomList.map(change) }))

const putRoom = (homes: Homes, room: Room): Homes =>
  onHome(homes, room.HomeID, (home) => {
    const isKnown = home.RoomList.some(({ RoomID }) => RoomID === room.RoomID)
    return {
      ...home,
      RoomList: isKnown
        ? home.RoomList.map((old) => (old.RoomID === room.RoomID ? { ...old, ...room } : old))
        : [...home.RoomList, { PeripheralList: [], ThingNameList: [], ...room }],
    }
  })

/** Removes a room; its devices move to the default room. */
const removeRoom = (homes: Homes, { HomeID, RoomID }: RoomKey): Homes =>
  onHome(homes, HomeID, (home) => {
    const removed = home.RoomList.find((room) => room.RoomID === RoomID)
    if (!removed) return home
    return {
      ...home,
      RoomList: home.RoomList.filter((room) => room !== removed).map((room) =>
        room.RoomID === 0
          ? {
              ...room,
              PeripheralList: [...room.PeripheralList, ...removed.PeripheralList],
              ThingNameList: [...room.ThingNameList, ...removed.ThingNameList],
            }
          : room,
      ),
    }
  })

/** Adds an id to the list of its room, or removes it from the list of another room. */
const moveTo = (list: readonly string[], id: string, isAdded: boolean): string[] =>
  isAdded ? (list.includes(id) ? [...list] : [...list, id]) : list.filter((entry) => entry !== id)

const withPeripheralInRoom = (homes: Homes, { HomeID, RoomID, PeripheralUID }: Peripheral): Homes =>
  onRooms(homes, HomeID, (room) => ({
    ...room,
    PeripheralList: moveTo(room.PeripheralList, PeripheralUID, room.RoomID === RoomID),
  }))

const withThingInRoom = (homes: Homes, { HomeID, RoomID, ThingName }: Thing): Homes =>
  onRooms(homes, HomeID, (room) => ({
    ...room,
    ThingNameList: moveTo(room.ThingNameList, ThingName, room.RoomID === RoomID),
  }))
