import type {
  CommandValues,
  Capability,
  Question,
} from '../../../../contract/devices/capabilities/capability.ts'
import { deviceType } from '../../../../contract/devices/kinds/registry.ts'
import { SWITCHES_HIDDEN, type Peripheral } from '../../../../contract/devices/peripheral.ts'
import {
  type CommandView,
  commands,
  sendCommand,
  usePendingValues,
  useCommandFailure,
} from '../../../live/commands.ts'
import { useMay } from '../../../data/session.ts'
import { t, type TKey } from '../../../lib/i18n/i18n.ts'
import { confirm } from '../../../ui/page/dialogs.ts'

/** Note and button text of each confirmation. */
const DETAILS: Record<Question, { note: TKey; ok: TKey }> = {
  closeContact: { note: 'devices:confirm.contactNote', ok: 'devices:confirm.close' },
  openContact: { note: 'devices:confirm.contactNote', ok: 'devices:confirm.open' },
  soundSiren: { note: 'devices:confirm.sirenSoundNote', ok: 'devices:confirm.sound' },
  silenceSiren: { note: 'devices:confirm.sirenSilenceNote', ok: 'devices:confirm.silence' },
  moveGate: { note: 'devices:confirm.gateNote', ok: 'devices:confirm.move' },
}

/** Runs a command; asks for a confirmation first if it may hurt people or disturb many. */
export function confirmCommand(
  { needsConfirmation }: Pick<Capability, 'needsConfirmation'>,
  values: CommandValues,
  run: () => void,
): void {
  const question = needsConfirmation?.(values)
  if (!question) return run()
  confirm({
    title: t(`devices:confirm.${question}`),
    content: t(DETAILS[question].note),
    okText: t(DETAILS[question].ok),
    cancelText: t('screens:cancel'),
    okButtonProps: { danger: true },
    onOk: run,
  })
}

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
