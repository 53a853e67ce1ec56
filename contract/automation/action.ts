import { z } from 'zod'
import { GroupID, PeripheralUID, RoomID, SceneID } from '../kernel/scalars.ts'

/** Most actions of one scene or automation. */
export const MAX_ACTIONS = 100

/** Whether actions begin at once, or one after another. */
export const ORDERS = ['together', 'inOrder'] as const

/** Which devices of a room an action is for: its lights, or what heats, cools and airs it. */
export const ROOM_DEVICES = ['lights', 'climate'] as const
export type RoomDevices = (typeof ROOM_DEVICES)[number]

/** What becomes of an action whose hub is away: it fails, or is sent when the hub is back and the time for it is not over. */
export const IF_OFFLINE = ['fail', 'catchUp'] as const

/** Status fields to set, by name; each device type says which it takes (`parseCommandValues`). For a room, as `roomValues` takes them. */
const Values = z.record(z.string().max(64), z.unknown())

const fields = {
  PeripheralUID: PeripheralUID.optional(),
  GroupID: GroupID.optional(),
  RoomID: RoomID.optional(),
  Only: z.enum(ROOM_DEVICES).optional(),
  Values: Values.optional(),
  /** Seconds to wait: from the beginning of the run, or in order after the action before. */
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

/** Exactly one target, values unless it is a scene, and of a room which of its devices. */
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

/** One thing that a scene does: a device, a group, or the lights or climate of a room is set. The room's devices are those at the run. */
export const DeviceAction = z.strictObject(fields).superRefine(checkTarget)
export type DeviceAction = z.output<typeof DeviceAction>

/** One thing that an automation does: as of a scene, or a scene as a whole. */
export const Action = z.strictObject({ ...fields, SceneID: SceneID.optional() }).superRefine(checkTarget)
export type Action = z.output<typeof Action>

/** What an action is for, told apart. */
export type Target =
  | { kind: 'device'; PeripheralUID: string }
  | { kind: 'group'; GroupID: string }
  | { kind: 'room'; RoomID: number; Only: RoomDevices }
  | { kind: 'scene'; SceneID: string }

/** What a parsed action is for. */
export function targetOf(action: GivenAction): Target {
  if (action.PeripheralUID !== undefined) return { kind: 'device', PeripheralUID: action.PeripheralUID }
  if (action.GroupID !== undefined) return { kind: 'group', GroupID: action.GroupID }
  if (action.SceneID !== undefined) return { kind: 'scene', SceneID: action.SceneID }
  return { kind: 'room', RoomID: action.RoomID as number, Only: action.Only as RoomDevices }
}
