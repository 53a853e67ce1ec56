import { applies, type Capability } from '../../../../contract/device-kinds/capability.ts'
import { choiceOf } from '../../../../contract/device-kinds/field-shape.ts'
import type { DeviceStatus } from '../../../../contract/device-kinds/status.ts'
import type { Peripheral } from '../../../../contract/resources/peripheral.ts'
import { breachesOf, type Breach } from '../../../../contract/rules/device/warning-threshold.ts'
import type { DeviceRow } from '../../../domain/device/device-rows.ts'

/** What a device says of itself that asks for somebody, e.g. smoke, or a full tank. */
export interface Trouble {
  capability: Capability
  field: string
  value: unknown
}

/** A device that needs somebody. */
export interface Warning {
  device: Peripheral
  /** An alarm; else a warning. */
  urgent: boolean
  troubles: readonly Trouble[]
  breaches: readonly Breach[]
}

/**
 * The devices of a home that need somebody: alarms before warnings, then by name.
 *
 * special  behind a hub that is offline nothing is known; an open door is no fault, and is counted elsewhere
 */
export function warningsOf(
  rows: readonly DeviceRow[],
  statusOf: (uid: string) => DeviceStatus | undefined,
): Warning[] {
  const found: Warning[] = []
  for (const { device, hub, type, id } of rows) {
    if (!device || !type || !hub?.Online) continue
    const status = statusOf(id)
    if (!status) continue
    let urgent = false
    const troubles: Trouble[] = []
    for (const capability of type.capabilities) {
      if (capability.name === 'door' || !capability.choices || !applies(capability, status)) continue
      for (const [field, choices] of Object.entries(capability.choices)) {
        const meaning = choiceOf(choices, status[field])?.[2]
        if (meaning !== 'alarm' && meaning !== 'warning') continue
        urgent ||= meaning === 'alarm'
        troubles.push({ capability, field, value: status[field] })
      }
    }
    const breaches = breachesOf(device.WarningThreshold, status)
    if (troubles.length > 0 || breaches.length > 0)
      found.push({ device, urgent: urgent || breaches.length > 0, troubles, breaches })
  }
  return found.sort(
    (a, b) =>
      Number(b.urgent) - Number(a.urgent) ||
      a.device.PeripheralName.localeCompare(b.device.PeripheralName, undefined, { numeric: true }),
  )
}
