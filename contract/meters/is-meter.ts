import { capabilityOf, deviceType } from '../devices/kinds/registry.ts'
import type { DeviceStatus } from '../devices/kinds/status.ts'

/** Whether a device measures energy; a Modbus device does once it has reported a counter. */
export const isMeter = (
  { PeripheralType }: { PeripheralType: string },
  status: DeviceStatus | undefined,
): boolean =>
  capabilityOf(PeripheralType, 'meter') !== undefined &&
  (deviceType(PeripheralType)?.category !== 'ModBus' || status?.['AccumulatePower'] !== undefined)
