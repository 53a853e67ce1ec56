import { z } from 'zod'
import { HistoryField } from '../devices/kinds/history-fields.ts'
import { PeripheralUID } from '../kernel/scalars.ts'
import { COMPARISONS } from './comparison.ts'
import { Window } from './schedule.ts'

/** Most conditions of one automation (§5, §9). */
export const MAX_CONDITIONS = 8

/** Seconds between two firings of one automation: "trigger frequency" (§9). */
export const RETRIGGER_INTERVALS = [5, 10, 20, 30, 60, 120, 180, 240, 300] as const

/** Seconds after which the end actions run: "end duration", 0 never (§9). */
export const END_DURATIONS = [
  0, 60, 120, 180, 240, 300, 600, 900, 1200, 1800, 2100, 2400, 2700, 3000, 3300, 3600, 7200, 10_800, 14_400,
  18_000,
] as const

/** Fields that every device has beside what it reports: whether its hub is there, and seconds since its last report. */
export const PSEUDO_FIELDS = ['Online', 'SilentFor'] as const
/** Sums of a meter, kWh in the hour, day and month that run. */
export const METER_SUMS = ['HourlyKwh', 'DailyKwh', 'MonthlyKwh'] as const
export type MeterSum = (typeof METER_SUMS)[number]
export const isMeterSum = (field: string): field is MeterSum => METER_SUMS.some((sum) => sum === field)
/** Measures of a home as a whole, kW and per cent of the contract. */
export const HOME_MEASURES = ['DemandRolling', 'DemandForecast', 'DemandShare'] as const
/** Stands for the home as a whole where a PeripheralUID does. */
export const HOME_SUBJECT = 'home'

/** A value of a condition has two decimals at most (§5). */
const Value = z
  .number()
  .min(-1e12, 'tooSmall')
  .max(1e12, 'tooBig')
  .refine(
    (value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6 * Math.max(1, Math.abs(value)),
    'decimals',
  )

/**
 * One comparison (§3).
 *
 * PeripheralUID  a device, a virtual meter (`virtual-…`), or `home`
 * Field          a status field or path of the device (`HistoryField`), a pseudo-field, or a sum
 * Status         what it is compared with; two values, the lower first, for between and outside
 * Logical        how it is compared; `between` includes both ends, `outside` neither
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
 * What makes an automation fire: its conditions go from not true to true as a whole (§3).
 *
 * Logical            how the conditions are joined; one that is unknown makes neither true nor false by itself
 * RetriggerInterval  least seconds between two firings
 * Repeat             whether it fires again every RetriggerInterval while it stays true
 * For                seconds that it must have been true
 * Period             when it is awake; none is always
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
