import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { deviceType } from '../../../../contract/devices/kinds/registry.ts'
import { SWITCHES_HIDDEN, type Peripheral } from '../../../../contract/devices/peripheral.ts'
import type { CommandView } from '../../../live/commands.ts'
import { commands, sendCommand, usePendingValues, useCommandFailure } from '../../../live/commands.ts'
import { useMay } from '../../../data/session.ts'
import { confirmCommand } from './ask-first.ts'

export interface DeviceControl {
  /** Undefined if the user may not control the device or its control mode hides the switches. */
  send: ((values: CommandValues) => void) | undefined
  /** Requested values that the device has not reported yet. */
  pending: CommandValues | undefined
  /** The last command, if it failed. */
  failed: CommandView | undefined
  retry: () => void
  dismiss: () => void
}

/** Control of a device: sends commands, tracks the last one, and retries a failed one, with a confirmation if it may hurt people. */
export function useDeviceControl(device: Peripheral): DeviceControl {
  const may = useMay('device_control', 'Control')
  const failed = useCommandFailure(device.PeripheralUID)
  const capability =
    deviceType(device.PeripheralType)?.capabilities.find(({ needsConfirmation }) => needsConfirmation) ?? {}
  const send = (values: CommandValues) => void sendCommand(device.HomeID, device.PeripheralUID, values)
  return {
    send: may && device.ControlMode !== SWITCHES_HIDDEN ? send : undefined,
    pending: usePendingValues(device.PeripheralUID),
    failed,
    retry: () => failed && confirmCommand(capability, failed.Values, () => send(failed.Values)),
    dismiss: () => commands.dismiss(device.PeripheralUID),
  }
}
