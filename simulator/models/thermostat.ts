import type { ThermostatNode } from '../../contract/devices/capabilities/thermostat.ts'
import type { OnOff } from '../../contract/devices/capabilities/capability.ts'
import { switchedBy, type Habit, approach, naturalTemperature, tenths, clamp } from './room.ts'
import type { Model } from './model.ts'

interface Zone {
  node: number
  on: OnOff
  temperature: number
  target: number
}

export interface Thermostat extends Habit {
  zones: Zone[]
}

/** Maximum temperature difference in °C that a zone's fan coils can hold against the natural temperature. */
const REACH = 12
/** Power in W of a zone's fan and valve. */
const ZONE_WATTS = 80

/** Fan coils of several zones on one bus. Each zone drifts with the weather, and approaches its target while it is on. */
export const thermostat: Model<Thermostat> = {
  make: (_type, { zones = 3 }) => ({
    zones: Array.from({ length: zones }, (_, index) => ({
      node: index + 1,
      on: index === 0 ? 1 : 0,
      temperature: 26 + index / 2,
      target: 25,
    })),
  }),
  step: (state, seconds, world) => ({
    occupied: world.occupied,
    zones: state.zones.map((zone) => {
      const on = switchedBy(state, world.occupied, zone.on)
      const natural = naturalTemperature(world)
      const goal = on ? clamp(zone.target, natural - REACH, natural + REACH) : natural
      return { ...zone, on, temperature: approach(zone.temperature, goal, seconds, on ? 15 : 90) }
    }),
  }),
  report: ({ zones }) => ({
    ThermostatTable: zones.map(({ node, on, temperature, target }) => ({
      NodeID: node,
      Switch: on,
      Temperature: tenths(clamp(temperature, -60, 125)),
      TargetTemperature: target,
    })),
  }),
  command: ({ zones, ...habit }, { ThermostatTable }) => ({
    ...habit,
    zones: zones.map((zone) => {
      const requested = ((ThermostatTable ?? []) as ThermostatNode[]).find(
        ({ NodeID }) => NodeID === zone.node,
      )
      return {
        ...zone,
        on: requested?.Switch ?? zone.on,
        target: requested?.TargetTemperature ?? zone.target,
      }
    }),
  }),
  draws: ({ zones }) => zones.filter(({ on }) => on).length * ZONE_WATTS,
}
