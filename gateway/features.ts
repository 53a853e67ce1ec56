import type { SignedIn } from './kernel/context.ts'
import type { AllHandlers, Feature } from './kernel/feature.ts'
import type { Deps } from './features/deps.ts'
import { access } from './features/access/feature.ts'
import { countRaisedAlarms } from './features/alarms/count-raised.ts'
import { alarms } from './features/alarms/feature.ts'
import { findSilentDevices } from './features/alarms/silent-devices.ts'
import { audit } from './features/audit/feature.ts'
import { automation } from './features/automation/feature.ts'
import { removeFromGroups } from './features/automation/targets/group-store.ts'
import { needControlOfRooms } from './features/automation/targets/references.ts'
import { detachRoom } from './features/bookings/conference-room.ts'
import { bookings } from './features/bookings/feature.ts'
import { cameras } from './features/cameras/feature.ts'
import { control } from './features/control/feature.ts'
import { dashboards } from './features/dashboards/feature.ts'
import { onOwnerDeleted } from './features/dashboards/owner-deleted.ts'
import { devices } from './features/devices/feature.ts'
import {
  addPeripherals,
  deletePicture,
  lockPeripheral,
  removePeripheral,
} from './features/devices/peripheral.ts'
import { energy } from './features/energy/feature.ts'
import { seriesOf } from './features/energy/history/history.ts'
import { slowestMainMeter } from './features/energy/meters/main-meters.ts'
import { guardedDemand, demandMeasures, virtualTermsOf } from './features/energy/calls/measures.ts'
import { lockMeters, markDirty } from './features/energy/rollup/dirty-spans.ts'
import { readRetentionFloors } from './features/energy/rollup/energy-floors.ts'
import { mostKwOf } from './features/energy/rollup/meter-limits.ts'
import { guard } from './features/contract-guard/feature.ts'
import { homes } from './features/homes/feature.ts'
import { identity } from './features/identity/feature.ts'
import { meters } from './features/meters/feature.ts'
import { quarantineReading } from './features/meters/quarantine.ts'
import { insight } from './features/insight/feature.ts'
import { topFindings } from './features/insight/findings/top-findings.ts'
import { modbus } from './features/modbus/feature.ts'
import { findModbusTable, lockModbusTable } from './features/modbus/modbus-table.ts'
import { notificationChannels } from './features/notification-channels/feature.ts'
import { notifications } from './features/notifications/feature.ts'
import { ota } from './features/ota/feature.ts'
import { people } from './features/people/feature.ts'
import { personal } from './features/personal/feature.ts'
import { push } from './features/push/feature.ts'
import { reports } from './features/reports/feature.ts'
import { setup } from './features/setup/feature.ts'
import { status } from './features/status/feature.ts'
import { billingOf } from './features/tariffs/billing.ts'
import { createBills } from './features/tariffs/bills.ts'
import { capacityOf, homesWithContract } from './features/tariffs/capacity.ts'
import { savingBillsOf } from './features/tariffs/saving-bills.ts'
import { createPeaks } from './features/tariffs/peaks.ts'
import type { Notify } from './domain/notifications/notification-transport.ts'
import { carbonFactorOfCompany, missingFactorOfCompany, pricingOf } from './features/tariffs/pricing.ts'
import { tariffs } from './features/tariffs/feature.ts'
import { uploads } from './features/uploads/feature.ts'

/** Dependencies between features. */
const rollupPorts = { holdMeters: lockMeters, markDirty, readFloors: readRetentionFloors, mostKwOf }
const reportPorts = {
  billingOf,
  carbonFactorOf: carbonFactorOfCompany,
  missingFactorOf: missingFactorOfCompany,
  countAlarms: countRaisedAlarms,
  topFindings,
}
const demandPorts = { capacityOf, homesWithContract }

/**
 * Creates all features of the gateway; dependencies between them are passed here and nowhere else. They are closed in reverse order:
 * reports of hubs are stored before the features that consume them end.
 */
export function createFeatures(deps: Deps): readonly Feature[] {
  const counted = energy(deps, {
    pricingOf,
    virtualMeterGone: (context, id) => acting.lookAgain(context, { kind: 'device', ids: [id] }),
  })
  const demand = { ...demandPorts, demandOf: guardedDemand(deps.db, counted.ofHomes) }
  const tell: Notify = (tx, notices) => told.tell(tx, notices)
  const alarming = alarms(deps, { tell, demand })
  const channels = notificationChannels(deps, { tell })
  const pushed = push(deps, { tell, countHearers: (db, tenant, to) => told.countHearers(db, tenant, to) })
  const told = notifications(deps, {
    push: pushed.way,
    channels: channels.way,
    acknowledgeToken: alarming.acknowledgeToken,
  })
  const pictures = uploads(deps, { hold: lockPeripheral, dropPicture: deletePicture })
  const commands = control(deps, { runTarget: (asked) => acting.runTarget(asked) })
  const acting = automation(
    deps,
    commands,
    {
      ...demandMeasures(deps.db, counted.ofHomes, capacityOf),
      slowestMainMeter,
      alarms: alarming.ruleAlarms,
      tell,
    },
    { seriesOf, termsOf: virtualTermsOf, pricingOf },
  )
  const groups = {
    leaveGroups: removeFromGroups,
    devicesGone: acting.devicesGone,
    devicesCame: (context: SignedIn, ids: readonly string[]) =>
      acting.lookAgain(context, { kind: 'device', ids }),
    fieldsChanged: acting.fieldsChanged,
    needControlOfRooms,
  }
  return whole(
    identity(deps),
    homes(deps, {
      leaveRoom: detachRoom,
      needControlOfRooms,
      roomGone: (context, HomeID, RoomID) =>
        acting.lookAgain(context, { kind: 'room', ids: [String(RoomID)], homeId: HomeID }),
      createPlanTicket: pictures.createPlanTicket,
    }),
    people(deps, {
      handOver: acting.handOver,
      leaveDashboards: onOwnerDeleted,
      photoAddressOf: pictures.photoAddressOf,
    }),
    personal(),
    dashboards(),
    setup(deps),
    audit(deps),
    pictures,
    modbus(deps, { rowsChanged: acting.tableChanged }),
    devices(deps, { findModbusTable, holdModbusTable: lockModbusTable, ...groups }),
    counted,
    tariffs(deps, { energy: counted.ofHomes }),
    insight(deps, {
      energy: counted.ofHomes,
      billingOf,
      savingBillsOf: (tenant, home) =>
        savingBillsOf({ db: deps.db, clock: deps.clock, energy: counted.ofHomes }, tenant, home),
      seriesOf,
      silentDevices: findSilentDevices,
    }),
    reports(deps, {
      energy: { ...counted.ofHomes, ...counted.answers },
      bills: createBills({ db: deps.db, clock: deps.clock, energy: counted.ofHomes }),
      ...reportPorts,
    }),
    meters(deps, { settle: counted.settle, settleForCall: counted.settleForCall, ...rollupPorts }),
    commands,
    // Closed before the features that carry out its commands.
    acting,
    cameras(deps, {
      devices: { hold: lockPeripheral, add: addPeripherals(groups), remove: removePeripheral(groups) },
      sendCommand: commands.sendCommand,
    }),
    ota(deps),
    access(deps, pictures),
    bookings(deps, {
      conferenceRoomMoved: (context, id) => acting.lookAgain(context, { kind: 'conferenceRoom', ids: [id] }),
      bookingsMoved: acting.followBookings,
    }),
    alarming,
    guard(deps, {
      tell,
      runs: acting.guardRuns,
      demandOf: demand.demandOf,
      ...createPeaks({ db: deps.db, energy: counted.ofHomes }),
    }),
    told,
    pushed,
    channels,
    status(deps, { quarantine: quarantineReading, noteStates: alarming.noteStates }),
  )
}

/** Calls as `family.verb`. */
type CallsIn<H> = { [N in keyof H & string]: `${N}.${keyof H[N] & string}` }[keyof H & string]
type CallsOf<F> = F extends { handlers: infer H } ? CallsIn<H> : never

/** Verifies the list at compile time: calls that two features answer, or none, are a type error. */
type Whole<L extends readonly unknown[], Seen = never> = L extends readonly [infer First, ...infer Rest]
  ? [CallsOf<First> & Seen] extends [never]
    ? Whole<Rest, Seen | CallsOf<First>>
    : { 'answered by two features': CallsOf<First> & Seen }
  : [Exclude<CallsIn<AllHandlers>, Seen>] extends [never]
    ? unknown
    : { 'answered by no feature': Exclude<CallsIn<AllHandlers>, Seen> }

/** List of features; a compile error unless exactly one of them answers each call of the contract. */
const whole = <L extends readonly Feature[]>(...features: L & Whole<L>): L => features
