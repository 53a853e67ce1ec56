import type { CommandValues } from '../../../contract/devices/capabilities/capability.ts'
import type { Command } from '../../../contract/devices/command-calls.ts'
import type { Peripheral, PeripheralKey } from '../../../contract/devices/peripheral.ts'
import type { SignedIn } from '../../kernel/context.ts'

/** What cameras and remotes need of devices in general, and of commands to them. */
export interface CameraPorts {
  devices: {
    /** The device as it is, held against others until the transaction ends. Errors: NOT_FOUND. */
    hold(key: PeripheralKey, context: SignedIn): Promise<Peripheral>
    /** Adds devices that were discovered. */
    add(
      input: Pick<Peripheral, 'HomeID' | 'RoomID'> & {
        Peripherals: { PeripheralUID: string; PeripheralName: string }[]
      },
      context: SignedIn,
    ): Promise<Peripheral[]>
    remove(key: PeripheralKey, context: SignedIn): Promise<PeripheralKey>
  }
  /** Sends a command to a device; refusals are states of the command. */
  sendCommand(asked: {
    tenant: string
    homeId: string
    RequestID: string
    PeripheralUID: string
    Values: CommandValues
    /** When it was asked for, epoch ms. */
    at: number
    source: 'person'
    by: string
  }): Promise<Command>
}
