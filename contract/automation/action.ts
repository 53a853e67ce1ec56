import { z } from 'zod'
import { ROOM_DEVICES, type RoomDevices } from '../devices/room-devices.ts'
import { GroupID, PeripheralUID, RoomID, SceneID } from '../kernel/scalars.ts'
import type { ThermostatNode } from '../devices/capabilities/thermostat.ts'

export const MAX_ACTIONS = 100

export const ORDERS = ['together', 'inOrder'] as const

/** Handling of an action whose hub is offline: fail, or send it when the hub reconnects in time. */
const IF_OFFLINE = ['fail', 'catchUp'] as const

/**
 * Status fields to set, by name, as the device type accepts them (`parseCommandValues`); for a room, as `roomValues` accepts them.
 */
const Values = z.record(z.string().max(64), z.unknown())

const fields = {
  PeripheralUID: PeripheralUID.optional(),
  GroupID: GroupID.optional(),
  RoomID: RoomID.optional(),
  Only: z.enum(ROOM_DEVICES).optional(),
  Values: Values.optional(),
  /** Delay in seconds: after the start of the run, or with inOrder after the previous action. */
  After: z.number().int().min(0, 'tooSmall').max(300, 'tooBig').default(0),
  IfOffline: z.enum(IF_OFFLINE).default('fail'),
}

interface GivenAction {
  PeripheralUID?: string | undefined
  GroupID?: string | undefined
  RoomID?: number | undefined
  Only?: RoomDevices | undefined
  SceneID?: string | undefined
  Values?: Record<string, unknown> | undefined
}

/** Requires exactly one target, values unless the target is a scene, and `Only` for a room. */
function checkTarget(action: GivenAction, context: z.RefinementCtx): void {
  const targets = (['PeripheralUID', 'GroupID', 'RoomID', 'SceneID'] as const).filter(
    (name) => action[name] !== undefined,
  )
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message })
  if (targets.length !== 1) refuse(targets[1] ?? 'PeripheralUID', targets.length ? 'invalid' : 'required')
  if ((action.RoomID !== undefined) !== (action.Only !== undefined))
    refuse('Only', action.Only === undefined ? 'required' : 'invalid')
  if (action.SceneID !== undefined) {
    if (action.Values) refuse('Values', 'invalid')
  } else if (!action.Values || Object.keys(action.Values).length === 0) refuse('Values', 'required')
}

/** Action of a scene: sets a device, a group, or the lights or climate of a room. The room's devices are resolved at the run. */
export const DeviceAction = z.strictObject(fields).superRefine(checkTarget)

/** Action of an automation: like one of a scene, or runs a scene. */
export const Action = z.strictObject({ ...fields, SceneID: SceneID.optional() }).superRefine(checkTarget)
export type Action = z.output<typeof Action>

export type Target =
  | { kind: 'device'; PeripheralUID: string }
  | { kind: 'group'; GroupID: string }
  | { kind: 'room'; RoomID: number; Only: RoomDevices }
  | { kind: 'scene'; SceneID: string }

export function targetOf(action: GivenAction): Target {
  if (action.PeripheralUID !== undefined) return { kind: 'device', PeripheralUID: action.PeripheralUID }
  if (action.GroupID !== undefined) return { kind: 'group', GroupID: action.GroupID }
  if (action.SceneID !== undefined) return { kind: 'scene', SceneID: action.SceneID }
  return { kind: 'room', RoomID: action.RoomID as number, Only: action.Only as RoomDevices }
}

/** Field that is set at a device, with its value; the path is that of conditions, e.g. `ThermostatTable.3.TargetTemperature`. */
export interface SetField {
  PeripheralUID: string
  path: string
  value: unknown
}

/** Values that an action sets at one device, after groups, rooms and scenes are expanded. */
export interface DeviceValues {
  PeripheralUID: string
  Values: Readonly<Record<string, unknown>>
}

/** Expands values to single fields; each field of a zone and each register is one. */
export function setFieldsOf({ PeripheralUID, Values }: DeviceValues): SetField[] {
  return Object.entries(Values).flatMap(([field, value]): SetField[] => {
    const set = (path: string, one: unknown) => ({ PeripheralUID, path: `${field}.${path}`, value: one })
    if (field === 'ThermostatTable' && Array.isArray(value))
      return (value as ThermostatNode[]).flatMap(({ NodeID, ...zone }) =>
        Object.entries(zone).map(([name, one]) => set(`${NodeID}.${name}`, one)),
      )
    if (field === 'ModbusValues' && value !== null && typeof value === 'object')
      return Object.entries(value).map(([key, one]) => set(key, one))
    return [{ PeripheralUID, path: field, value }]
  })
}
