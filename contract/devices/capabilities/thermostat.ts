import { z } from 'zod'
import { OnOff, type Capability } from './capability.ts'

const Temperature = z.number().min(-60).max(125)
const TargetTemperature = z.number().min(5).max(40).multipleOf(0.5)

/** One zone of a thermostat; a report may carry only what changed of some of them. Temperatures in °C. */
export const ThermostatNode = z.object({
  NodeID: z.number().int().min(0).max(255),
  Switch: OnOff.optional(),
  Temperature: Temperature.optional(),
  TargetTemperature: TargetTemperature.optional(),
})
export type ThermostatNode = z.infer<typeof ThermostatNode>

/** At most this many zones are on one thermostat bus. */
const MAX_NODES = 64

/** What one zone can do, for whoever draws zones one by one; no device has it alone. */
export const zone: Capability = {
  name: 'thermostat',
  status: {
    Switch: OnOff,
    Temperature,
    TargetTemperature,
  },
  command: { Switch: OnOff, TargetTemperature },
  units: { Temperature: '°C', TargetTemperature: '°C' },
}

/** A node twice in one table has no one meaning. */
const once = (nodes: readonly { NodeID: number }[]): boolean =>
  new Set(nodes.map(({ NodeID }) => NodeID)).size === nodes.length

/** A node that is asked for nothing would be confirmed by anything. */
const asks = (node: object): boolean => Object.keys(node).length > 1

/** A thermostat with its zones; tables merge by NodeID (§4), also in a command, which names only the zones it sets. */
export const thermostat: Capability = {
  name: 'thermostat',
  status: { ThermostatTable: z.array(ThermostatNode).max(MAX_NODES).refine(once) },
  command: {
    ThermostatTable: z
      .array(ThermostatNode.omit({ Temperature: true }).strict().refine(asks, 'required'))
      .min(1)
      .max(MAX_NODES)
      .refine(once),
  },
  units: {},
}
