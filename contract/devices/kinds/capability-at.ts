import { applies, OnOff, type Capability, diagnostics } from '../capabilities/capability.ts'
import { zone } from '../capabilities/thermostat.ts'
import { ONLINE, readPath } from './history-fields.ts'
import { deviceType } from './registry.ts'

/** Whether a device is reachable. The gateway derives it from its hub's connection, so it is not a capability of any type. */
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

/** Field of a capability that defines a quantity's labels and shape, and its zone. */
export interface FieldAt {
  capability: Capability
  field: string
  zone?: number
}

/**
 * Resolves a quantity's path on a device type; undefined if the type does not have it.
 *
 * status  excludes capabilities that do not apply with this status
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
