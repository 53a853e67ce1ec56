import { applies, OnOff, type Capability } from '../capabilities/capability.ts'
import { diagnostics } from '../capabilities/diagnostics.ts'
import { zone } from '../capabilities/thermostat.ts'
import { ONLINE, readPath } from './history-fields.ts'
import { deviceType } from './registry.ts'

/** Whether a device can be heard: its hub's presence tells it, so that it is a capability of no type. */
export const reachability: Capability = {
  name: 'diagnostics',
  status: { [ONLINE]: OnOff },
  command: {},
  units: {},
  choices: {
    [ONLINE]: [
      [1, 'online'],
      [0, 'offline', 'warning'],
    ],
  },
}

/** The words and shapes of a quantity: a field of a capability, and of which zone it is. */
export interface FieldAt {
  capability: Capability
  field: string
  zone?: number
}

/**
 * What a quantity's path names on a device of a type; undefined for what it does not have.
 *
 * status  leaves out capabilities that are not there while the device reports this
 */
export function capabilityAt(
  type: string | null,
  path: string,
  status?: Readonly<Record<string, unknown>>,
): FieldAt | undefined {
  const { field, zone: node } = readPath(path)
  if (node !== undefined) return { capability: zone, field, zone: node }
  const capability = [...(deviceType(type ?? '')?.capabilities ?? []), diagnostics, reachability].find(
    (one) => field in one.status && (!status || applies(one, status)),
  )
  return capability && { capability, field }
}
