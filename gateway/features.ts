import type { SignedIn } from './kernel/context.ts'
import type { AllHandlers, Feature } from './kernel/feature.ts'
import type { Deps } from './features/deps.ts'
import { access } from './features/access/feature.ts'
import { countRaisedAlarms, findSilentDevices } from './features/alarms/alarm-lookups.ts'
import { alarms } from './features/alarms/feature.ts'
import { audit } from './features/audit/feature.ts'
import { automation } from './features/automation/feature.ts'
import { removeFromGroups } from './features/automation/targets/group-store.ts'
import { assertControlOfRooms } from './features/automation/targets/references.ts'
import { detachRoom } from './features/bookings/conference-room.ts'
import { bookings } from './features/bookings/feature.ts'
import { cameras } from './features/cameras/feature.ts'
import { control } from './features/control/feature.ts'
import { dashboards } from './features/dashboards/feature.ts'
import { onOwnerDeleted } from './features/dashboards/dashboard.ts'
import { devices } from './features/devices/feature.ts'
import {
  addPeripherals,
  deletePicture,
  lockPeripheral,
  removePeripheral,
} from './features/devices/peripheral.ts'
import { energy } from './features/energy/feature.ts'
import { readSeries } from './features/energy/history/history.ts'
import { slowestMainMeter } from './features/energy/meters/main-meters.ts'
import { guardedDemand, demandMeasures, readVirtualTerms } from './features/energy/calls/measures.ts'
import { lockMeters, markDirty } from './features/energy/rollup/dirty-spans.ts'
import { readRetentionFloors } from './features/energy/rollup/energy-floors.ts'
import { readLimitsBetween, readMaxKw } from './features/energy/rollup/learn-limits.ts'
import { guard } from './features/contract-guard/feature.ts'
import { homes } from './features/homes/feature.ts'
import { identity } from './features/identity/feature.ts'
import { meters } from './features/meters/feature.ts'
import { quarantineReading } from './features/meters/quarantine.ts'
import { insight } from './features/insight/feature.ts'
import { topFindings } from './features/insight/findings/list-findings.ts'
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
import { readBilling, readSavingBills } from './features/tariffs/saving-bills.ts'
import { createBills } from './features/tariffs/bills.ts'
import { readCapacity, homesWithContract, createPeaks } from './features/tariffs/peaks.ts'
import type { CountRecipients, Notify } from './domain/notifications/notification-transport.ts'
import { readCarbonFactor, readMissingFactor, readPricing } from './features/tariffs/tariffs-of-home.ts'
import { tariffs } from './features/tariffs/feature.ts'
import { uploads } from './features/uploads/feature.ts'

/** Dependencies between features. */
const rollupPorts = { lockMeters, markDirty, readFloors: readRetentionFloors, readMaxKw }
const reportPorts = {
  readBilling,
  readCarbonFactor,
  readMissingFactor,
  countAlarms: countRaisedAlarms,
  topFindings,
}
const demandPorts = { readCapacity, homesWithContract }

/**
 * Creates all features of the gateway; dependencies between them are passed here and nowhere else. They are closed in reverse order:
 * reports of hubs are stored before the features that consume them end.
 */
export function createFeatures(deps: Deps): readonly Feature[] {
  const energyFeature = energy(deps, {
    readPricing,
    onVirtualMeterDeleted: (context, id) => automationFeature.recheck(context, { kind: 'device', ids: [id] }),
  })
  const { ofHomes, answers, rollUp, ensureFresh } = energyFeature
  const sources = { db: deps.db, clock: deps.clock, energy: ofHomes }
  const demand = { ...demandPorts, readDemand: guardedDemand(deps.db, ofHomes) }
  const notify: Notify = (tx, notices) => notificationsFeature.notify(tx, notices)
  const alarmsFeature = alarms(deps, { notify, demand })
  const channelsFeature = notificationChannels(deps, { notify })
  const countRecipients: CountRecipients = (...to) => notificationsFeature.countRecipients(...to)
  const pushFeature = push(deps, { notify, countRecipients })
  const notificationsFeature = notifications(deps, {
    push: pushFeature.way,
    channels: channelsFeature.way,
    acknowledgeToken: alarmsFeature.acknowledgeToken,
  })
  const uploadsFeature = uploads(deps, { lockPeripheral, deletePicture })
  const controlFeature = control(deps, { runTarget: (run) => automationFeature.runTarget(run) })
  const automationFeature = automation(
    deps,
    controlFeature,
    {
      ...demandMeasures(deps.db, ofHomes, readCapacity),
      readSlowestMainMeter: slowestMainMeter,
      alarms: alarmsFeature.ruleAlarms,
      notify,
    },
    { readSeries, readTerms: readVirtualTerms, readPricing },
  )
  const { recheck } = automationFeature
  const groups = {
    removeFromGroups,
    onDevicesRemoved: automationFeature.onDevicesRemoved,
    onDevicesAdded: (context: SignedIn, ids: readonly string[]) => recheck(context, { kind: 'device', ids }),
    onFieldsChanged: automationFeature.onFieldsChanged,
    assertControlOfRooms,
  }
  return allFeatures(
    identity(deps),
    homes(deps, {
      detachRoom,
      assertControlOfRooms,
      onRoomDeleted: (context, HomeID, RoomID) =>
        recheck(context, { kind: 'room', ids: [String(RoomID)], homeId: HomeID }),
      createPlanTicket: uploadsFeature.createPlanTicket,
    }),
    people(deps, {
      transferOwnership: automationFeature.transferOwnership,
      onOwnerDeleted,
      photoAddressOf: uploadsFeature.photoAddressOf,
    }),
    personal(),
    dashboards(),
    setup(deps),
    audit(deps),
    uploadsFeature,
    modbus(deps, { onRowsChanged: automationFeature.onModbusTableChanged }),
    devices(deps, { findModbusTable, lockModbusTable, ...groups }),
    energyFeature,
    tariffs(deps, { energy: ofHomes }),
    insight(deps, {
      energy: ofHomes,
      readBilling,
      readSavingBills: (tenant, home) => readSavingBills(sources, tenant, home),
      readSeries,
      readSilentDevices: findSilentDevices,
    }),
    reports(deps, {
      energy: { ...ofHomes, ...answers },
      bills: createBills(sources),
      ...reportPorts,
    }),
    meters(deps, { rollUp, ensureFresh, ...rollupPorts, readLimitsBetween, readBilling }),
    controlFeature,
    // Closed before the features that carry out its commands.
    automationFeature,
    cameras(deps, {
      devices: { lock: lockPeripheral, add: addPeripherals(groups), remove: removePeripheral(groups) },
      sendCommand: controlFeature.sendCommand,
    }),
    ota(deps),
    access(deps, uploadsFeature),
    bookings(deps, {
      onConferenceRoomMoved: (context, id) => recheck(context, { kind: 'conferenceRoom', ids: [id] }),
      onBookingsChanged: automationFeature.followBookings,
    }),
    alarmsFeature,
    guard(deps, {
      notify,
      runs: automationFeature.guardRuns,
      readDemand: demand.readDemand,
      ...createPeaks({ db: deps.db, energy: ofHomes }),
    }),
    notificationsFeature,
    pushFeature,
    channelsFeature,
    status(deps, { quarantineReading, updateStateAlarms: alarmsFeature.updateStateAlarms }),
  )
}

/** Calls as `family.verb`. */
type CallsIn<H> = { [N in keyof H & string]: `${N}.${keyof H[N] & string}` }[keyof H & string]
type CallsOf<F> = F extends { handlers: infer H } ? CallsIn<H> : never

/** Verifies the list at compile time: calls that two features answer, or none, are a type error. */
type Complete<L extends readonly unknown[], Seen = never> = L extends readonly [infer First, ...infer Rest]
  ? [CallsOf<First> & Seen] extends [never]
    ? Complete<Rest, Seen | CallsOf<First>>
    : { 'answered by two features': CallsOf<First> & Seen }
  : [Exclude<CallsIn<AllHandlers>, Seen>] extends [never]
    ? unknown
    : { 'answered by no feature': Exclude<CallsIn<AllHandlers>, Seen> }

/** List of features; a compile error unless exactly one of them answers each call of the contract. */
const allFeatures = <L extends readonly Feature[]>(...features: L & Complete<L>): L => features
