import { z } from 'zod'
import { HistoryField } from '../devices/kinds/history-fields.ts'
import { PeripheralUID } from '../kernel/scalars.ts'
import { COMPARISONS } from './comparison.ts'
import { Window } from './schedule.ts'

/** Maximum conditions of one automation (§5, §9). */
export const MAX_CONDITIONS = 8

/** Minimum seconds between two firings of one automation: "trigger frequency" (§9). */
export const RETRIGGER_INTERVALS = [5, 10, 20, 30, 60, 120, 180, 240, 300] as const

/** Seconds after which the end actions run: "end duration", 0 never (§9). */
export const END_DURATIONS = [
  0, 60, 120, 180, 240, 300, 600, 900, 1200, 1800, 2100, 2400, 2700, 3000, 3300, 3600, 7200, 10_800, 14_400,
  18_000,
] as const

/** Fields that every device has in addition to its reports: whether its hub is online, and seconds since its last report. */
export const PSEUDO_FIELDS = ['Online', 'SilentFor'] as const
/** Sums of a meter in kWh: of the current hour, day and month. */
export const METER_SUMS = ['HourlyKwh', 'DailyKwh', 'MonthlyKwh'] as const
export type MeterSum = (typeof METER_SUMS)[number]
export const isMeterSum = (field: string): field is MeterSum => METER_SUMS.some((sum) => sum === field)
/** Measures of a home as a whole, in kW and in percent of the contract capacity. */
export const HOME_MEASURES = ['DemandRolling', 'DemandForecast', 'DemandShare'] as const
/** Subject of conditions about the home as a whole, in place of a PeripheralUID. */
export const HOME_SUBJECT = 'home'

/** Compared value; at most two decimals (§5). */
const Value = z
  .number()
  .min(-1e12, 'tooSmall')
  .max(1e12, 'tooBig')
  .refine(
    (value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6 * Math.max(1, Math.abs(value)),
    'decimals',
  )

/**
 * Comparison of one value (§3).
 *
 * PeripheralUID  a device, a virtual meter (`virtual-…`), or `home`
 * Field          a status field or path of the device (`HistoryField`), a pseudo-field, or a sum
 * Status         value to compare with; two values, the lower first, for between and outside
 * Logical        comparison; `between` includes both limits, `outside` neither
 * Clear          hysteresis of > >= < <= : once true, false only past this value
 */
export const Condition = z
  .strictObject({
    PeripheralUID,
    Field: HistoryField,
    Status: z.union([Value, z.tuple([Value, Value])]).default(0),
    Logical: z.enum(COMPARISONS),
    Clear: Value.optional(),
  })
  .superRefine(({ Status, Logical, Clear }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    const isRange = Logical === 'between' || Logical === 'outside'
    if (isRange !== Array.isArray(Status)) return refuse('Status', 'invalid')
    if (Array.isArray(Status) && Status[0] > Status[1]) refuse('Status', 'upperBelowLower')
    if (Clear === undefined) return
    const falls = Logical === '>' || Logical === '>='
    const rises = Logical === '<' || Logical === '<='
    if (!falls && !rises) refuse('Clear', 'invalid')
    else if (falls ? Clear > (Status as number) : Clear < (Status as number)) refuse('Clear', 'invalid')
  })
export type Condition = z.output<typeof Condition>

/**
 * Trigger of an automation: it fires when its conditions as a whole change from not true to true (§3).
 *
 * Logical            combines the conditions; an unknown one leaves the result unknown unless the others decide it
 * RetriggerInterval  minimum seconds between two firings
 * Repeat             whether it fires every RetriggerInterval while the conditions stay true
 * For                seconds that the conditions must have been true
 * Period             when the automation is active; empty is always
 */
export const Conditions = z.strictObject({
  PeripheralUIDs: z.array(Condition).min(1, 'required').max(MAX_CONDITIONS, 'tooManyConditions'),
  Logical: z.enum(['AND', 'OR']).default('AND'),
  RetriggerInterval: z.literal(RETRIGGER_INTERVALS).default(5),
  Repeat: z.boolean().default(false),
  For: z.number().int().min(0, 'tooSmall').max(86_400, 'tooBig').default(0),
  Period: z.array(Window).max(7, 'tooManyRows').default([]),
})
export type Conditions = z.output<typeof Conditions>
