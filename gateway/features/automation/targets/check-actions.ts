import { parseCommandValues } from '../../../../contract/devices/kinds/status.ts'
import { fieldErrors } from '../../../../contract/kernel/envelope.ts'
import type { FieldReason } from '../../../../contract/kernel/reasons.ts'
import type { ModbusRow } from '../../../../contract/devices/modbus/modbus-table.ts'
import { type Action, targetOf } from '../../../../contract/automation/action.ts'
import { commonPaths } from '../../../../contract/devices/status-order.ts'
import { settleValue } from '../../../../contract/devices/modbus/modbus-values.ts'
import { parseRoomValues } from '../../../../contract/devices/room-values.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import type { Db } from '../../../kernel/db.ts'
import { stepsOf, loadTargets, type LoadedTargets } from './targets.ts'

type Problems = Record<string, FieldReason>

/**
 * Checks that actions name existing things of the home with valid values, and set no field of a device twice. The devices of a
 * room may change, so only two actions on the same devices of one room are rejected.
 *
 * known   present actions; an unchanged one may name a deleted device
 * path    path of the list in the input, for the fields of errors
 * errors  NOT_FOUND with notFound; INVALID with notControllable, noSuchField, taken and the reasons of values
 */
export async function checkActions(
  db: Db,
  home: { tenant: string; homeId: string },
  actions: readonly Action[],
  { known = [], path = 'Actions' }: { known?: readonly Action[]; path?: string } = {},
): Promise<void> {
  const targets = await loadTargets(db, home, actions)
  const old = new Set(known.map((action) => JSON.stringify(sorted(action))))
  const missing: Problems = {}
  const problems: Problems = {}
  actions.forEach((action, i) => {
    const field = missingTarget(action, targets)
    if (field !== undefined) {
      if (!old.has(JSON.stringify(sorted(action)))) missing[`${path}.${i}.${field}`] = 'notFound'
    } else
      for (const [at, reason] of Object.entries(wrongValues(action, targets)))
        problems[`${path}.${i}.${at}`] = reason
  })
  if (Object.keys(missing).length > 0)
    throw new GatewayError('NOT_FOUND', 'An action is for something that does not exist', missing)
  Object.assign(problems, duplicateFields(actions, targets, path))
  if (Object.keys(problems).length > 0)
    throw new GatewayError('INVALID', 'An action cannot be carried out', problems)
}

/** Keys in a fixed order, so that equal actions have equal text. */
const sorted = (action: Action) => Object.entries(action).toSorted(([a], [b]) => (a < b ? -1 : 1))

function missingTarget(
  action: Action,
  { devices, groups, rooms, scenes }: LoadedTargets,
): string | undefined {
  const target = targetOf(action)
  if (target.kind === 'device') return devices.has(target.PeripheralUID) ? undefined : 'PeripheralUID'
  if (target.kind === 'group') return groups.has(target.GroupID) ? undefined : 'GroupID'
  if (target.kind === 'scene') return scenes.has(target.SceneID) ? undefined : 'SceneID'
  return rooms.has(target.RoomID) ? undefined : 'RoomID'
}

function wrongValues(action: Action, targets: LoadedTargets): Problems {
  const target = targetOf(action)
  if (target.kind === 'scene') return {}
  const prefixed = (error: Parameters<typeof fieldErrors>[0]): Problems => {
    const { '': whole, ...fields } = fieldErrors(error)
    // The reason for the whole is given only if no field has a reason.
    if (Object.keys(fields).length === 0) return { Values: whole ?? 'invalid' }
    return Object.fromEntries(
      Object.entries(fields).map(([field, reason]) => [
        `Values.${field}`,
        reason === 'unknown' ? 'noSuchField' : reason,
      ]),
    )
  }
  if (target.kind === 'room') {
    const parsed = parseRoomValues(target.Only, action.Values)
    return parsed.success ? {} : prefixed(parsed.error)
  }
  const device = target.kind === 'device' ? targets.devices.get(target.PeripheralUID) : undefined
  const type =
    device?.type ?? (target.kind === 'group' ? targets.groups.get(target.GroupID)?.type : undefined)
  const parsed = parseCommandValues(type ?? '', action.Values)
  if (!parsed) return { [target.kind === 'group' ? 'GroupID' : 'PeripheralUID']: 'notControllable' }
  if (!parsed.success) return prefixed(parsed.error)
  const registers = parsed.data['ModbusValues'] as Record<string, number> | undefined
  const members = target.kind === 'group' ? (targets.groups.get(target.GroupID)?.uids ?? []) : []
  const reason =
    registers &&
    [device, ...members.map((uid) => targets.devices.get(uid))]
      .filter((one) => one !== undefined)
      .map(({ modbusRows }) => wrongRegister(modbusRows ?? [], registers))
      .find((one) => one !== undefined)
  return reason ? { 'Values.ModbusValues': reason } : {}
}

/** Reason why registers cannot be written, by the device's Modbus table; undefined if they can. */
function wrongRegister(
  rows: readonly ModbusRow[],
  registers: Readonly<Record<string, number>>,
): FieldReason | undefined {
  for (const [key, value] of Object.entries(registers)) {
    const row = rows.find(({ Key, Access }) => Key === key && Access === 'rw')
    if (!row) return 'noSuchField'
    if (row.Min !== null && value < row.Min) return 'tooSmall'
    if (row.Max !== null && value > row.Max) return 'tooBig'
    if (settleValue(row, value) === undefined) return 'invalid'
  }
  return undefined
}

/** Fields that two actions set, reported at the later one. */
function duplicateFields(actions: readonly Action[], targets: LoadedTargets, path: string): Problems {
  const duplicates: Problems = {}
  const steps = stepsOf(actions, targets).filter(({ byRoom }) => !byRoom)
  for (const [j, laterStep] of steps.entries())
    for (const earlier of steps.slice(0, j)) {
      if (earlier.action === laterStep.action || earlier.uid !== laterStep.uid) continue
      for (const [field, value] of Object.entries(laterStep.values))
        if (commonPaths(earlier.values, { [field]: value })) {
          const at = actions[laterStep.action]?.SceneID === undefined ? `Values.${field}` : 'SceneID'
          duplicates[`${path}.${laterStep.action}.${at}`] = 'taken'
        }
    }
  actions.forEach(({ RoomID, Only, Values }, j) => {
    const isTwice = actions
      .slice(0, j)
      .some(
        (other) =>
          RoomID !== undefined &&
          other.RoomID === RoomID &&
          other.Only === Only &&
          commonPaths(other.Values ?? {}, Values ?? {}),
      )
    if (isTwice) duplicates[`${path}.${j}.RoomID`] = 'taken'
  })
  return duplicates
}
