import type { Peripheral, PeripheralKey } from '../../../contract/devices/peripheral.ts'
import type { SignedIn } from '../../kernel/context.ts'

/** What pictures of devices need of these. */
export interface PicturedDevices {
  /** The device as it is, held against others until the transaction ends. Errors: NOT_FOUND. */
  hold(key: PeripheralKey, context: SignedIn): Promise<Peripheral>
  /** The device's picture goes once the change is committed. */
  dropPicture(device: Pick<Peripheral, 'PeripheralImageUrl'>, context: Pick<SignedIn, 'emit'>): void
}
