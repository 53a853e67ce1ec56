import type { Firmware, OtaDevice } from '../../../contract/devices/ota-calls.ts'
import { compareVersions } from '../../../contract/devices/firmware-version.ts'

/** The versions of the library for a kind of device, newest first. */
export const versionsFor = (firmwares: readonly Firmware[], target: string): Firmware[] =>
  firmwares
    .filter(({ Target }) => Target === target)
    .sort((a, b) => compareVersions(b.FirmwareVersion, a.FirmwareVersion))

/** Whether a device would take this version: a newer one than it runs, or any while its own is not known. */
export const takes = ({ FirmwareVersion }: Pick<OtaDevice, 'FirmwareVersion'>, version: string): boolean =>
  FirmwareVersion === null || compareVersions(version, FirmwareVersion) > 0

/** The newest version a device would take, or undefined when it is up to date or the library has none. */
export function updateFor(
  device: Pick<OtaDevice, 'Target' | 'FirmwareVersion'>,
  firmwares: readonly Firmware[],
): Firmware | undefined {
  const [newest] = versionsFor(firmwares, device.Target)
  return newest && takes(device, newest.FirmwareVersion) ? newest : undefined
}

/** Whether a device has an update that has not ended. */
export const isUpdating = ({ Update }: Pick<OtaDevice, 'Update'>): boolean =>
  Update !== null && Update.SettledAt === null

/** A hub or device as one word, for lists and selections. */
export const deviceKey = ({
  ThingName,
  PeripheralUID,
}: Pick<OtaDevice, 'ThingName' | 'PeripheralUID'>): string => `${ThingName}/${PeripheralUID ?? ''}`
