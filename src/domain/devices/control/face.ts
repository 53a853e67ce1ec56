import type { FC } from 'react'
import type { Capability, CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'

/** Props of a capability's panel; independent of product and topic. */
export interface FaceProps {
  /** The device, for panels that query the gateway for more than its status: a stream, learned infrared commands. */
  device: Peripheral
  /** Fields and units of the capability. */
  capability: Capability
  /** Last report; undefined before the first report. */
  status: CommandValues | undefined
  /** Sends a command; undefined if the user may not control the device, which makes the panel read-only. */
  send: ((values: CommandValues) => void) | undefined
  /** Requested values that the device has not reported yet. */
  pending: CommandValues | undefined
}
export type Face = FC<FaceProps>
