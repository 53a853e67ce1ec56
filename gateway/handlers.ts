import { procedures, type ProcedureFamily, type ResourceName, resources } from '../contract/index.ts'
import type { AnyEndpoint } from '../contract/kernel/define-endpoint.ts'
import type { Handler, HandlersOf } from './context.ts'
import { accessControlHandlers } from './procedures/access-control.ts'
import { billHandlers } from './procedures/bills.ts'
import { auditHandlers } from './procedures/audit.ts'
import { cameraAndIrHandlers } from './procedures/camera-and-ir.ts'
import { commandHandlers } from './procedures/commands.ts'
import { companyHandlers } from './procedures/company.ts'
import { deviceEventHandlers } from './procedures/device-events.ts'
import { historyHandlers } from './procedures/history.ts'
import { homeTariffHandlers } from './procedures/home-tariff.ts'
import { hubCredentialHandlers } from './procedures/hub-credentials.ts'
import { meterCorrectionHandlers } from './procedures/meter-corrections.ts'
import { meterDataHandlers } from './procedures/meter-data.ts'
import { meterImportHandlers } from './procedures/meter-import.ts'
import { otaHandlers } from './procedures/ota.ts'
import { peripheralCallHandlers } from './procedures/peripheral.ts'
import { peopleHandlers } from './procedures/people.ts'
import { personalHandlers } from './procedures/personal.ts'
import { bookingHandlers } from './procedures/reservations.ts'
import { sessionHandlers } from './procedures/session.ts'
import { uploadHandlers } from './procedures/uploads.ts'
import { conferenceRoomHandlers } from './resources/conference-room.ts'
import { departmentHandlers } from './resources/department.ts'
import { employeeHandlers } from './resources/employee.ts'
import { homeHandlers } from './resources/home.ts'
import { modbusTableHandlers } from './resources/modbus-table.ts'
import { peripheralHandlers } from './resources/peripheral.ts'
import { roomCallHandlers, roomHandlers } from './resources/room.ts'
import { tariffHandlers } from './resources/tariff.ts'
import { scannerHandlers } from './resources/scanner.ts'
import { thingHandlers } from './resources/thing.ts'
import { userHandlers } from './resources/user.ts'
import { virtualMeterHandlers } from './resources/virtual-meter.ts'
import { visitorHandlers } from './resources/visitor.ts'
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
    room: roomCallHandlers,
    people: peopleHandlers,
    bookings: bookingHandlers,
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
