import { z } from 'zod'
import { oneOf, type Capability, type Choices } from './capability.ts'

const Byte = z.number().int().min(0).max(255)

/** Color of light measured by a sensor. */
export const Color = z.object({ Red: Byte, Green: Byte, Blue: Byte })
export type Color = z.infer<typeof Color>

/** Color of a lamp without a configured color (§9). */
export const DEFAULT_COLOR: Color = { Red: 255, Green: 193, Blue: 7 }

/** Sensors of one device, and maximum colors of a tower (§4, §9). */
export const SENSORS = 5
export const MAX_COLORS = 6

/** Whether numbers are consecutive, in any order (§5: lighthouse grouping requires adjacent devices). */
export const areAdjacent = (numbers: readonly number[]): boolean =>
  numbers.length === 0 || Math.max(...numbers) - Math.min(...numbers) === new Set(numbers).size - 1

/**
 * Lamps by the sensors that watch them, and their colors (§3). Sensors with the same ColorIndex watch the same lamp and must be
 * adjacent; a sensor that is not listed is unused.
 */
export const LightHouseGroup = z
  .object({
    Sensors: z
      .array(
        z.object({
          SensorID: z.number().int().min(1).max(SENSORS),
          ColorIndex: z
            .number()
            .int()
            .min(0)
            .max(MAX_COLORS - 1),
        }),
      )
      .max(SENSORS),
    Colors: z.array(Color).min(1, 'required').max(MAX_COLORS),
  })
  .refine(({ Sensors }) => new Set(Sensors.map(({ SensorID }) => SensorID)).size === Sensors.length, {
    path: ['Sensors'],
    message: 'taken',
  })
  .refine(({ Sensors, Colors }) => Sensors.every(({ ColorIndex }) => ColorIndex < Colors.length), {
    path: ['Sensors'],
    message: 'notFound',
  })
  .refine(({ Sensors }) => [...byLamp(Sensors).values()].every(areAdjacent), {
    path: ['Sensors'],
    message: 'notAdjacent',
  })
export type LightHouseGroup = z.infer<typeof LightHouseGroup>

function byLamp(sensors: readonly { SensorID: number; ColorIndex: number }[]): Map<number, number[]> {
  const lamps = new Map<number, number[]>()
  for (const { SensorID, ColorIndex } of sensors)
    lamps.set(ColorIndex, [...(lamps.get(ColorIndex) ?? []), SensorID])
  return lamps
}

export interface Lamp {
  sensors: number[]
  /** Display color: amber if none is configured (§9). */
  color: Color
  /** Name of its color; undefined if the color is unknown. */
  name: ColorName | undefined
  /** Position from the top of the tower, from 1. */
  number: number
  /** Whether its name is unique within the tower. */
  isOnly: boolean
  /** 0 off, 1 lit, 2 flashing (§4); undefined before the first report. */
  state: number | undefined
}

type Values = Readonly<Record<string, unknown>> | undefined

/**
 * Lamps of a tower from the top. Without a grouping each sensor has its own lamp, in the colors of the last calibration. Lamps
 * without a unique color name are identified by number. A lamp flashes if any of its sensors sees it flash, and is lit if any sees
 * it lit.
 */
export function lampsOf(status: Values, group: LightHouseGroup | null): Lamp[] {
  const memorized = status?.['Colors'] as Color[] | undefined
  const sensors =
    group?.Sensors ??
    Array.from({ length: SENSORS }, (_, index) => ({ SensorID: index + 1, ColorIndex: index }))
  const colors = group?.Colors ?? memorized
  const lamps = [...byLamp(sensors)]
    .map(([index, ids]) => ({
      sensors: ids.sort((a, b) => a - b),
      color: colors?.[index] ?? DEFAULT_COLOR,
      name: colors?.[index] && colorName(colors[index]),
      state: ids
        .map((id) => status?.[`Sensor${id}`] as number | undefined)
        .reduce((best, state) => (state === undefined ? best : Math.max(best ?? 0, state)), undefined),
    }))
    .sort((a, b) => (a.sensors[0] as number) - (b.sensors[0] as number))
  return lamps.map((lamp, i) => ({
    ...lamp,
    number: i + 1,
    isOnly: lamp.name !== undefined && lamps.every(({ name }, j) => i === j || name !== lamp.name),
  }))
}

/** Whether a lamp flashes fast enough for an alarm: `rate` in flashes per minute, null for never. */
export const blinksAbnormally = (status: Values, rate: number | null): boolean =>
  rate !== null &&
  Array.from({ length: SENSORS }, (_, index) => status?.[`Sensor${index + 1}`]).includes(2) &&
  ((status?.['BlinkRate'] as number | undefined) ?? 0) >= rate

const COLOR_NAMES = ['red', 'amber', 'green', 'cyan', 'blue', 'purple', 'white'] as const
type ColorName = (typeof COLOR_NAMES)[number]

/** Name of a color, by its hue; white if its saturation is low. */
export function colorName({ Red, Green, Blue }: Color): ColorName {
  const brightest = Math.max(Red, Green, Blue)
  const span = brightest - Math.min(Red, Green, Blue)
  if (span < 0.2 * brightest || brightest === 0) return 'white'
  const sixth =
    brightest === Red
      ? ((Green - Blue) / span + 6) % 6
      : brightest === Green
        ? (Blue - Red) / span + 2
        : (Red - Green) / span + 4
  const hue = sixth * 60
  if (hue < 20 || hue >= 330) return 'red'
  if (hue < 70) return 'amber'
  if (hue < 165) return 'green'
  if (hue < 195) return 'cyan'
  return hue < 265 ? 'blue' : 'purple'
}

/** CSS color: '#ffc107'. */
export const colorHex = ({ Red, Green, Blue }: Color): string =>
  `#${[Red, Green, Blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`

/** Parses a CSS color '#rrggbb'; undefined for anything else. */
export function parseHex(hex: string): Color | undefined {
  const [, red, green, blue] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex) ?? []
  return red && green && blue
    ? { Red: parseInt(red, 16), Green: parseInt(green, 16), Blue: parseInt(blue, 16) }
    : undefined
}

/** Construction of a tower: one lamp that changes its color, or stacked lamps of one color each (§4). */
export const LIGHT_TYPES = ['column', 'stacked'] as const
export const LightType = z.enum(LIGHT_TYPES)
export type LightType = z.infer<typeof LightType>

/** Progress of a calibration (§4). `idle`: none is in progress. */
export const CALIBRATION_STEPS = [
  'idle',
  'initialized',
  'lightsOn',
  'lightsOff',
  'memorizing',
  'finished',
] as const
export type CalibrationStep = (typeof CALIBRATION_STEPS)[number]

const CALIBRATION_FAULTS = ['noContrast', 'colorsAlike', 'interrupted'] as const

const Count = z.number().int().min(1).max(MAX_COLORS)

/** State of a device's calibration. Every report contains all of it. */
export const Calibration = z.object({
  Step: z.enum(CALIBRATION_STEPS),
  LightType: LightType.optional(),
  /** Number of colors memorized so far, and the measured colors. */
  Count: z.number().int().min(0).max(MAX_COLORS).optional(),
  Colors: z.array(Color).max(MAX_COLORS).optional(),
  /** Set for a finished calibration. */
  Outcome: z.enum(['success', 'failure']).optional(),
  Fault: z.enum(CALIBRATION_FAULTS).optional(),
})
export type Calibration = z.infer<typeof Calibration>

/**
 * Step that the device should reach. It names a state, so repeating a command is harmless: to memorize the displayed color, send a
 * Count one higher than before; a smaller Count deletes the last colors.
 */
export const CalibrationCommand = z.union([
  z.strictObject({ Step: z.literal('idle') }),
  z.strictObject({ Step: z.literal('initialized'), LightType }),
  z.strictObject({ Step: z.literal('lightsOn') }),
  z.strictObject({ Step: z.literal('lightsOff') }),
  z.strictObject({ Step: z.literal('memorizing'), Count }),
  z.strictObject({ Step: z.literal('finished') }),
])
export type CalibrationCommand = z.infer<typeof CalibrationCommand>

/**
 * Whether a step is allowed now. Canceling and restarting are always allowed; a step may be repeated, and the lights may be
 * measured again until the first color is memorized.
 */
export function isAllowedTransition(now: Calibration | undefined, requested: CalibrationCommand): boolean {
  const step = now?.Step ?? 'idle'
  switch (requested.Step) {
    case 'idle':
    case 'initialized':
      return true
    case 'lightsOn':
      return step === 'initialized' || step === 'lightsOn' || step === 'lightsOff'
    case 'lightsOff':
      return step === 'lightsOn' || step === 'lightsOff'
    case 'memorizing':
      return step === 'lightsOff'
        ? requested.Count === 1
        : step === 'memorizing' && requested.Count <= (now?.Count ?? 0) + 1
    case 'finished':
      return step === 'finished' || (step === 'memorizing' && (now?.Count ?? 0) > 0)
  }
}

export const isInProgress = (now: Calibration | undefined): boolean =>
  now !== undefined && now.Step !== 'idle' && now.Step !== 'finished'

/** Values as in §4, as each sensor sees its lamp. */
export const LIGHT_STATES: Choices = [
  [0, 'noLight'],
  [1, 'lit'],
  [2, 'flashing'],
]

/** Sensors of one device, from the top of the tower (§9). */
export const SENSOR_IDS = Array.from({ length: SENSORS }, (_, index) => index + 1)
const sensorFields = SENSOR_IDS.map((id) => `Sensor${id}` as const)

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
