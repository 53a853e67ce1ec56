import { z } from 'zod'
import { Permission, right, type Access } from '../features.ts'
import { defineChannel } from '../kernel/define-channel.ts'
import type { Entity } from '../kernel/entities.ts'
import { CognitoId, ConferenceRoomID, HomeID, RequestID } from '../kernel/scalars.ts'
import { CompanyProfile } from '../procedures/company.ts'
import { BookingKey, SeenBooking } from '../procedures/bookings.ts'
import { Firmware, FirmwareKey } from '../procedures/ota.ts'
import { PersonalConfig } from '../procedures/personal.ts'
import { ConferenceRoomKey, ConferenceRoomWithClock } from '../resources/conference-room.ts'
import { Department, DepartmentKey } from '../resources/department.ts'
import { EmployeeKey } from '../resources/employee.ts'
import { Home, HomeKey, HomeWithRooms } from '../resources/home.ts'
import { ModbusTableKey, StoredModbusTable } from '../resources/modbus-table.ts'
import { DiscoveredPeripheral, Peripheral, PeripheralKey } from '../resources/peripheral.ts'
import { Room, RoomKey } from '../resources/room.ts'
import { ScannerKey } from '../resources/scanner.ts'
import { TariffKey } from '../resources/tariff.ts'
import { Thing, ThingKey, ThingWithState } from '../resources/thing.ts'
import { VirtualMeter, VirtualMeterKey } from '../resources/virtual-meter.ts'
import { User, UserKey } from '../resources/user.ts'
import { VisitorKey } from '../resources/visitor.ts'

/** Events of records that are long, personal or listed a page at a time: the key suffices, and the list is asked for again. */
const ofKeys = <K extends z.ZodType>(key: K) => ({ add: key, update: key, remove: key })

/**
 * Every data-change event (§7): the changed record, or its keys for remove. `access` says who may hear of the
 * entity; a home's room events repeat the room's own, as §7 lists both.
 */
export const dataChanges = {
  home: {
    access: 'signed-in',
    events: {
      add: HomeWithRooms,
      // Everybody hears of homes, and the Thread key opens a home's mesh network.
      update: Home.omit({ ThreadNetworkKey: true }),
      remove: HomeKey,
      addRoom: Room,
      updateRoom: Room,
      removeRoom: RoomKey,
    },
  },
  room: { access: 'signed-in', events: { add: Room, update: Room, remove: RoomKey } },
  thing: {
    access: right('device', 'Read'),
    events: { add: ThingWithState, update: Thing, remove: ThingKey },
  },
  peripheral: {
    access: right('device', 'Read'),
    events: { add: Peripheral, update: Peripheral, remove: PeripheralKey },
  },
  discovery: { access: right('device', 'Create'), events: { add: DiscoveredPeripheral } },
  user: { access: right('user', 'Read'), events: { add: User, update: User, remove: UserKey } },
  department: {
    access: right('user', 'Read'),
    events: { add: Department, update: Department, remove: DepartmentKey },
  },
  modbusTable: {
    access: right('device', 'Read'),
    events: { add: StoredModbusTable, update: StoredModbusTable, remove: ModbusTableKey },
  },
  conferenceRoom: {
    access: right('conference_room', 'Read'),
    events: {
      add: ConferenceRoomWithClock,
      update: ConferenceRoomWithClock,
      remove: ConferenceRoomKey,
      // A new or a changed booking, as everybody may see it.
      addBooking: SeenBooking,
      removeBooking: BookingKey.extend({ ConferenceRoomID }),
    },
  },
  virtualMeter: {
    access: right('electricity', 'Read'),
    events: { add: VirtualMeter, update: VirtualMeter, remove: VirtualMeterKey },
  },
  tariff: { access: right('electricity', 'Read'), events: ofKeys(TariffKey) },
  // What energy costs or emits changed: the tariffs of one home, or with null what holds for all homes.
  pricing: {
    access: right('electricity', 'Read'),
    events: { update: z.object({ HomeID: HomeID.nullable() }) },
  },
  // By a person's word a home counted something else: a correction, a decision, an import, or one of them taken back.
  metering: { access: right('electricity', 'Read'), events: { update: z.object({ HomeID }) } },
  // Readings of a home wait for a decision, or wait no more.
  quarantinedReading: { access: right('electricity', 'Read'), events: { update: z.object({ HomeID }) } },
  firmware: { access: right('ota', 'Read'), events: { add: Firmware, remove: FirmwareKey } },
  visitor: { access: right('access_control_visitor', 'Read'), events: ofKeys(VisitorKey) },
  employee: { access: right('access_control_employee', 'Read'), events: ofKeys(EmployeeKey) },
  scanner: { access: right('access_control_scanner', 'Read'), events: ofKeys(ScannerKey) },
  scanEvent: { access: right('access_control_scanner', 'Read'), events: { add: ScannerKey } },
  company: { access: 'signed-in', events: { update: CompanyProfile } },
} as const satisfies Record<Entity, { access: Access; events: Record<string, z.ZodType> }>

type Changes = typeof dataChanges
/** 'room.add', 'peripheral.update' … */
export type DataChangeName = { [E in Entity]: `${E}.${keyof Changes[E]['events'] & string}` }[Entity]
export type DataChangePayload<N extends DataChangeName> = N extends `${infer E extends Entity}.${infer V}`
  ? V extends keyof Changes[E]['events']
    ? Changes[E]['events'][V] extends z.ZodType
      ? z.infer<Changes[E]['events'][V]>
      : never
    : never
  : never

/** The schema of one event's record, or undefined when there is no such event. */
export const dataChangeSchema = (entity: string, event: string): z.ZodType | undefined =>
  (dataChanges as Record<string, { events: Record<string, z.ZodType> }>)[entity]?.events[event]

export const dataChange = defineChannel({
  template: '{rootId}/datachange/{entity}/{event}',
  summary:
    'A record was added, changed or removed. By is the CognitoId of who did it, null for the gateway itself; RequestID is that of the call that did it, null where the call had none.',
  publishers: ['gateway'],
  subscribers: ['screen'],
  access: 'signed-in',
  payload: z.object({ Record: z.unknown(), By: CognitoId.nullable(), RequestID: RequestID.nullable() }),
})

/** To one person: their rights changed, or they were deleted or disabled; the screen signs out (§4). */
export const userPermission = defineChannel({
  template: '{rootId}/user/{cognitoId}/permission',
  summary: 'My permissions changed, or I was deleted.',
  publishers: ['gateway'],
  subscribers: ['screen'],
  access: 'signed-in',
  payload: z.union([z.object({ Permissions: z.array(Permission) }), z.object({ Deleted: z.literal(true) })]),
})

/** To one person: results of what they asked for asynchronously, and their own settings on other screens. */
export const userResponse = defineChannel({
  template: '{rootId}/user/{cognitoId}/response',
  summary: 'Something of mine: an answered request or changed personal settings.',
  publishers: ['gateway'],
  subscribers: ['screen'],
  access: 'signed-in',
  payload: z.object({ PersonalConfig }),
})
