import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { deviceType } from '../../../../contract/devices/kinds/registry.ts'
import { SWITCHES_HIDDEN, type Peripheral } from '../../../../contract/devices/peripheral.ts'

const RELAY = /^Switch[1-3]?$/

type Device = Pick<Peripheral, 'PeripheralType' | 'ControlMode'>

const relaysOf = ({ PeripheralType }: Device): string[] =>
  (deviceType(PeripheralType)?.capabilities ?? []).flatMap(({ command }) =>
    Object.keys(command).filter((field) => RELAY.test(field)),
  )

/**
 * Command that switches every relay of a device on or off.
 *
 * returns  the values, or the reason there are none: a key of `lists:results`
 */
export function switchValues(device: Device, on: boolean): CommandValues | 'cannotSwitch' | 'hidden' {
  const relays = relaysOf(device)
  if (relays.length === 0) return 'cannotSwitch'
  if (device.ControlMode === SWITCHES_HIDDEN) return 'hidden'
  return Object.fromEntries(relays.map((relay) => [relay, on ? 1 : 0]))
}

/** Whether switching may start or stop a machine, so that the user must confirm (experience, Devices 8). */
export const mayMoveMachines = (device: Device): boolean =>
  typeof switchValues(device, true) === 'object' &&
  (deviceType(device.PeripheralType)?.capabilities ?? []).some(
    ({ name, needsConfirmation, command }) =>
      (name === 'dryContact' || needsConfirmation) && 'Switch' in command,
  )
