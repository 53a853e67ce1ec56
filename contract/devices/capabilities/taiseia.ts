import { z } from 'zod'
import { OnOff, oneOf, type Choices } from './capability.ts'

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
export const shared = {
  TaiSEIAType: oneOf(TAISEIA_TYPE),
  Switch: OnOff,
  FanSpeed: z.number().int().min(0).max(15),
  IndoorTemperature: Celsius,
  OutdoorTemperature: Celsius,
  IndoorHumidity: z.number().min(0).max(100),
  CleanFilter: oneOf(CLEAN_FILTER),
  ScheduleOff,
} as const
