import type { MmWaveConfig } from '../../contract/devices/capabilities/sensors.ts'
import type { Model } from './model.ts'
import { approach, clamp, tenths } from './room.ts'

interface DoorSensor {
  open: boolean
}

export const doorSensor: Model<DoorSensor> = {
  make: () => ({ open: false }),
  step: (_state, _seconds, { doorOpen }) => ({ open: doorOpen }),
  report: ({ open }) => ({ DoorState: open ? 2 : 1 }),
  command: (state) => state,
  draws: () => 0,
}

interface MotionSensor {
  /** Seconds for which the last movement still counts as motion. */
  hold: number
}

/** Hold time in seconds of a passive infrared sensor after the last movement. */
export const MOTION_HOLD_SECONDS = 60

export const motionSensor: Model<MotionSensor> = {
  make: () => ({ hold: 0 }),
  step: ({ hold }, seconds, { moving }) => ({
    hold: moving ? MOTION_HOLD_SECONDS : Math.max(0, hold - seconds),
  }),
  report: ({ hold }) => ({ MotionState: hold > 0 ? 1 : 0 }),
  command: (state) => state,
  draws: () => 0,
}

interface PresenceSensor {
  config: MmWaveConfig
  /** Seconds for which the last detection still counts. */
  hold: number
}

/** Minimum sensitivity at which a radar detects people who sit still. */
const SEES_STILL = 3

/** A radar: detects moving people, and people who sit still if its sensitivity is high enough. */
export const presenceSensor: Model<PresenceSensor> = {
  make: () => ({
    config: { MinDistance: 0.3, MaxDistance: 5, MotionSensitivity: 7, StaticSensitivity: 6, HoldTime: 30 },
    hold: 0,
  }),
  step({ config, hold }, seconds, { moving, occupied }) {
    const seen = moving || (occupied && config.StaticSensitivity >= SEES_STILL)
    return { config, hold: seen ? config.HoldTime : Math.max(0, hold - seconds) }
  },
  report: ({ config, hold }) => ({ MotionState: hold > 0 ? 1 : 0, mmWaveConfig: config }),
  command: (state, { mmWaveConfig = state.config }) => ({ ...state, config: mmWaveConfig as MmWaveConfig }),
  draws: () => 0,
}

interface SmokeSensor {
  /** Seconds for which it has seen smoke without a break. */
  seconds: number
  loose: boolean
  faulty: boolean
}

/** Duration of smoke in seconds after which it counts as a fire. */
const FIRE_SECONDS = 120

/** 1 normal, 2 smoke, 3 fire, 4 installation abnormal, 5 fault (§4); one that is faulty or loose sees no smoke. */
export const smokeSensor: Model<SmokeSensor> = {
  make: () => ({ seconds: 0, loose: false, faulty: false }),
  step: ({ seconds }, elapsedSeconds, { smoky, loose, faulty }) => ({
    seconds: smoky && !loose && !faulty ? seconds + Math.max(elapsedSeconds, 1) : 0,
    loose,
    faulty,
  }),
  report: ({ seconds, loose, faulty }) => ({
    SmokeState: faulty ? 5 : loose ? 4 : seconds === 0 ? 1 : seconds < FIRE_SECONDS ? 2 : 3,
  }),
  command: (state) => state,
  draws: () => 0,
}

interface ShockSensor {
  /** Seconds for which the last shock is still reported. */
  hold: number
}

/** Hold time in seconds, so that no poll misses a shock. */
const SHOCK_HOLD_SECONDS = 30

/** 1 no shock, 2 shock (§4). */
export const shockSensor: Model<ShockSensor> = {
  make: () => ({ hold: 0 }),
  step: ({ hold }, seconds, { shaken }) => ({
    hold: shaken ? SHOCK_HOLD_SECONDS : Math.max(0, hold - seconds),
  }),
  report: ({ hold }) => ({ ShockState: hold > 0 ? 2 : 1 }),
  command: (state) => state,
  draws: () => 0,
}

interface AirQualitySensor {
  dust: number
  temperature: number
  humidity: number
  /** The values of the room's air have been taken over. */
  settled?: boolean
}

/** Time constants of the air in a room, in minutes. */
const DUST_MINUTES = 10
const AIR_MINUTES = 40

/** Reports the air quality with the resolution of such sensors; a room's air changes slowly. */
export const airQualitySensor: Model<AirQualitySensor> = {
  make: () => ({ dust: 12, temperature: 25, humidity: 60 }),
  step: (state, seconds, { dust, temperature, humidity }) =>
    state.settled
      ? {
          dust: approach(state.dust, dust, seconds, DUST_MINUTES),
          temperature: approach(state.temperature, temperature, seconds, AIR_MINUTES),
          humidity: approach(state.humidity, humidity, seconds, AIR_MINUTES),
          settled: true,
        }
      : { dust, temperature, humidity, settled: true },
  report: ({ dust, temperature, humidity }) => ({
    PM25: Math.round(clamp(dust, 0, 1_000)),
    Temperature: tenths(clamp(temperature, -40, 85)),
    Humidity: Math.round(clamp(humidity, 0, 100)),
  }),
  command: (state) => state,
  draws: () => 0,
}

interface Sensor {
  /** CO₂ of the surrounding air in ppm. */
  co2: number
  battery: number
}

/** ppm outdoors, and in an occupied room. */
const FRESH_AIR_PPM = 420
const USED_AIR_PPM = 1_100
/** Half-life in seconds of the difference between a room's air and its goal. */
const CO2_HALF_LIFE_SECONDS = 900

/** A CO₂ sensor: the value rises while the room is occupied, and falls afterwards. */
export const sensor: Model<Sensor> = {
  make: (_type, { battery = 80 }) => ({ co2: FRESH_AIR_PPM, battery }),
  step(state, seconds, { occupied }) {
    const target = occupied ? USED_AIR_PPM : FRESH_AIR_PPM
    return { ...state, co2: target + (state.co2 - target) * 0.5 ** (seconds / CO2_HALF_LIFE_SECONDS) }
  },
  report: ({ co2, battery }) => ({
    // Such sensors report in steps of 10.
    Value: Math.round(co2 / 10) * 10,
    Unit: 'ppm',
    Quantity: 'co2',
    Battery: Math.round(battery),
    LinkQuality: 96,
  }),
  command: (state) => state,
  draws: () => 0,
}

interface Button {
  presses: number
  /** 1 single, 2 double, 3 long; null before the first. */
  press: 1 | 2 | 3 | null
  /** Battery level in percent. */
  battery: number
}

/** Battery use of a press, in percent. */
const PRESS_COSTS = 0.001

/** A button that is pressed in turn once, twice and long. */
export const button: Model<Button> = {
  make: (_type, { battery = 90 }) => ({ presses: 0, press: null, battery }),
  step: (state, _seconds, { pressed }) =>
    pressed
      ? {
          presses: state.presses + 1,
          press: ((state.presses % 3) + 1) as 1 | 2 | 3,
          battery: Math.max(0, state.battery - PRESS_COSTS),
        }
      : state,
  report: ({ presses, press, battery }) => ({
    Presses: presses,
    ...(press && { Press: press }),
    Battery: Math.round(battery),
    LinkQuality: 120,
  }),
  command: (state) => state,
  draws: () => 0,
}
