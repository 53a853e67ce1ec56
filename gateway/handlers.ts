import { procedures, type ProcedureFamily, type ResourceName, resources } from '../contract/index.ts'
import type { AnyEndpoint } from '../contract/kernel/define-endpoint.ts'
import type { Handler, HandlersOf } from './context.ts'
import { accessControlHandlers } from './features/access/access-control.ts'
import { billHandlers } from './features/tariffs/bill-calls.ts'
import { auditHandlers } from './features/audit/audit.ts'
import { cameraAndIrHandlers } from './features/cameras/camera-and-ir.ts'
import { commandHandlers } from './features/control/commands.ts'
import { companyHandlers } from './features/people/company.ts'
import { deviceEventHandlers } from './features/devices/device-events.ts'
import { historyHandlers } from './features/energy/history/history.ts'
import { homeListHandlers } from './features/homes/home-lists.ts'
import { homeTariffHandlers } from './features/tariffs/home-tariff.ts'
import { hubCredentialHandlers } from './features/devices/hub-credentials.ts'
import { meterCorrectionHandlers } from './features/meters/meter-corrections.ts'
import { meterDataHandlers } from './features/energy/query/meter-data.ts'
import { meterImportHandlers } from './features/meters/meter-import.ts'
import { otaHandlers } from './features/ota/calls.ts'
import { peripheralCallHandlers } from './features/devices/peripheral-calls.ts'
import { peopleHandlers } from './features/people/user-lists.ts'
import { personalHandlers } from './features/personal/personal.ts'
import { reservationHandlers } from './features/bookings/calls.ts'
import { sessionHandlers } from './features/identity/session.ts'
import { uploadHandlers } from './features/uploads/calls.ts'
import { conferenceRoomHandlers } from './features/bookings/conference-room.ts'
import { departmentHandlers } from './features/people/department.ts'
import { employeeHandlers } from './features/access/employee.ts'
import { homeHandlers } from './features/homes/home.ts'
import { modbusTableHandlers } from './features/modbus/modbus-table.ts'
import { peripheralHandlers } from './features/devices/peripheral.ts'
import { roomHandlers } from './features/homes/room.ts'
import { tariffHandlers } from './features/tariffs/tariff.ts'
import { scannerHandlers } from './features/access/scanner.ts'
import { thingHandlers } from './features/devices/thing.ts'
import { userHandlers } from './features/people/user.ts'
import { virtualMeterHandlers } from './features/energy/virtual-meter.ts'
import { visitorHandlers } from './features/access/visitor.ts'
import type { Services } from './services.ts'

/** A call with the work behind it, as the dispatcher mounts it. */
export interface Route {
  endpoint: AnyEndpoint
  handler: Handler<AnyEndpoint>
}

/** One route for every endpoint of the contract; the compiler asks for each resource and family by name. */
export function createRoutes(services: Services): Route[] {
  const ofResources: { [N in ResourceName]: HandlersOf<(typeof resources)[N]['operations']> } = {
    home: homeHandlers,
    room: roomHandlers,
    thing: thingHandlers,
    peripheral: peripheralHandlers,
    user: userHandlers(services),
    department: departmentHandlers,
    modbusTable: modbusTableHandlers,
    virtualMeter: virtualMeterHandlers,
    visitor: visitorHandlers,
    employee: employeeHandlers,
    scanner: scannerHandlers,
    tariff: tariffHandlers,
    conferenceRoom: conferenceRoomHandlers,
  }
  const ofProcedures: { [N in ProcedureFamily]: HandlersOf<(typeof procedures)[N]> } = {
    audit: auditHandlers,
    homeLists: homeListHandlers,
    homeTariff: homeTariffHandlers,
    bills: billHandlers(services),
    session: sessionHandlers(services),
    personal: personalHandlers,
    company: companyHandlers,
    uploads: uploadHandlers(services),
    hubCredentials: hubCredentialHandlers,
    commands: commandHandlers(services),
    deviceEvents: deviceEventHandlers,
    accessControl: accessControlHandlers(services),
    meterData: meterDataHandlers(services),
    meterCorrections: meterCorrectionHandlers(services),
    meterImports: meterImportHandlers(services),
    history: historyHandlers,
    cameraAndIr: cameraAndIrHandlers(services),
    ota: otaHandlers(services),
    peripheral: peripheralCallHandlers,
    people: peopleHandlers,
    reservations: reservationHandlers,
  }
  const pair = (endpoints: Record<string, AnyEndpoint>, handlers: Record<string, unknown>): Route[] =>
    Object.entries(endpoints).map(([verb, endpoint]) => ({
      endpoint,
      handler: handlers[verb] as Route['handler'],
    }))
  return [
    ...Object.entries(resources).flatMap(([name, { operations }]) =>
      pair(operations, ofResources[name as ResourceName]),
    ),
    ...Object.entries(procedures).flatMap(([name, family]) =>
      pair(family, ofProcedures[name as ProcedureFamily]),
    ),
  ]
}
