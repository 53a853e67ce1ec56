import type { Peripheral, PeripheralKey } from '../../../contract/devices/peripheral.ts'
import type { SignedIn } from '../../kernel/context.ts'

export interface PicturedDevices {
  /** Reads a device and locks it until the transaction ends. Errors: NOT_FOUND. */
  lockPeripheral(key: PeripheralKey, context: SignedIn): Promise<Peripheral>
  /** Deletes the device's picture after the change commits. */
  deletePicture(device: Pick<Peripheral, 'PeripheralImageUrl'>, context: Pick<SignedIn, 'emit'>): void
}
