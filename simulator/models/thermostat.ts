import type { ThermostatNode } from '../../contract/device-kinds/capabilities/thermostat.ts'
import type { OnOff } from '../../contract/device-kinds/capability.ts'
import type { Model } from './model.ts'
import { approach, naturalTemperature, tenths, within } from './room-air.ts'

interface Zone {
  node: number
  on: OnOff
  temperature: number
  target: number
}

export interface Thermostat {
  zones: Zone[]
}

/** °C that the fan coils of a zone can move it away from where it would be. */
const REACH = 12
/** W that a zone's fan and valve take. */
const ZONE_WATTS = 80

/** Fan coils of several zones on one bus. Each zone drifts with the weather, and to its target while it is on. */
export const thermostat: Model<Thermostat> = {
  make: (_type, { zones = 3 }) => ({
    zones: Array.from({ length: zones }, (_, index) => ({
      node: index + 1,
      on: index === 0 ? 1 : 0,
      temperature: 26 + index / 2,
      target: 25,
    })),
  }),
  step: ({ zones }, seconds, world) => ({
    zones: zones.map((zone) => {
      const natural = naturalTemperature(world)
      const goal = zone.on ? within(zone.target, natural - REACH, natural + REACH) : natural
      return { ...zone, temperature: approach(zone.temperature, goal, seconds, zone.on ? 15 : 90) }
    }),
  }),
  report: ({ zones }) => ({
    ThermostatTable: zones.map(({ node, on, temperature, target }) => ({
      NodeID: node,
      Switch: on,
      Temperature: tenths(within(temperature, -60, 125)),
      TargetTemperature: target,
    })),
  }),
  command: ({ zones }, { ThermostatTable }) => ({
    zones: zones.map((zone) => {
      const asked = ((ThermostatTable ?? []) as ThermostatNode[]).find(({ NodeID }) => NodeID === zone.node)
      return { ...zone, on: asked?.Switch ?? zone.on, target: asked?.TargetTemperature ?? zone.target }
    }),
  }),
  draws: ({ zones }) => zones.filter(({ on }) => on).length * ZONE_WATTS,
}
