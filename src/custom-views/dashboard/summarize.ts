import type { Capability } from '../../../contract/device-kinds/capability.ts'
import { meaningOf } from '../../../contract/device-kinds/field-shape.ts'
import type { DeviceStatus } from '../../../contract/device-kinds/status.ts'
import type { Alarm } from '../../../contract/procedures/alarms.ts'
import { DEFAULT_ROLE, signOf } from '../../../contract/rules/meter/meter-roles.ts'
import type { Peripheral } from '../../../contract/resources/peripheral.ts'
import { alarmStateOf } from '../../../contract/rules/device/alarm-states.ts'
import {
  alarmsByDevice,
  isSettled,
  maintainedBy,
  type AttentionNotes,
} from '../../../contract/rules/device/attention-alarms.ts'
import { isSilent } from '../../../contract/rules/device/silence.ts'
import { isCurrent } from '../../../contract/rules/device/status-order.ts'
import { breachesOf } from '../../../contract/rules/device/warning-threshold.ts'
import type { DeviceRow } from '../../domain/device/device-rows.ts'

/** Devices in a state, among all of their kind; `unknown` are those whose state nobody can tell at the moment. */
export interface Tally {
  count: number
  total: number
  unknown: number
}

export interface Summary {
  devices: number
  hubs: Tally
  lights: Tally
  doors: Tally
  motion: Tally
  /** Open alarms, and devices that say something is wrong for which none is stored yet: smoke or fire, a reading outside of its limits. */
  alarms: number
  /**
   * What the site uses, W, of the meters that report: where one of them sees the import what comes in less what goes out; else the
   * sum of the loads at the top, for a meter below another one is part of that one's load already.
   */
  watts: number
  /** `count` of them have a reading younger than their update frequency (§4). */
  meters: Tally
}

/** A hub that is not connected. */
export interface OfflineHub {
  ThingName: string
  DeviceName: string
}

/** A device that says something is wrong. */
export interface AlarmingDevice {
  PeripheralUID: string
  PeripheralName: string
}

export interface HomeSummary extends Summary {
  alarming: readonly AlarmingDevice[]
  offlineHubs: readonly OfflineHub[]
}

const tally = (): Tally => ({ count: 0, total: 0, unknown: 0 })

const power = (): Tally & { watts: number } => ({ ...tally(), watts: 0 })

const nothing = (): Summary => ({
  devices: 0,
  hubs: tally(),
  lights: tally(),
  doors: tally(),
  motion: tally(),
  alarms: 0,
  watts: 0,
  meters: tally(),
})

/**
 * One home at a glance, from the lines of its device list and their last statuses.
 *
 * special  a switch with several relays is one light, on when any of them is; behind a hub that is offline and of a device that is silent,
 *          lights, doors and motion are unknown, whatever they said last, and an alarm stays; a meter that is not current adds no power, nor does one
 *          below another meter; an alarm that a person has cleared is none until a newer report, and what is in maintenance
 *          has none but fire
 */
export function summarize(
  rows: readonly DeviceRow[],
  statusOf: (uid: string) => DeviceStatus | undefined,
  now: number,
  { alarms, maintenances }: Pick<AttentionNotes, 'alarms' | 'maintenances'> = {},
): HomeSummary {
  const ofDevice = alarmsByDevice(alarms)
  const maintained = maintainedBy(maintenances, now)
  const sum = nothing()
  /** The loads at the top, and what comes in less what goes out. */
  const [loads, balance] = [power(), power()]
  let isBalanced = false
  /** In maintenance only fire counts, while it is reported. */
  const isOnlyMaintained = (device: Peripheral, seen: DeviceStatus | undefined) =>
    maintained.device(device) !== undefined && !(seen && alarmStateOf(seen)?.isFire)
  const offlineHubs: OfflineHub[] = []
  const alarming: AlarmingDevice[] = []
  for (const { device, hub, type, id } of rows) {
    if (!device) {
      if (!hub) continue
      sum.hubs.total++
      if (hub.Online) sum.hubs.count++
      else offlineHubs.push({ ThingName: hub.ThingName, DeviceName: hub.DeviceName })
      continue
    }
    sum.devices++
    const status = statusOf(id)
    const known = hub?.Online === true && !(status && isSilent(device, status.Timestamp, now))
    const seen = known ? status : undefined
    const isSilenced = (status && isSettled(ofDevice.get(id), status)) || isOnlyMaintained(device, seen)
    if (type && !isSilenced && isAlarming(device, type.capabilities, status, seen)) alarming.push(device)
    for (const { name, command } of type?.capabilities ?? [])
      switch (name) {
        case 'switches':
          // Relays of other kinds switch anything.
          if (type?.category === 'LightSwitch')
            add(sum.lights, seen && Object.keys(command).map((relay) => seen[relay]), 1)
          break
        case 'door':
          add(sum.doors, seen && [seen['DoorState']], 2)
          break
        case 'motion':
          add(sum.motion, seen && [seen['MotionState']], 1)
          break
        case 'meter': {
          if (device.ParentMeter !== null) break
          // A Modbus device is a meter once it has counted.
          if (type?.category === 'ModBus' && status?.['AccumulatePower'] === undefined) break
          const watts = status?.['Power']
          const current =
            status !== undefined && isCurrent(status.Timestamp, device.PowerMeterUpdateFrequency, now)
          const role = device.Role ?? DEFAULT_ROLE
          const sign = signOf(role)
          if (sign === 0 && role !== 'load') break
          if (role === 'gridImport') isBalanced = true
          const of = sign === 0 ? loads : balance
          of.total++
          if (!current || typeof watts !== 'number') break
          of.count++
          of.watts += watts * (sign || 1)
        }
      }
  }
  const { watts, ...meters } = isBalanced ? balance : loads
  const stored = openAlarms(rows, alarms, (alarm) => maintainsAlarm(maintained, rows, alarm), statusOf)
  const isStored = (uid: string) =>
    stored.some(({ PeripheralUID, Kind }) => PeripheralUID === uid && OF_REPORTS.has(Kind))
  const fresh = alarming.filter(({ PeripheralUID }) => !isStored(PeripheralUID))
  return { ...sum, watts, meters, alarms: stored.length + fresh.length, alarming, offlineHubs }
}

/** Alarms of what devices report: what is seen of these devices counts as one with them. */
const OF_REPORTS: ReadonlySet<Alarm['Kind']> = new Set(['state', 'breach'])

/** The open alarms of these hubs and devices, and of their home; not those that a newer report ends. */
function openAlarms(
  rows: readonly DeviceRow[],
  alarms: readonly Alarm[] = [],
  isMaintained: (alarm: Alarm) => boolean,
  statusOf: (uid: string) => DeviceStatus | undefined,
): Alarm[] {
  const homes = new Set(rows.map(({ device, hub }) => device?.HomeID ?? hub?.HomeID))
  return alarms.filter((alarm) => {
    if (alarm.Cleared || !homes.has(alarm.HomeID) || isMaintained(alarm)) return false
    const status = alarm.PeripheralUID === null ? undefined : statusOf(alarm.PeripheralUID)
    const isOver =
      alarm.Kind === 'state' && status && status.Timestamp > alarm.ReportedAt && !alarmStateOf(status)
    return !isOver
  })
}

/** Whether somebody is working on what an alarm is about: of a device, only fire counts then, as it is reported. */
function maintainsAlarm(
  maintained: ReturnType<typeof maintainedBy>,
  rows: readonly DeviceRow[],
  { HomeID, PeripheralUID, ThingName }: Alarm,
): boolean {
  const row = rows.find(({ device }) => device !== undefined && device.PeripheralUID === PeripheralUID)
  if (!row?.device) return maintained.hub({ HomeID, ThingName: ThingName ?? '' }) !== undefined
  return maintained.device(row.device) !== undefined
}

/** What a device said last of smoke or fire stays true until it says otherwise, also behind a hub that is lost. */
const isAlarming = (
  device: Peripheral,
  capabilities: readonly Capability[],
  said: DeviceStatus | undefined,
  seen: DeviceStatus | undefined,
) => meaningOf(capabilities, said) === 'alarm' || breachesOf(device, seen).length > 0

/** Counts a device by its reported values: in the state when any is `wanted`, unknown when it reported none. */
function add(to: Tally, values: readonly unknown[] | undefined, wanted: number): void {
  to.total++
  if (values?.includes(wanted)) to.count++
  else if (!values?.some((value) => value !== undefined)) to.unknown++
}

/** Several homes together. */
export function total(homes: readonly Summary[]): Summary {
  const sum = nothing()
  for (const home of homes) {
    sum.devices += home.devices
    sum.watts += home.watts
    sum.alarms += home.alarms
    for (const name of ['hubs', 'lights', 'doors', 'motion', 'meters'] as const) {
      sum[name].count += home[name].count
      sum[name].total += home[name].total
      sum[name].unknown += home[name].unknown
    }
  }
  return sum
}
