import { z } from 'zod'
import { OnOff, oneOf, type Choices, type Capability } from './capability.ts'

/** TaiSEIA 101 type IDs of the supported appliances of type 527. */
export const TAISEIA_TYPES = { airConditioner: 1, dehumidifier: 4, ventilation: 14 } as const

const TAISEIA_TYPE: Choices = [
  [TAISEIA_TYPES.airConditioner, 'airConditioner'],
  [TAISEIA_TYPES.dehumidifier, 'dehumidifier'],
  [TAISEIA_TYPES.ventilation, 'ventilation'],
]

/** Values as in §4. */
export const CLEAN_FILTER: Choices = [
  [0, 'filterNormal'],
  [1, 'filterNeedsCleaning', 'warning'],
]

/** Hours until the appliance turns itself off, 0 for never (§9). */
export const ScheduleOff = z.number().int().min(0).max(99)

const Celsius = z.number().min(-60).max(125)

/** Fields that several appliances share. FanSpeed is 0-15 in the standard; each appliance offers a subset. */
const shared = {
  TaiSEIAType: oneOf(TAISEIA_TYPE),
  Switch: OnOff,
  FanSpeed: z.number().int().min(0).max(15),
  IndoorTemperature: Celsius,
  OutdoorTemperature: Celsius,
  IndoorHumidity: z.number().min(0).max(100),
  CleanFilter: oneOf(CLEAN_FILTER),
  ScheduleOff,
} as const

/** Values as in §4. */
export const AC_MODES: Choices = [
  [0, 'cooling'],
  [1, 'dehumidify'],
  [2, 'fan'],
  [3, 'auto'],
  [4, 'heat'],
]
const AC_FAN_SPEEDS: Choices = [
  [0, 'auto'],
  [1, 'fanLevel1'],
  [2, 'fanLevel2'],
  [3, 'fanLevel3'],
  [4, 'fanLevel4'],
  [5, 'fanLevel5'],
]
/** §4 names the field; the values are an assumption, because the standard defines the service without them. */
const MOISTURIZING: Choices = [
  [0, 'none'],
  [1, 'low'],
  [2, 'high'],
]
/** Values as in §4. */
const PANEL: Choices = [
  [0, 'panelLight'],
  [1, 'panelDim'],
  [2, 'panelOff'],
  [3, 'panelAllOff'],
]

/** Minutes until the appliance turns itself on or off, in steps of an hour; 0 is no timer (§9). */
const Timer = z.number().int().min(0).max(1440).multipleOf(60)

const acCommand = {
  Switch: shared.Switch,
  ACMode: oneOf(AC_MODES),
  FanSpeed: shared.FanSpeed,
  TargetTemperature: z.number().int().min(16).max(30),
  OnTimer: Timer,
  OffTimer: Timer,
  Moisturizing: oneOf(MOISTURIZING),
  Panel: oneOf(PANEL),
}

export const airConditioner: Capability = {
  name: 'airConditioner',
  when: { TaiSEIAType: TAISEIA_TYPES.airConditioner },
  status: {
    ...acCommand,
    TaiSEIAType: shared.TaiSEIAType,
    IndoorTemperature: shared.IndoorTemperature,
    OutdoorTemperature: shared.OutdoorTemperature,
    CleanFilter: shared.CleanFilter,
  },
  command: acCommand,
  summary: ['Switch', 'TargetTemperature'],
  units: {
    TargetTemperature: '°C',
    IndoorTemperature: '°C',
    OutdoorTemperature: '°C',
    OnTimer: 'min',
    OffTimer: 'min',
  },
  choices: {
    ACMode: AC_MODES,
    FanSpeed: AC_FAN_SPEEDS,
    Moisturizing: MOISTURIZING,
    Panel: PANEL,
    CleanFilter: CLEAN_FILTER,
  },
}

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
const DEHUMIDIFIER_FAN_SPEEDS: Choices = [
  [0, 'auto'],
  [1, 'quiet'],
  [2, 'standard'],
  [3, 'turbo'],
]

const dehumidifierCommand = {
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
    ...dehumidifierCommand,
    TaiSEIAType: shared.TaiSEIAType,
    IndoorTemperature: shared.IndoorTemperature,
    IndoorHumidity: shared.IndoorHumidity,
    TankFull: shared.Switch,
    CleanFilter: shared.CleanFilter,
  },
  command: dehumidifierCommand,
  summary: ['Switch', 'IndoorHumidity'],
  units: { TargetHumidity: '%', IndoorTemperature: '°C', IndoorHumidity: '%', ScheduleOff: 'h' },
  choices: {
    DehumidifierMode: DEHUMIDIFIER_MODES,
    FanSpeed: DEHUMIDIFIER_FAN_SPEEDS,
    TankFull: [
      [0, 'tankNotFull'],
      [1, 'tankFull', 'warning'],
    ],
    CleanFilter: CLEAN_FILTER,
  },
}

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
const VENTILATION_FAN_SPEEDS: Choices = [
  [0, 'low'],
  [1, 'high'],
]

const ventilationCommand = {
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
    ...ventilationCommand,
    TaiSEIAType: shared.TaiSEIAType,
    IndoorTemperature: shared.IndoorTemperature,
    OutdoorTemperature: shared.OutdoorTemperature,
    CleanFilter: shared.CleanFilter,
  },
  command: ventilationCommand,
  summary: ['Switch', 'BreathMode'],
  units: { IndoorTemperature: '°C', OutdoorTemperature: '°C', ScheduleOff: 'h' },
  choices: {
    BreathMode: BREATH_MODES,
    PreHeatCool: PRE_HEAT_COOL,
    FanSpeed: VENTILATION_FAN_SPEEDS,
    CleanFilter: CLEAN_FILTER,
  },
}
