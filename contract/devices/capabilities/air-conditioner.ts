import { z } from 'zod'
import { oneOf, type Capability, type Choices } from './capability.ts'
import { CLEAN_FILTER, shared, TAISEIA_TYPES } from './taiseia.ts'

/** Values as in §4. */
export const AC_MODES: Choices = [
  [0, 'cooling'],
  [1, 'dehumidify'],
  [2, 'fan'],
  [3, 'auto'],
  [4, 'heat'],
]
const FAN_SPEEDS: Choices = [
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

const command = {
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
    ...command,
    TaiSEIAType: shared.TaiSEIAType,
    IndoorTemperature: shared.IndoorTemperature,
    OutdoorTemperature: shared.OutdoorTemperature,
    CleanFilter: shared.CleanFilter,
  },
  command,
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
    FanSpeed: FAN_SPEEDS,
    Moisturizing: MOISTURIZING,
    Panel: PANEL,
    CleanFilter: CLEAN_FILTER,
  },
}
