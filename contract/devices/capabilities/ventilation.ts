import { oneOf, type Capability, type Choices } from './capability.ts'
import { CLEAN_FILTER, shared, TAISEIA_TYPES } from './taiseia.ts'

/** Values as in §4. */
export const BREATH_MODES: Choices = [
  [0, 'breathAuto'],
  [1, 'heatExchange'],
  [2, 'breathNormal'],
]
/** Minutes of pre-heating or pre-cooling before people arrive (§4). */
export const PRE_HEAT_COOL: Choices = [
  [0, 'none'],
  [1, 'minutes30'],
  [2, 'minutes60'],
]
const FAN_SPEEDS: Choices = [
  [0, 'low'],
  [1, 'high'],
]

const command = {
  Switch: shared.Switch,
  BreathMode: oneOf(BREATH_MODES),
  PreHeatCool: oneOf(PRE_HEAT_COOL),
  FanSpeed: shared.FanSpeed,
  ScheduleOff: shared.ScheduleOff,
}

/** Energy-recovery ventilator (total heat exchanger). */
export const ventilation: Capability = {
  name: 'ventilation',
  when: { TaiSEIAType: TAISEIA_TYPES.ventilation },
  status: {
    ...command,
    TaiSEIAType: shared.TaiSEIAType,
    IndoorTemperature: shared.IndoorTemperature,
    OutdoorTemperature: shared.OutdoorTemperature,
    CleanFilter: shared.CleanFilter,
  },
  command,
  summary: ['Switch', 'BreathMode'],
  units: { IndoorTemperature: '°C', OutdoorTemperature: '°C', ScheduleOff: 'h' },
  choices: {
    BreathMode: BREATH_MODES,
    PreHeatCool: PRE_HEAT_COOL,
    FanSpeed: FAN_SPEEDS,
    CleanFilter: CLEAN_FILTER,
  },
}
