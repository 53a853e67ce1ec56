import { TAISEIA_TYPES } from '../../contract/devices/capabilities/taiseia.ts'
import { switchedBy, type Habit } from './habit.ts'
import type { Model, World } from './model.ts'
import { approach, naturalTemperature, tenths, clamp } from './room-air.ts'
import { hoursLeft, runTimers, type Timers } from './timers.ts'

export interface AirConditioner extends Timers, Habit {
  on: 0 | 1
  mode: number
  fan: number
  target: number
  moisturizing: number
  panel: number
  temperature: number
  outdoors: number
  /** Current power in W. */
  watts: number
  /** Operating seconds of the filter since it was cleaned. */
  filter: number
}

export const FILTER_HOURS = 300
/** Maximum temperature difference in °C that the compressor can hold against the natural temperature. */
const REACH = 14

/** Temperature that the room approaches in each mode (§4: cooling, dehumidify, fan, auto, heat). */
function goalOf({ on, mode, target }: AirConditioner, natural: number): number {
  if (!on) return natural
  const cooled = Math.min(natural, Math.max(target, natural - REACH))
  const heated = Math.max(natural, Math.min(target, natural + REACH))
  return [cooled, natural - 1.5, natural, cooled < natural ? cooled : heated, heated][mode] ?? natural
}

/** A split air conditioner in a room of its own. Its power depends on the difference between room and natural temperature. */
export const airConditioner: Model<AirConditioner> = {
  make: () => ({
    on: 1,
    mode: 0,
    fan: 0,
    target: 26,
    onIn: 0,
    offIn: 0,
    moisturizing: 0,
    panel: 0,
    temperature: 26.5,
    outdoors: 28,
    watts: 0,
    filter: 0,
  }),
  step(state, seconds, world: World) {
    const { turned, onIn, offIn } = runTimers(state, seconds)
    const on = switchedBy(state, world.occupied, turned ?? state.on)
    const next = { ...state, onIn, offIn, on, occupied: world.occupied, outdoors: world.outdoors }
    const natural = naturalTemperature(world)
    const goal = goalOf(next, natural)
    // A stronger fan reaches the goal sooner.
    const minutes = next.on ? 20 - 2 * (next.fan || 3) : 90
    return {
      ...next,
      temperature: approach(state.temperature, goal, seconds, minutes),
      watts: next.on ? 40 + 110 * Math.abs(natural - goal) : 0,
      filter: state.filter + (next.on ? seconds : 0),
    }
  },
  report: ({ on, mode, fan, target, onIn, offIn, moisturizing, panel, temperature, outdoors, filter }) => ({
    TaiSEIAType: TAISEIA_TYPES.airConditioner,
    Switch: on,
    ACMode: mode,
    FanSpeed: fan,
    TargetTemperature: target,
    OnTimer: hoursLeft(onIn) * 60,
    OffTimer: hoursLeft(offIn) * 60,
    Moisturizing: moisturizing,
    Panel: panel,
    IndoorTemperature: tenths(clamp(temperature, -60, 125)),
    OutdoorTemperature: tenths(outdoors),
    CleanFilter: filter >= FILTER_HOURS * 3600 ? 1 : 0,
  }),
  command(state, values) {
    const asked = values as Record<string, number>
    // A manual switch cancels the timer of the same kind.
    const by = asked['Switch'] === undefined ? state : { ...state, [asked['Switch'] ? 'onIn' : 'offIn']: 0 }
    return {
      ...by,
      on: (asked['Switch'] ?? by.on) as 0 | 1,
      mode: asked['ACMode'] ?? by.mode,
      fan: asked['FanSpeed'] ?? by.fan,
      target: asked['TargetTemperature'] ?? by.target,
      onIn: asked['OnTimer'] === undefined ? by.onIn : asked['OnTimer'] * 60,
      offIn: asked['OffTimer'] === undefined ? by.offIn : asked['OffTimer'] * 60,
      moisturizing: asked['Moisturizing'] ?? by.moisturizing,
      panel: asked['Panel'] ?? by.panel,
    }
  },
  draws: ({ watts }) => watts,
}
