import type { CommandValues } from '../../../contract/devices/capabilities/capability.ts'
import type { Command } from '../../../contract/devices/command-calls.ts'
import type { Peripheral, PeripheralKey } from '../../../contract/devices/peripheral.ts'
import type { SignedIn } from '../../kernel/context.ts'

export interface CameraPorts {
  devices: {
    /** Reads a device and locks it until the transaction ends. Errors: NOT_FOUND. */
    lock(key: PeripheralKey, context: SignedIn): Promise<Peripheral>
    add(
      input: Pick<Peripheral, 'HomeID' | 'RoomID'> & {
        Peripherals: { PeripheralUID: string; PeripheralName: string }[]
      },
      context: SignedIn,
    ): Promise<Peripheral[]>
    remove(key: PeripheralKey, context: SignedIn): Promise<PeripheralKey>
  }
  /** Sends a command to a device; rejections are states of the command. */
  sendCommand(request: {
    tenant: string
    homeId: string
    RequestID: string
    PeripheralUID: string
    Values: CommandValues
    /** Time of the request, epoch ms. */
    at: number
    source: 'person'
    by: string
  }): Promise<Command>
}
