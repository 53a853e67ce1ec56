import { TAISEIA_TYPES } from '../../contract/devices/capabilities/taiseia.ts'
import { switchedBy, type Habit, approach, naturalTemperature, tenths, clamp } from './room.ts'
import type { Model, World } from './model.ts'

/** Seconds until an appliance turns itself on or off; 0 if not set. */
interface Timers {
  onIn: number
  offIn: number
}

/** Advances the timers; `turned` is the state set by a timer that expired. */
function runTimers({ onIn, offIn }: Timers, seconds: number): Timers & { turned: 0 | 1 | undefined } {
  const remainingSeconds = (timer: number) => Math.max(0, timer - seconds)
  const ended = (timer: number) => timer > 0 && timer <= seconds
  return {
    onIn: remainingSeconds(onIn),
    offIn: remainingSeconds(offIn),
    turned: ended(offIn) && !(ended(onIn) && onIn > offIn) ? 0 : ended(onIn) ? 1 : undefined,
  }
}

/** Remaining hours, rounded up, as appliances show them. */
const remainingHours = (seconds: number): number => Math.ceil(seconds / 3600)

interface AirConditioner extends Timers, Habit {
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

const FILTER_HOURS = 300
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
    OnTimer: remainingHours(onIn) * 60,
    OffTimer: remainingHours(offIn) * 60,
    Moisturizing: moisturizing,
    Panel: panel,
    IndoorTemperature: tenths(clamp(temperature, -60, 125)),
    OutdoorTemperature: tenths(outdoors),
    CleanFilter: filter >= FILTER_HOURS * 3600 ? 1 : 0,
  }),
  command(state, values) {
    const requested = values as Record<string, number>
    // A manual switch cancels the timer of the same kind.
    const by =
      requested['Switch'] === undefined ? state : { ...state, [requested['Switch'] ? 'onIn' : 'offIn']: 0 }
    return {
      ...by,
      on: (requested['Switch'] ?? by.on) as 0 | 1,
      mode: requested['ACMode'] ?? by.mode,
      fan: requested['FanSpeed'] ?? by.fan,
      target: requested['TargetTemperature'] ?? by.target,
      onIn: requested['OnTimer'] === undefined ? by.onIn : requested['OnTimer'] * 60,
      offIn: requested['OffTimer'] === undefined ? by.offIn : requested['OffTimer'] * 60,
      moisturizing: requested['Moisturizing'] ?? by.moisturizing,
      panel: requested['Panel'] ?? by.panel,
    }
  },
  draws: ({ watts }) => watts,
}

interface Dehumidifier {
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

const isRunning = ({ on, mode, target, humidity, tank }: Dehumidifier): boolean => {
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
    const working = isRunning(next)
    const tank = Math.min(TANK, state.tank + (working ? (LITRES_PER_HOUR * seconds) / 3600 : 0))
    const fullFor = tank < TANK ? 0 : state.fullFor + seconds
    const isEmptied = fullFor > EMPTIED_AFTER && world.occupied
    const goal = working ? (GOALS(next.target)[next.mode] as number) - 2 : world.humidity
    return {
      ...next,
      tank: isEmptied ? 0 : tank,
      fullFor: isEmptied ? 0 : fullFor,
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
    ScheduleOff: remainingHours(offIn),
    IndoorTemperature: tenths(clamp(temperature, -60, 125)),
    IndoorHumidity: Math.round(clamp(humidity, 0, 100)),
    TankFull: tank < TANK ? 0 : 1,
    CleanFilter: filter >= FILTER_HOURS * 3600 ? 1 : 0,
  }),
  command(state, values) {
    const requested = values as Record<string, number>
    const by = requested['Switch'] === 0 ? { ...state, offIn: 0 } : state
    return {
      ...by,
      on: (requested['Switch'] ?? by.on) as 0 | 1,
      mode: requested['DehumidifierMode'] ?? by.mode,
      target: requested['TargetHumidity'] ?? by.target,
      fan: requested['FanSpeed'] ?? by.fan,
      offIn: requested['ScheduleOff'] === undefined ? by.offIn : requested['ScheduleOff'] * 3600,
    }
  },
  draws: (state) => (isRunning(state) ? WATTS : state.on ? 30 : 0),
}

interface Ventilation extends Habit {
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
    ScheduleOff: remainingHours(offIn),
    IndoorTemperature: tenths(clamp(temperature, -60, 125)),
    OutdoorTemperature: tenths(outdoors),
    CleanFilter: filter >= FILTER_HOURS * 3600 ? 1 : 0,
  }),
  command(state, values) {
    const requested = values as Record<string, number>
    const by = requested['Switch'] === 0 ? { ...state, offIn: 0 } : state
    return {
      ...by,
      on: (requested['Switch'] ?? by.on) as 0 | 1,
      mode: requested['BreathMode'] ?? by.mode,
      preHeatCool: requested['PreHeatCool'] ?? by.preHeatCool,
      fan: requested['FanSpeed'] ?? by.fan,
      offIn: requested['ScheduleOff'] === undefined ? by.offIn : requested['ScheduleOff'] * 3600,
    }
  },
  draws: ({ on, fan }) => (on ? (fan ? 130 : 70) : 0),
}

const appliances = { airConditioner, dehumidifier, ventilation }

/** The kind of appliance, with its state. */
interface TaiSEIA {
  appliance: keyof typeof appliances
  inner: AirConditioner | Dehumidifier | Ventilation
}

// oxlint-disable-next-line typescript/no-explicit-any -- the appliance decides what its state is
const modelOf = ({ appliance }: Pick<TaiSEIA, 'appliance'>): Model<any> => appliances[appliance]

/** One type code for every appliance with a TaiSEIA 101 interface; the wiring selects the kind. */
export const taiseia: Model<TaiSEIA> = {
  make: (type, wiring) => {
    const { appliance = 'airConditioner' } = wiring
    return { appliance, inner: appliances[appliance].make(type, wiring) }
  },
  step: (state, seconds, world) => ({ ...state, inner: modelOf(state).step(state.inner, seconds, world) }),
  report: (state) => modelOf(state).report(state.inner),
  command: (state, values) => ({ ...state, inner: modelOf(state).command(state.inner, values) }),
  draws: (state) => modelOf(state).draws(state.inner),
}
