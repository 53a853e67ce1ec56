import { useQuery } from '@tanstack/react-query'
import { type Firmware, type OtaDevice, ota } from '../../../contract/devices/ota-calls.ts'
import { compareVersions } from '../../../contract/devices/firmware-version.ts'
import { callQuery } from '../../data/api.ts'
import { useMay } from '../../data/session.ts'

/** Firmware versions for a kind of device, newest first. */
export const versionsFor = (firmwares: readonly Firmware[], target: string): Firmware[] =>
  firmwares
    .filter(({ Target }) => Target === target)
    .sort((a, b) => compareVersions(b.FirmwareVersion, a.FirmwareVersion))

/** Whether a device accepts a version: one newer than its own, or any if its own is unknown. */
export const acceptsVersion = (
  { FirmwareVersion }: Pick<OtaDevice, 'FirmwareVersion'>,
  version: string,
): boolean => FirmwareVersion === null || compareVersions(version, FirmwareVersion) > 0

/** Newest version that a device accepts; undefined if it is up to date or the library has none. */
export function updateFor(
  device: Pick<OtaDevice, 'Target' | 'FirmwareVersion'>,
  firmwares: readonly Firmware[],
): Firmware | undefined {
  const [newest] = versionsFor(firmwares, device.Target)
  return newest && acceptsVersion(device, newest.FirmwareVersion) ? newest : undefined
}

/** Whether a device has an update in progress. */
export const isUpdating = ({ Update }: Pick<OtaDevice, 'Update'>): boolean =>
  Update !== null && Update.SettledAt === null

/** Unique key of a hub or device, for lists and selections. */
export const deviceKey = ({
  ThingName,
  PeripheralUID,
}: Pick<OtaDevice, 'ThingName' | 'PeripheralUID'>): string => `${ThingName}/${PeripheralUID ?? ''}`

/** Hub or device whose firmware is shown. */
export interface FirmwareOf {
  homeId: string
  thingName: string
  /** Null for the hub itself. */
  peripheralUid: string | null
}

/** Polling interval while a job is in progress, for users who may not subscribe (§6: Control on ota), ms. */
const POLL_INTERVAL_MS = 10_000

/** Firmware versions, devices and updates of a home, updated live or, without that right, by polling. */
export function useOta(homeId: string, enabled = true) {
  const live = useMay('ota', 'Control')
  return useQuery({
    ...callQuery(ota.getAllOta, { HomeID: homeId }),
    enabled: enabled && homeId !== '',
    refetchInterval: ({ state }) =>
      !live && state.data?.Jobs.some(({ EndedAt }) => EndedAt === null) ? POLL_INTERVAL_MS : false,
  })
}
