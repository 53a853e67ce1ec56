import { deviceType, reportsNothing } from '../../../contract/devices/kinds/registry.ts'
import type { DeviceStatus } from '../../../contract/devices/kinds/status.ts'
import type { DeviceSnapshot, Peripheral } from '../../../contract/devices/peripheral.ts'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import {
  alarmsByDevice,
  isSettled,
  maintainedBy,
  type AttentionNotes,
} from '../../../contract/attention/attention-alarms.ts'
import { attentionOf, type AttentionItem } from '../../../contract/attention/attention.ts'
import { LIST_STATES, type ListState } from '../../../contract/lists/list-query.ts'
import { COVER_STATES } from '../../../contract/devices/capabilities/cover.ts'
import type { ThermostatNode } from '../../../contract/devices/capabilities/thermostat.ts'
import {
  applies,
  type CapabilityName,
  type CommandValues,
} from '../../../contract/devices/capabilities/capability.ts'
import { choiceOf, fieldShape } from '../../../contract/devices/kinds/field-shape.ts'

/** Whether any capability of a device is on; undefined if it reports neither on nor off. */
export function isOn(type: string, status: CommandValues | undefined): boolean | undefined {
  let isAnyOn: boolean | undefined
  for (const capability of deviceType(type)?.capabilities ?? [])
    if (applies(capability, status)) {
      const ownState = OWN[capability.name]?.(status)
      if (ownState === true) return true
      isAnyOn ??= ownState
      if (capability.name in OWN) continue
      for (const field of Object.keys(capability.status)) {
        const value = status?.[field]
        const shape = fieldShape(capability, field)
        if (value === undefined) continue
        if (shape.as === 'onOff') {
          if (value === 1) return true
          isAnyOn ??= false
        } else if (shape.as === 'choice' && shape.choices.some(([, , meaning]) => meaning === 'on')) {
          if (choiceOf(shape.choices, value)?.[2] === 'on') return true
          isAnyOn ??= false
        }
      }
    }
  return isAnyOn
}

/** Capabilities whose on state is not a single field: a cover that is not closed, a thermostat with a zone that is on. */
const OWN: Partial<Record<CapabilityName, (status: CommandValues | undefined) => boolean | undefined>> = {
  cover: (status) => {
    const coverState = choiceOf(COVER_STATES, status?.['CoverState'])
    return coverState && coverState[1] !== 'coverClosed'
  },
  thermostat: (status) => {
    const zones = status?.['ThermostatTable'] as readonly ThermostatNode[] | undefined
    return zones && zones.length > 0 ? zones.some(({ Switch }) => Switch === 1) : undefined
  },
}

/** A row of the device list: a device with its hub, or a hub. */
interface Row {
  id: string
  device: Peripheral | undefined
  hub: ThingWithState | undefined
}

/** State of a row of the device list at a given time. */
export interface RowState {
  /** In the order of LIST_STATES. */
  states: readonly ListState[]
  /** Undefined if no power is measured, or it is no longer known. */
  watts: number | undefined
  /** Time of the last report, or time at which a hub was last seen, epoch ms. */
  reportedAt: number | undefined
}
export type RowStates = ReadonlyMap<string, RowState>

const NOTHING_KNOWN: RowState = { states: ['unknown'], watts: undefined, reportedAt: undefined }
export const stateIn = (states: RowStates, id: string): RowState => states.get(id) ?? NOTHING_KNOWN

/**
 * States of rows, from the attention rules and the last reports.
 *
 * snapshot  hubs and devices of one home
 * notes     alarms and maintenances; without them no alarm counts as acknowledged or cleared
 * now       epoch ms
 */
export function rowStates(
  rows: readonly Row[],
  snapshot: Pick<DeviceSnapshot, 'Things' | 'Peripherals'>,
  statusOf: (uid: string) => DeviceStatus | undefined,
  notes: AttentionNotes,
  now: number,
): RowStates {
  const facts = { hubs: snapshot.Things, devices: snapshot.Peripherals, statusOf, connected: true, ...notes }
  const items = new Map<string, AttentionItem[]>()
  for (const item of attentionOf(facts, now).Items) {
    const of = item.Kind === 'rule' ? (item.PeripheralUID ?? item.Subject) : item.Subject
    items.set(of, [...(items.get(of) ?? []), item])
  }
  const alarms = alarmsByDevice(notes.alarms)
  const maintained = maintainedBy(notes.maintenances, now)
  const stateOf = (row: Row): RowState => {
    const { device, hub } = row
    const rowItems = items.get(row.id) ?? []
    const status = device && statusOf(row.id)
    const isOffline = device ? device.ThingName !== null && hub?.Online !== true : hub?.Online !== true
    const isSilent = rowItems.some(({ Kind }) => Kind === 'silent' || Kind === 'meterSilent')
    const isHubOnline = device
      ? status
        ? !isSettled(alarms.get(row.id), status)
        : reportsNothing(deviceType(device.PeripheralType))
      : true
    const isWatched = device ? !maintained.device(device) : !(hub && maintained.hub(hub))
    const isDeviceOn = status && device && !isOffline ? isOn(device.PeripheralType, status) : undefined
    const stateFlags: Record<ListState, boolean> = {
      alarm: rowItems.some(({ Severity }) => Severity === 'critical'),
      attention: rowItems.some(({ Severity }) => Severity !== 'info'),
      offline: isOffline,
      silent: isSilent,
      unknown: isWatched && (isOffline || isSilent || !isHubOnline),
      on: isDeviceOn === true,
      off: isDeviceOn === false,
    }
    const watts = status?.['Power']
    return {
      states: LIST_STATES.filter((state) => stateFlags[state]),
      watts: typeof watts === 'number' && !isOffline && !isSilent ? watts : undefined,
      reportedAt: device ? status?.Timestamp : (hub?.SeenAt ?? undefined),
    }
  }
  return new Map(rows.map((row) => [row.id, stateOf(row)]))
}
