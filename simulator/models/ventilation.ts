import { TAISEIA_TYPES } from '../../contract/devices/capabilities/taiseia.ts'
import { FILTER_HOURS } from './air-conditioner.ts'
import { switchedBy, type Habit } from './habit.ts'
import type { Model } from './model.ts'
import { approach, naturalTemperature, tenths, clamp } from './room-air.ts'
import { hoursLeft, runTimers } from './timers.ts'

export interface Ventilation extends Habit {
  on: 0 | 1
  mode: number
  preHeatCool: number
  fan: number
  offIn: number
  temperature: number
  outdoors: number
  filter: number
}

/** Share of the outdoor temperature difference that enters; a heat exchanger keeps most of it out (§4, breath modes 0-2). */
const LET_IN = [0.35, 0.25, 0.8]

/** An energy-recovery ventilator: moves the room toward the outdoor air, less with its heat exchanger. */
export const ventilation: Model<Ventilation> = {
  make: () => ({
    on: 1,
    mode: 1,
    preHeatCool: 0,
    fan: 0,
    offIn: 0,
    temperature: 26,
    outdoors: 28,
    filter: 0,
  }),
  step(state, seconds, world) {
    const { turned, offIn } = runTimers({ onIn: 0, offIn: state.offIn }, seconds)
    const on = switchedBy(state, world.occupied, turned ?? state.on)
    const natural = naturalTemperature(world)
    const goal = on ? natural + (world.outdoors - natural) * (LET_IN[state.mode] ?? 0) : natural
    return {
      ...state,
      on,
      offIn,
      occupied: world.occupied,
      outdoors: world.outdoors,
      temperature: approach(state.temperature, goal, seconds, state.fan ? 25 : 45),
      filter: state.filter + (on ? seconds : 0),
    }
  },
  report: ({ on, mode, preHeatCool, fan, offIn, temperature, outdoors, filter }) => ({
    TaiSEIAType: TAISEIA_TYPES.ventilation,
    Switch: on,
    BreathMode: mode,
    PreHeatCool: preHeatCool,
    FanSpeed: fan,
    ScheduleOff: hoursLeft(offIn),
    IndoorTemperature: tenths(clamp(temperature, -60, 125)),
    OutdoorTemperature: tenths(outdoors),
    CleanFilter: filter >= FILTER_HOURS * 3600 ? 1 : 0,
  }),
  command(state, values) {
    const asked = values as Record<string, number>
    const by = asked['Switch'] === 0 ? { ...state, offIn: 0 } : state
    return {
      ...by,
      on: (asked['Switch'] ?? by.on) as 0 | 1,
      mode: asked['BreathMode'] ?? by.mode,
      preHeatCool: asked['PreHeatCool'] ?? by.preHeatCool,
      fan: asked['FanSpeed'] ?? by.fan,
      offIn: asked['ScheduleOff'] === undefined ? by.offIn : asked['ScheduleOff'] * 3600,
    }
  },
  draws: ({ on, fan }) => (on ? (fan ? 130 : 70) : 0),
}
