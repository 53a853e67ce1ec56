import { z } from 'zod'
import { OnOff, type Capability } from './capability.ts'

const Temperature = z.number().min(-60).max(125)
const TargetTemperature = z.number().min(5).max(40).multipleOf(0.5)

/** Zone of a thermostat; a report may contain only the changed fields of some zones. Temperatures in °C. */
export const ThermostatNode = z.object({
  NodeID: z.number().int().min(0).max(255),
  Switch: OnOff.optional(),
  Temperature: Temperature.optional(),
  TargetTemperature: TargetTemperature.optional(),
})
export type ThermostatNode = z.infer<typeof ThermostatNode>

const MAX_NODES = 64

/** Capability of a single zone, for screens that show zones separately; no device has it as its own. */
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

/** Duplicate nodes in one table would be ambiguous. */
const hasUniqueNodes = (nodes: readonly { NodeID: number }[]): boolean =>
  new Set(nodes.map(({ NodeID }) => NodeID)).size === nodes.length

/** Any report would confirm a node without values. */
const hasCommand = (node: object): boolean => Object.keys(node).length > 1

/** Thermostat with its zones; tables merge by NodeID (§4), also those of commands, which contain only the zones they set. */
export const thermostat: Capability = {
  name: 'thermostat',
  status: { ThermostatTable: z.array(ThermostatNode).max(MAX_NODES).refine(hasUniqueNodes) },
  command: {
    ThermostatTable: z
      .array(ThermostatNode.omit({ Temperature: true }).strict().refine(hasCommand, 'required'))
      .min(1)
      .max(MAX_NODES)
      .refine(hasUniqueNodes),
  },
  units: {},
}
