import { commandRefusalOf } from '../../contract/devices/kinds/refusal.ts'
import { parseCommandValues } from '../../contract/devices/kinds/status.ts'
import type { Message } from '../../device-link/outbox.ts'
import { advance, reportStatus } from './report.ts'
import { moment, type Command, type HubState } from './state.ts'

/** Commands whose answers are remembered, in case they come twice. */
const REMEMBERED = 500

/** Does what a command asks, after the time that a device takes for it. */
export function executeDelayed(state: HubState, command: Command): void {
  const [least, most] = state.options.latency
  const latency = least + (most - least) * state.random()
  if (latency <= 0) obey(state, command)
  else state.options.clock.after(latency, () => obey(state, command))
}

function obey(state: HubState, command: Command): void {
  const { building, say, session, options } = state
  const { RequestID, PeripheralUID, Values, Timestamp, ExpiresIn } = command
  const earlier = state.answered.get(RequestID)
  if (earlier) {
    session.send(earlier)
    return options.on.command(command, 'repeated')
  }
  if (moment(options) - Timestamp > ExpiresIn) return options.on.command(command, 'expired')
  const device = options.hub.devices.find((one) => one.PeripheralUID === PeripheralUID)
  const values = device && parseCommandValues(device.PeripheralType, Values)
  const able =
    device &&
    values?.success &&
    commandRefusalOf(device.PeripheralType, values.data, building.report(PeripheralUID)) === undefined
  if (!able) {
    const Reason = device ? 'the device cannot do that' : 'no such device on this hub'
    answer(state, RequestID, say.ack({ RequestID, PeripheralUID, Result: 'failed', Reason }))
    return options.on.command(command, 'failed')
  }
  answer(state, RequestID, say.ack({ RequestID, PeripheralUID, Result: 'ok' }))
  advance(state)
  building.command(PeripheralUID, values.data)
  reportStatus(state, [device])
  options.on.command(command, 'ok')
}

/** Sends the answer to a command and remembers it. */
function answer({ answered, session }: HubState, requestId: string, message: Message): void {
  answered.set(requestId, message)
  if (answered.size > REMEMBERED) answered.delete(answered.keys().next().value as string)
  session.send(message)
}
