import { z } from 'zod'
import { Calibration, CalibrationCommand, isAllowedTransition } from './calibration.ts'
import { Color, MAX_COLORS, SENSORS } from './lamps.ts'
import { oneOf, type Capability, type Choices } from './capability.ts'

/** Values as in §4, as each sensor sees its lamp. */
export const LIGHT_STATES: Choices = [
  [0, 'noLight'],
  [1, 'lit'],
  [2, 'flashing'],
]

/** Sensors of one device, from the top of the tower (§9). */
export const SENSOR_IDS = Array.from({ length: SENSORS }, (_, index) => index + 1)
export const sensorFields = SENSOR_IDS.map((id) => `Sensor${id}` as const)

export const lightHouse: Capability = {
  name: 'lightHouse',
  status: {
    ...Object.fromEntries(sensorFields.map((field) => [field, oneOf(LIGHT_STATES)])),
    /** Flashes per minute of the lamp that flashes fastest, 0 if none does. */
    BlinkRate: z.number().min(0).max(6000),
    /** Colors memorized by the last successful calibration, in the order of the lamps. */
    Colors: z.array(Color).max(MAX_COLORS),
    Calibration,
  },
  command: { Calibration: CalibrationCommand },
  units: { BlinkRate: '/min' },
  choices: Object.fromEntries(sensorFields.map((field) => [field, LIGHT_STATES])),
  summary: sensorFields,
  allows: ({ Calibration: wanted }, status) =>
    !wanted ||
    isAllowedTransition(status?.['Calibration'] as Calibration | undefined, wanted as CalibrationCommand),
}
