import type { controlAck, controlCommand } from '../../contract/devices/channels/control.ts'
import type { CommandValues } from '../../contract/devices/capabilities/capability.ts'
import { parseCommandValues } from '../../contract/devices/kinds/status.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import type { AnnouncedDevice } from '../../device-link/hub-messages.ts'
import type { Log } from './log.ts'

/** Maximum number of stored answers, for commands that arrive twice. */
const REMEMBERED = 500
const MAX_REASON = 200

type Command = PayloadOf<typeof controlCommand>
export type Ack = Omit<PayloadOf<typeof controlAck>, 'ThingName'>

/** A command that cannot be carried out; the user who sent it sees the message. */
export class CommandRefused extends Error {
  override name = 'CommandRefused'
}

/**
 * Executes commands as docs/hub-protocol.md §9 requires: each once; expired ones are not executed; a repeated one gets its earlier
 * answer.
 *
 * onDone  called when the device has accepted the values and should report, even if nothing changed
 */
export function executeOnce(options: {
  now(): number
  find(PeripheralUID: string): AnnouncedDevice | undefined
  command(device: AnnouncedDevice, values: CommandValues): Promise<void> | void
  log: Log
  acknowledge(ack: Ack): void
  onDone(PeripheralUID: string): void
}): (command: Command) => Promise<void> {
  /** Answers by RequestID; undefined while the device has not answered. */
  const acknowledged = new Map<string, Ack | undefined>()

  return async ({ RequestID, PeripheralUID, Values, Timestamp, ExpiresIn }) => {
    const earlier = acknowledged.get(RequestID)
    if (earlier) return options.acknowledge(earlier)
    if (acknowledged.has(RequestID)) return
    if (options.now() - Timestamp > ExpiresIn)
      return options.log.warn({ RequestID, PeripheralUID }, 'command expired')
    acknowledged.set(RequestID, undefined)
    if (acknowledged.size > REMEMBERED) acknowledged.delete(acknowledged.keys().next().value as string)

    const failure = await attempt(PeripheralUID, Values)
    const ack: Ack = { RequestID, PeripheralUID, Result: failure === undefined ? 'ok' : 'failed' }
    if (failure !== undefined) ack.Reason = failure.slice(0, MAX_REASON)
    acknowledged.set(RequestID, ack)
    options.acknowledge(ack)
    if (failure === undefined) options.onDone(PeripheralUID)
  }

  /** Executes the command; returns the reason for failure, or undefined on success. */
  async function attempt(PeripheralUID: string, Values: unknown): Promise<string | undefined> {
    const device = options.find(PeripheralUID)
    if (!device) return 'no such device on this hub'
    const values = parseCommandValues(device.PeripheralType, Values)
    if (!values?.success) return 'the device cannot do that'
    try {
      await options.command(device, values.data)
      return undefined
    } catch (error) {
      if (error instanceof CommandRefused) return error.message
      options.log.error({ err: error, PeripheralUID }, 'command failed')
      return 'the hub could not pass it on'
    }
  }
}
