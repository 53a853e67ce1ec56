import { TAISEIA_TYPES } from '../../contract/devices/capabilities/taiseia.ts'
import { FILTER_HOURS } from './air-conditioner.ts'
import type { Model } from './model.ts'
import { approach, tenths, clamp } from './room-air.ts'
import { hoursLeft, runTimers } from './timers.ts'

export interface Dehumidifier {
  on: 0 | 1
  mode: number
  fan: number
  target: number
  offIn: number
  temperature: number
  humidity: number
  /** Liters in its tank. */
  tank: number
  /** Seconds for which the tank has been full. */
  fullFor: number
  filter: number
}

/** Capacity of the tank in liters, and liters collected per operating hour. */
const TANK = 4
const LITRES_PER_HOUR = 0.5
/** Seconds after which a person in the room empties a full tank. */
const EMPTIED_AFTER = 1_800
const WATTS = 280

/** Target humidity in % of each mode (§4, modes 0-8); undefined for those that only move air. */
const GOALS = (target: number): readonly (number | undefined)[] => [
  55,
  target,
  35,
  40,
  undefined,
  60,
  undefined,
  50,
  35,
]

const works = ({ on, mode, target, humidity, tank }: Dehumidifier): boolean => {
  const goal = GOALS(target)[mode]
  return on === 1 && tank < TANK && goal !== undefined && humidity > goal
}

/** Dries a room until the mode's target is reached or the tank is full; humidity rises again by itself. */
export const dehumidifier: Model<Dehumidifier> = {
  make: () => ({
    on: 1,
    mode: 1,
    fan: 0,
    target: 55,
    offIn: 0,
    temperature: 26,
    humidity: 62,
    tank: 1,
    fullFor: 0,
    filter: 0,
  }),
  step(state, seconds, world) {
    const { turned, offIn } = runTimers({ onIn: 0, offIn: state.offIn }, seconds)
    const next = { ...state, offIn, on: turned ?? state.on }
    const working = works(next)
    const tank = Math.min(TANK, state.tank + (working ? (LITRES_PER_HOUR * seconds) / 3600 : 0))
    const fullFor = tank < TANK ? 0 : state.fullFor + seconds
    const emptied = fullFor > EMPTIED_AFTER && world.occupied
    const goal = working ? (GOALS(next.target)[next.mode] as number) - 2 : world.humidity
    return {
      ...next,
      tank: emptied ? 0 : tank,
      fullFor: emptied ? 0 : fullFor,
      humidity: approach(state.humidity, goal, seconds, working ? 40 : 120),
      temperature: approach(state.temperature, world.temperature + (working ? 1 : 0), seconds, 60),
      filter: state.filter + (next.on ? seconds : 0),
    }
  },
  report: ({ on, mode, fan, target, offIn, temperature, humidity, tank, filter }) => ({
    TaiSEIAType: TAISEIA_TYPES.dehumidifier,
    Switch: on,
    DehumidifierMode: mode,
    TargetHumidity: target,
    FanSpeed: fan,
    ScheduleOff: hoursLeft(offIn),
    IndoorTemperature: tenths(clamp(temperature, -60, 125)),
    IndoorHumidity: Math.round(clamp(humidity, 0, 100)),
    TankFull: tank < TANK ? 0 : 1,
    CleanFilter: filter >= FILTER_HOURS * 3600 ? 1 : 0,
  }),
  command(state, values) {
    const asked = values as Record<string, number>
    const by = asked['Switch'] === 0 ? { ...state, offIn: 0 } : state
    return {
      ...by,
      on: (asked['Switch'] ?? by.on) as 0 | 1,
      mode: asked['DehumidifierMode'] ?? by.mode,
      target: asked['TargetHumidity'] ?? by.target,
      fan: asked['FanSpeed'] ?? by.fan,
      offIn: asked['ScheduleOff'] === undefined ? by.offIn : asked['ScheduleOff'] * 3600,
    }
  },
  draws: (state) => (works(state) ? WATTS : state.on ? 30 : 0),
}
