import {
  applies,
  type Capability,
  type CommandValues,
} from '../../../contract/devices/capabilities/capability.ts'
import { fieldShape } from '../../../contract/devices/kinds/field-shape.ts'
import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import { isOn } from '../../domain/devices/row-states.ts'

/**
 * Current state of a group's devices.
 *
 * allOn, allOff  all are on or off; none is unknown
 * someOn         some are on, or all known ones are on and others are unknown
 * unknown        the state cannot be determined
 * reporting      devices of the type are neither on nor off; counts those that report
 */
export type GroupState = {
  kind: 'allOn' | 'allOff' | 'someOn' | 'unknown' | 'reporting'
  onCount: number
  offCount: number
  unknownCount: number
}

/** Status of one member; undefined if its hub is offline or it has not reported. */
export type MemberStatus = CommandValues | undefined

/** State of a group, from the last reports of its members (it is never stored). */
export function groupState(type: string, members: readonly MemberStatus[]): GroupState {
  const states = members.map((status) => isOn(type, status))
  const onCount = states.filter((one) => one === true).length
  const offCount = states.filter((one) => one === false).length
  const unknownCount = members.filter((status) => status === undefined).length
  if (unknownCount === members.length) return { kind: 'unknown', onCount, offCount, unknownCount }
  if (onCount + offCount === 0) return { kind: 'reporting', onCount, offCount, unknownCount }
  const missing = members.length - onCount - offCount
  const kind =
    onCount === 0 ? (missing > 0 ? 'unknown' : 'allOff') : offCount + missing > 0 ? 'someOn' : 'allOn'
  return { kind, onCount, offCount, unknownCount: missing }
}

/** Command that switches all relays of devices of a type; undefined for a type without relays. */
export function switchValues(
  type: string,
  status: MemberStatus,
  switchState: 0 | 1,
): CommandValues | undefined {
  const fields = (deviceType(type)?.capabilities ?? [])
    .filter((capability) => applies(capability, status))
    .flatMap((capability) =>
      Object.keys(capability.command).filter(
        (field) => field.startsWith('Switch') && fieldShape(capability, field).as === 'onOff',
      ),
    )
  return fields.length === 0 ? undefined : Object.fromEntries(fields.map((field) => [field, switchState]))
}

/** Cover capability of a type; undefined if it has none. */
export const coverOf = (type: string): Capability | undefined =>
  deviceType(type)?.capabilities.find(({ name }) => name === 'cover')
