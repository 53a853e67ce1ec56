import { z } from 'zod'
import { oneOf, type Capability, type Choices } from './capability.ts'
import { CLEAN_FILTER, shared, TAISEIA_TYPES } from './taiseia.ts'

/** The nine modes of the standard (§4, 0-8). */
export const DEHUMIDIFIER_MODES: Choices = [
  [0, 'dehumidifyAuto'],
  [1, 'dehumidifySet'],
  [2, 'dehumidifyContinuous'],
  [3, 'clothesDrying'],
  [4, 'airClean'],
  [5, 'mildewProof'],
  [6, 'fan'],
  [7, 'comfort'],
  [8, 'lowHumidityDrying'],
]
const FAN_SPEEDS: Choices = [
  [0, 'auto'],
  [1, 'quiet'],
  [2, 'standard'],
  [3, 'turbo'],
]

const command = {
  Switch: shared.Switch,
  DehumidifierMode: oneOf(DEHUMIDIFIER_MODES),
  TargetHumidity: z.number().int().min(40).max(70).multipleOf(5),
  FanSpeed: shared.FanSpeed,
  ScheduleOff: shared.ScheduleOff,
}

export const dehumidifier: Capability = {
  name: 'dehumidifier',
  when: { TaiSEIAType: TAISEIA_TYPES.dehumidifier },
  status: {
    ...command,
    TaiSEIAType: shared.TaiSEIAType,
    IndoorTemperature: shared.IndoorTemperature,
    IndoorHumidity: shared.IndoorHumidity,
    TankFull: shared.Switch,
    CleanFilter: shared.CleanFilter,
  },
  command,
  summary: ['Switch', 'IndoorHumidity'],
  units: { TargetHumidity: '%', IndoorTemperature: '°C', IndoorHumidity: '%', ScheduleOff: 'h' },
  choices: {
    DehumidifierMode: DEHUMIDIFIER_MODES,
    FanSpeed: FAN_SPEEDS,
    TankFull: [
      [0, 'tankNotFull'],
      [1, 'tankFull', 'warning'],
    ],
    CleanFilter: CLEAN_FILTER,
  },
}
