import {
  applies,
  type Capability,
  type CommandValues,
} from '../../../contract/devices/capabilities/capability.ts'
import { fieldShape } from '../../../contract/devices/kinds/field-shape.ts'
import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import { isOn } from '../../domain/devices/is-on.ts'

/**
 * What a group's devices are like now.
 *
 * allOn, allOff  every one of them; none of them unknown
 * someOn         some are, among those that are known, or all that are known while others are not
 * unknown        of none it is known
 * reporting      of a type that is neither on nor off: how many report
 */
export type GroupState = {
  kind: 'allOn' | 'allOff' | 'someOn' | 'unknown' | 'reporting'
  on: number
  off: number
  unknown: number
}

/** What is known of one member: undefined for one whose hub is away or that has not reported. */
export type MemberStatus = CommandValues | undefined

/** The state of a group, from what its members last reported (it is never stored). */
export function groupState(type: string, members: readonly MemberStatus[]): GroupState {
  const states = members.map((status) => isOn(type, status))
  const on = states.filter((one) => one === true).length
  const off = states.filter((one) => one === false).length
  const unknown = members.filter((status) => status === undefined).length
  if (unknown === members.length) return { kind: 'unknown', on, off, unknown }
  if (on + off === 0) return { kind: 'reporting', on, off, unknown }
  const missing = members.length - on - off
  const kind = on === 0 ? (missing > 0 ? 'unknown' : 'allOff') : off + missing > 0 ? 'someOn' : 'allOn'
  return { kind, on, off, unknown: missing }
}

/** What switches devices of a type on or off: all of their relays; undefined for a type without any. */
export function switchValues(type: string, status: MemberStatus, on: 0 | 1): CommandValues | undefined {
  const fields = (deviceType(type)?.capabilities ?? [])
    .filter((capability) => applies(capability, status))
    .flatMap((capability) =>
      Object.keys(capability.command).filter(
        (field) => field.startsWith('Switch') && fieldShape(capability, field).as === 'onOff',
      ),
    )
  return fields.length === 0 ? undefined : Object.fromEntries(fields.map((field) => [field, on]))
}

/** What moves devices of a type; undefined for a type that does not move. */
export const coverOf = (type: string): Capability | undefined =>
  deviceType(type)?.capabilities.find(({ name }) => name === 'cover')
