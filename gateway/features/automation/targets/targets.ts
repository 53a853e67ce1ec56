import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { Scene, SceneProblem } from '../../../../contract/automation/scene.ts'
import type { ModbusRow } from '../../../../contract/devices/modbus/modbus-table.ts'
import { SWITCHES_HIDDEN } from '../../../../contract/devices/peripheral.ts'
import { type Action, targetOf } from '../../../../contract/automation/action.ts'
import { type Db, named, sql } from '../../../kernel/db.ts'
import type { AutomationProblem } from '../../../../contract/automation/automation.ts'
import { commonPaths } from '../../../../contract/devices/status-order.ts'
import { parseRoomValues, roomValues } from '../../../../contract/devices/room-values.ts'

export interface TargetDevice {
  uid: string
  type: string
  thingName: string | null
  roomId: number
  /** Whether its hub is connected. */
  online: boolean
  /** Present status; null before the first report. */
  status: CommandValues | null
  modbusRows: ModbusRow[] | null
  switchesHidden: boolean
}

type SceneOfRule = Pick<Scene, 'Actions' | 'Order' | 'StopOnFailure' | 'SceneName'>

/** Everything that actions of a home name, as stored now. An id missing from a map does not exist in this home. */
export interface LoadedTargets {
  devices: ReadonlyMap<string, TargetDevice>
  groups: ReadonlyMap<string, { type: string; uids: readonly string[] }>
  /** Devices by room; empty for a room without devices. */
  rooms: ReadonlyMap<number, readonly string[]>
  scenes: ReadonlyMap<string, SceneOfRule>
}

const namesIn = <K extends 'PeripheralUID' | 'GroupID' | 'RoomID' | 'SceneID'>(
  actions: readonly Action[],
  field: K,
): NonNullable<Action[K]>[] => [
  ...new Set(actions.flatMap((action) => (action[field] === undefined ? [] : [action[field]]))),
]

/** Loads what actions name, in at most four statements. */
export async function loadTargets(
  db: Db,
  { tenant, homeId }: { tenant: string; homeId: string },
  actions: readonly Action[],
): Promise<LoadedTargets> {
  const sceneIds = namesIn(actions, 'SceneID')
  const sceneRows =
    sceneIds.length === 0
      ? []
      : await db.query<{ id: string } & SceneOfRule>(sql`
          select scene_id as id, actions as "Actions", action_order as "Order", stop_on_failure as "StopOnFailure",
            scene_name as "SceneName" from scenes
          where tenant = ${tenant} and home_id = ${homeId} and scene_id = any(${sceneIds})`)
  const all = [...actions, ...sceneRows.flatMap(({ Actions }) => Actions)]
  const groupIds = namesIn(all, 'GroupID')
  const groupRows =
    groupIds.length === 0
      ? []
      : await db.query<{ id: string; type: string; uids: string[] }>(sql`
          select g.group_id as id, g.group_type as type, coalesce((select json_agg(m.peripheral_uid order by m.place)
            from group_members m where m.tenant = g.tenant and m.group_id = g.group_id), '[]') as uids
          from groups g where g.tenant = ${tenant} and g.home_id = ${homeId} and g.group_id = any(${groupIds})`)
  const roomIds = namesIn(all, 'RoomID')
  const roomRows =
    roomIds.length === 0
      ? []
      : await db.query<{ id: number }>(sql`select room_id as id from rooms
          where tenant = ${tenant} and home_id = ${homeId} and room_id = any(${roomIds}::int[])`)
  const devices = await loadDevices(
    db,
    { tenant, homeId },
    {
      uids: [...namesIn(all, 'PeripheralUID'), ...groupRows.flatMap(({ uids }) => uids)],
      roomIds,
    },
  )
  return {
    devices: new Map(devices.map((device) => [device.uid, device])),
    groups: new Map(groupRows.map(({ id, ...group }) => [id, group])),
    rooms: new Map(
      roomRows.map(({ id }) => [id, devices.filter(({ roomId }) => roomId === id).map(({ uid }) => uid)]),
    ),
    scenes: new Map(sceneRows.map(({ id, ...scene }) => [id, scene])),
  }
}

/** Devices of a home by their ids and rooms, with their status. */
export async function loadDevices(
  db: Db,
  { tenant, homeId }: { tenant: string; homeId: string },
  { uids, roomIds = [] }: { uids: readonly string[]; roomIds?: readonly number[] },
): Promise<TargetDevice[]> {
  if (uids.length + roomIds.length === 0) return []
  const rows = await db.query<Omit<TargetDevice, 'switchesHidden'> & { mode: number }>(
    named(
      'automation-devices',
      sql`
    select p.peripheral_uid as uid, p.peripheral_type as type, p.thing_name as "thingName", p.room_id as "roomId",
      coalesce(t.online, false) as online, s.values as status, m.rows as "modbusRows", p.control_mode as mode
    from peripherals p
      left join things t on t.thing_name = p.thing_name
      left join modbus_tables m on m.tenant = p.tenant and m.modbus_table_id = p.modbus_table_id
      left join device_status s on s.tenant = p.tenant and s.peripheral_uid = p.peripheral_uid
    where p.tenant = ${tenant} and p.home_id = ${homeId}
      and (p.peripheral_uid = any(${[...uids]}) or p.room_id = any(${[...roomIds]}::int[]))
    order by p.peripheral_uid`,
    ),
  )
  return rows.map(({ mode, ...device }) => ({ ...device, switchesHidden: mode === SWITCHES_HIDDEN }))
}

/** A target of an action that its home does not have, and the field of the action that names it, directly or through a scene. */
interface MissingActionTarget {
  field: 'PeripheralUID' | 'GroupID' | 'SceneID' | 'RoomID'
  Reason: Extract<AutomationProblem['Reason'], 'deviceGone' | 'groupGone' | 'sceneGone' | 'roomGone'>
  Subject: string
}

/** Missing target of an action; for a scene, also the first missing one in it. Undefined if none is missing. */
export function findMissingActionTarget(
  action: Action,
  targets: LoadedTargets,
): MissingActionTarget | undefined {
  const target = targetOf(action)
  if (target.kind !== 'scene') return missingReasonOf(action, targets)
  const scene = targets.scenes.get(target.SceneID)
  if (!scene) return { field: 'SceneID', Reason: 'sceneGone', Subject: target.SceneID }
  const problem = sceneProblem(scene.Actions, targets)
  return problem && { field: 'SceneID', ...problem }
}

/** First missing target of a scene's actions. */
export function sceneProblem(actions: readonly Action[], targets: LoadedTargets): SceneProblem | undefined {
  for (const action of actions) {
    const reason = missingReasonOf(action, targets)
    if (reason) return { Reason: reason.Reason, Subject: reason.Subject }
  }
  return undefined
}

function missingReasonOf(
  action: Action,
  { devices, groups, rooms }: LoadedTargets,
): (Omit<MissingActionTarget, 'Reason'> & { Reason: SceneProblem['Reason'] }) | undefined {
  const target = targetOf(action)
  if (target.kind === 'device')
    return devices.has(target.PeripheralUID)
      ? undefined
      : { field: 'PeripheralUID', Reason: 'deviceGone', Subject: target.PeripheralUID }
  // A group without devices counts as missing.
  if (target.kind === 'group')
    return groups.get(target.GroupID)?.uids.length
      ? undefined
      : { field: 'GroupID', Reason: 'groupGone', Subject: target.GroupID }
  if (target.kind === 'scene' || rooms.has(target.RoomID)) return undefined
  return { field: 'RoomID', Reason: 'roomGone', Subject: String(target.RoomID) }
}

/** One device that an action sets. */
export interface DeviceStep {
  action: number
  uid: string
  values: CommandValues
  after: number
  ifOffline: Action['IfOffline']
  /** Named only through its room; an action that names the device or its group takes precedence. */
  byRoom: boolean
  /** Execution order and failure handling of the scene that contains the step; only for scenes that an automation runs. */
  scene?: Pick<Scene, 'Order' | 'StopOnFailure'>
}

/**
 * Device steps of actions by the present groups, rooms and scenes, in the order of the actions. A deleted device keeps its step,
 * which then fails; a deleted group, room or scene has none. Of two steps that set a common field, one that names its device
 * takes precedence over one that names a room; otherwise the later one does.
 */
export function expandActions(actions: readonly Action[], targets: LoadedTargets): DeviceStep[] {
  const steps = stepsOf(actions, targets)
  return steps.filter(
    (step, i) =>
      !steps.some(
        (other, j) =>
          i !== j &&
          other.uid === step.uid &&
          (other.byRoom === step.byRoom ? j > i : step.byRoom) &&
          commonPaths(other.values, step.values),
      ),
  )
}

/** All device steps, including those that another one overrides. */
export const stepsOf = (actions: readonly Action[], targets: LoadedTargets): DeviceStep[] =>
  actions.flatMap((action, i) => stepsOfAction(action, targets).map((step) => ({ ...step, action: i })))

function stepsOfAction(action: Action, targets: LoadedTargets): Omit<DeviceStep, 'action'>[] {
  const target = targetOf(action)
  const common = { after: action.After, ifOffline: action.IfOffline }
  const values = action.Values ?? {}
  switch (target.kind) {
    case 'device':
      return [{ uid: target.PeripheralUID, values, ...common, byRoom: false }]
    case 'group':
      return (targets.groups.get(target.GroupID)?.uids ?? []).map((uid) => ({
        uid,
        values,
        ...common,
        byRoom: false,
      }))
    case 'scene': {
      const scene = targets.scenes.get(target.SceneID)
      if (!scene) return []
      // In an ordered scene, the other steps wait for the first anyway.
      return stepsOf(scene.Actions, targets).map(({ after, ...step }, i) => ({
        ...step,
        after: scene.Order === 'inOrder' && i > 0 ? after : after + action.After,
        scene: { Order: scene.Order, StopOnFailure: scene.StopOnFailure },
      }))
    }
    case 'room': {
      const parsed = parseRoomValues(target.Only, values)
      if (!parsed.success) return []
      return (targets.rooms.get(target.RoomID) ?? []).flatMap((uid) => {
        const device = targets.devices.get(uid)
        if (!device || device.switchesHidden) return []
        const set = roomValues(target.Only, parsed.data, {
          PeripheralType: device.type,
          status: device.status,
        })
        return set ? [{ uid, values: set, ...common, byRoom: true }] : []
      })
    }
  }
}
