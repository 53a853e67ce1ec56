import { COVER_STATES } from '../../../contract/devices/capabilities/cover.ts'
import type { ThermostatNode } from '../../../contract/devices/capabilities/thermostat.ts'
import {
  applies,
  type CapabilityName,
  type CommandValues,
} from '../../../contract/devices/capabilities/capability.ts'
import { choiceOf, fieldShape } from '../../../contract/devices/kinds/field-shape.ts'
import { deviceType } from '../../../contract/devices/kinds/registry.ts'

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
