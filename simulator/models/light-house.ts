import {
  type Calibration,
  type CalibrationCommand,
  type Color,
  SENSORS,
} from '../../contract/devices/capabilities/light-house.ts'
import type { Model } from './model.ts'

type Light = 0 | 1 | 2

export interface LightHouse {
  lights: Light[]
  blinkRate: number
  /** Colors memorized by the last successful calibration. */
  colors: Color[]
  calibration: Calibration
  /** Seconds since the last calibration step. */
  waiting: number
  /** SensorID of a covered sensor; null if none is covered. */
  covered: number | null
}

/** Colors of the lamps of a tower as a sensor sees them, from its top. */
const TOWER: readonly Color[] = [
  { Red: 244, Green: 33, Blue: 28 },
  { Red: 255, Green: 190, Blue: 12 },
  { Red: 22, Green: 196, Blue: 84 },
  { Red: 28, Green: 92, Blue: 240 },
  { Red: 236, Green: 236, Blue: 228 },
  { Red: 150, Green: 42, Blue: 214 },
]

/** Seconds after which a calibration without a further step is aborted. */
export const CALIBRATION_TIMEOUT_S = 3600

const isUnderWay = ({ Step }: Calibration) => Step !== 'idle' && Step !== 'finished'

/**
 * Five sensors on a machine's signal tower. During calibration the tower shows what each step requires; a covered sensor sees none
 * of it, and the calibration fails.
 */
export const lightHouse: Model<LightHouse> = {
  make: (_type, { coveredSensor = null, memorized = 0 }) => ({
    lights: Array.from({ length: SENSORS }, () => 0 as const),
    blinkRate: 0,
    colors: TOWER.slice(0, memorized),
    calibration: { Step: 'idle' },
    waiting: 0,
    covered: coveredSensor,
  }),
  step(state, seconds, { tower, blinkRate }) {
    if (!isUnderWay(state.calibration))
      return { ...state, lights: Array.from({ length: SENSORS }, (_, i) => tower[i] ?? 0), blinkRate }
    const waiting = state.waiting + seconds
    if (waiting < CALIBRATION_TIMEOUT_S) return { ...state, waiting }
    return { ...state, calibration: failed(state.calibration, 'interrupted') }
  },
  report({ lights, blinkRate, colors, calibration, covered }) {
    const seen = lights.map((light, i) => (i + 1 === covered ? 0 : light))
    return {
      ...Object.fromEntries(seen.map((light, i) => [`Sensor${i + 1}`, light])),
      BlinkRate: seen.includes(2) ? blinkRate : 0,
      Colors: colors,
      Calibration: calibration,
    }
  },
  command(state, { Calibration: wanted }) {
    if (!wanted) return state
    const calibration = proceed(state, wanted as CalibrationCommand)
    const success = calibration.Outcome === 'success'
    return {
      ...state,
      calibration,
      waiting: 0,
      lights: Array.from({ length: SENSORS }, (_, i) => lightDuring(calibration, i)),
      blinkRate: 0,
      colors: success ? (calibration.Colors ?? []) : state.colors,
    }
  },
  draws: () => 0,
}

/** State of a lamp that the operator shows at a calibration step. */
const lightDuring = ({ Step, Count = 0 }: Calibration, lamp: number): Light =>
  Step === 'lightsOn' || (Step === 'memorizing' && lamp === Count - 1) ? 1 : 0

function proceed({ calibration, covered }: LightHouse, requested: CalibrationCommand): Calibration {
  const { LightType } = calibration
  switch (requested.Step) {
    case 'idle':
      return { Step: 'idle' }
    case 'initialized':
      return { Step: 'initialized', LightType: requested.LightType, Count: 0, Colors: [] }
    case 'lightsOn':
    case 'lightsOff':
      return { Step: requested.Step, LightType, Count: 0, Colors: [] }
    case 'memorizing':
      return {
        Step: 'memorizing',
        LightType,
        Count: requested.Count,
        Colors: TOWER.slice(0, requested.Count),
      }
    case 'finished':
      if (calibration.Step === 'finished') return calibration
      return covered === null
        ? { ...calibration, Step: 'finished', Outcome: 'success' }
        : failed(calibration, 'noContrast')
  }
}

const failed = (calibration: Calibration, Fault: Calibration['Fault']): Calibration => ({
  ...calibration,
  Step: 'finished',
  Outcome: 'failure',
  Fault,
})
