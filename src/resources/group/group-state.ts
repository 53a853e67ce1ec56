import { COVER_STATES } from '../../../contract/device-kinds/capabilities/cover.ts'
import type { ThermostatNode } from '../../../contract/device-kinds/capabilities/thermostat.ts'
import {
  applies,
  type Capability,
  type CapabilityName,
  type CommandValues,
} from '../../../contract/device-kinds/capability.ts'
import { choiceOf, fieldShape } from '../../../contract/device-kinds/field-shape.ts'
import { deviceType } from '../../../contract/device-kinds/registry.ts'

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

/** Whether a device is on in any respect; undefined where it says neither. */
function isOn(type: string, status: MemberStatus): boolean | undefined {
  let known: boolean | undefined
  for (const capability of deviceType(type)?.capabilities ?? [])
    if (applies(capability, status)) {
      const own = OWN[capability.name]?.(status)
      if (own === true) return true
      known ??= own
      if (capability.name in OWN) continue
      for (const field of Object.keys(capability.status)) {
        const value = status?.[field]
        const shape = fieldShape(capability, field)
        if (value === undefined) continue
        if (shape.as === 'onOff') {
          if (value === 1) return true
          known ??= false
        } else if (shape.as === 'choice' && shape.choices.some(([, , meaning]) => meaning === 'on')) {
          if (choiceOf(shape.choices, value)?.[2] === 'on') return true
          known ??= false
        }
      }
    }
  return known
}

/** Capabilities that are on or off by more than a field: a cover that is not closed, a thermostat of which a zone is on. */
const OWN: Partial<Record<CapabilityName, (status: MemberStatus) => boolean | undefined>> = {
  cover: (status) => {
    const stands = choiceOf(COVER_STATES, status?.['CoverState'])
    return stands && stands[1] !== 'coverClosed'
  },
  thermostat: (status) => {
    const zones = status?.['ThermostatTable'] as readonly ThermostatNode[] | undefined
    return zones && zones.length > 0 ? zones.some(({ Switch }) => Switch === 1) : undefined
  },
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
