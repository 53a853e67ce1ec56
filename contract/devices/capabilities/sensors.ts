import { z } from 'zod'
import { oneOf, type Capability, type Choices } from './capability.ts'

/** Values as in §4. */
export const DOOR_STATES: Choices = [
  [1, 'doorClosed'],
  [2, 'doorOpen', 'warning'],
]

export const door: Capability = {
  name: 'door',
  status: { DoorState: oneOf(DOOR_STATES) },
  command: {},
  units: {},
  choices: { DoorState: DOOR_STATES },
}

/** `MotionState` of a motion or presence sensor that detects a person (§4). */
export const MOTION_DETECTED = 1

/** Values as in §4. */
export const MOTION_STATES: Choices = [
  [MOTION_DETECTED, 'motion', 'on'],
  [0, 'noMotion'],
]

export const motion: Capability = {
  name: 'motion',
  status: { MotionState: oneOf(MOTION_STATES) },
  command: {},
  units: {},
  choices: { MotionState: MOTION_STATES },
}

/** Values as in §4, presence sensor. */
export const PRESENCE_STATES: Choices = [
  [MOTION_DETECTED, 'human', 'on'],
  [0, 'noHuman'],
]

/**
 * Detection parameters of a radar sensor. Distances in meters from the sensor; HoldTime in seconds from the last movement to "no
 * human"; sensitivities from 1 (low) to 10 (high), for movement and for people who sit still.
 */
export const MmWaveConfig = z
  .object({
    MinDistance: z.number().min(0).max(10).multipleOf(0.1),
    MaxDistance: z.number().min(0).max(10).multipleOf(0.1),
    MotionSensitivity: z.number().int().min(1).max(10),
    StaticSensitivity: z.number().int().min(1).max(10),
    HoldTime: z.number().int().min(1).max(3600),
  })
  .refine(({ MinDistance, MaxDistance }) => MinDistance < MaxDistance, {
    path: ['MaxDistance'],
    message: 'upperBelowLower',
  })
export type MmWaveConfig = z.infer<typeof MmWaveConfig>

/** Radar sensor that also detects people who sit still. */
export const presence: Capability = {
  name: 'presence',
  status: { MotionState: oneOf(PRESENCE_STATES), mmWaveConfig: MmWaveConfig },
  command: { mmWaveConfig: MmWaveConfig },
  units: {},
  choices: { MotionState: PRESENCE_STATES },
}

/** Values as in §4. */
export const SMOKE_STATES: Choices = [
  [1, 'smokeNormal'],
  [2, 'smoke', 'alarm'],
  [3, 'fire', 'alarm'],
  [4, 'smokeInstallation', 'warning'],
  [5, 'smokeFault', 'warning'],
]

export const smoke: Capability = {
  name: 'smoke',
  status: { SmokeState: oneOf(SMOKE_STATES) },
  command: {},
  units: {},
  choices: { SmokeState: SMOKE_STATES },
  lifeSafety: true,
}

/** Values as in §4. */
export const SHOCK_STATES: Choices = [
  [1, 'noShock'],
  [2, 'shock', 'warning'],
]

export const shock: Capability = {
  name: 'shock',
  status: { ShockState: oneOf(SHOCK_STATES) },
  command: {},
  units: {},
  choices: { ShockState: SHOCK_STATES },
}

/** Fine dust (PM2.5) in µg/m³; many sensors also measure air temperature and humidity. */
export const airQuality: Capability = {
  name: 'airQuality',
  status: {
    PM25: z.number().min(0).max(10_000),
    Temperature: z.number().min(-60).max(125),
    Humidity: z.number().min(0).max(100),
  },
  command: {},
  units: { PM25: 'µg/m³', Temperature: '°C', Humidity: '%' },
}

/** Quantities that have a name in the locales, `devices.quantities`; others are shown as reported. */
export const QUANTITIES = [
  'temperature',
  'humidity',
  'pressure',
  'illuminance',
  'co2',
  'co',
  'voc',
  'formaldehyde',
  'ozone',
  'pm1',
  'pm10',
  'noise',
  'windSpeed',
  'rain',
  'uvIndex',
  'soilMoisture',
  'ph',
  'conductivity',
  'weight',
  'distance',
  'level',
  'speed',
  'flow',
  'volume',
  'water',
  'gas',
  'heat',
  'heatPower',
  'frequency',
  'voltage',
  'current',
] as const

/** Field whose unit and quantity are in the report. */
export const PLAIN_VALUE = 'Value'

/** One measured value of any quantity, in the unit that the device reports. */
export const sensorCapability: Capability = {
  name: 'sensor',
  status: {
    [PLAIN_VALUE]: z.number().min(-1e12).max(1e12),
    /** Unit as displayed after the value; '' for none. */
    Unit: z.string().trim().max(16),
    /** One of QUANTITIES, or another name from the device. */
    Quantity: z.string().trim().min(1).max(32),
  },
  command: {},
  // The unit is in the report.
  units: { [PLAIN_VALUE]: '' },
  summary: [PLAIN_VALUE],
}

const PRESSES: Choices = [
  [1, 'singlePress'],
  [2, 'doublePress'],
  [3, 'longPress'],
]

/** Button: type of the last press, and the total number of presses, which distinguishes equal consecutive presses. */
export const buttonCapability: Capability = {
  name: 'button',
  status: { Press: oneOf(PRESSES), Presses: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER) },
  command: {},
  // The empty unit makes the count a sampled figure, so that the history shows presses.
  units: { Presses: '' },
  counters: ['Presses'],
  choices: { Press: PRESSES },
}
