import type { FC } from 'react'
import type { Capability, CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'

/** All a face knows: neither product nor topic. */
export interface FaceProps {
  /** Whose face it is, for those that ask the gateway for more than a status: a stream, what a remote can send. */
  device: Peripheral
  /** What the device can do in this respect: its fields and units. */
  capability: Capability
  /** What it last reported; undefined before its first report. */
  status: CommandValues | undefined
  /** Asks the device for values; undefined where it may not be controlled, and then the face only shows. */
  send: ((values: CommandValues) => void) | undefined
  /** The values asked for that the device has not shown yet. */
  pending: CommandValues | undefined
}
export type Face = FC<FaceProps>
