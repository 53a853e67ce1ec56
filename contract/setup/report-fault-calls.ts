import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { Millis, PeripheralUID } from '../kernel/scalars.ts'
import { ThingKey } from '../devices/thing.ts'

/**
 * Reason for which the gateway could not use what a hub sent: a value of the wrong type or outside its limits; a missing required
 * value; a number that JSON rounds; a clock that is ahead or behind; a message that is not JSON or has another shape; a reading of
 * a device that is not a meter; a device of another hub or of an unknown type.
 */
export const FAULT_REASONS = [
  'value',
  'missing',
  'inexact',
  'clockAhead',
  'clockBehind',
  'malformed',
  'notAMeter',
  'foreignDevice',
  'unknownType',
] as const
export type FaultReason = (typeof FAULT_REASONS)[number]

/**
 * Message that contained the value: a status or meter report, a shadow, an acknowledgement, a step of a firmware update, or a
 * report of unmapped values.
 */
export const FAULT_MESSAGES = [
  'status',
  'meter',
  'registration',
  'info',
  'control',
  'ota',
  'unmapped',
] as const
export type FaultMessage = (typeof FAULT_MESSAGES)[number]

export const MAX_FAULT_VALUE = 64
export const MAX_FAULT_FIELD = 128
/** Retention of a report fault in days, from its last occurrence. */
export const FAULT_DAYS = 7

/** Field from a hub that could not be used, with the last value received. */
export const ReportFault = z.object({
  /** Null for the hub itself. */
  PeripheralUID: PeripheralUID.nullable(),
  Message: z.enum(FAULT_MESSAGES),
  /** Path of the field, e.g. `ModbusValues.power`; empty for the whole message, or the whole part about the device. */
  Field: z.string(),
  Reason: z.enum(FAULT_REASONS),
  /** Value as text, shortened; null if there was none. For a clock, its offset in ms. */
  Came: z.string().nullable(),
  Count: z.number().int(),
  Since: Millis,
  LastAt: Millis,
  /** Time of the first valid value after the fault; null until then. */
  EndedAt: Millis.nullable(),
})
export type ReportFault = z.infer<typeof ReportFault>

export const reportFaults = {
  listReportFault: defineEndpoint({
    path: '/ListReportFault',
    summary:
      'Unusable fields in reports of a hub in the last 7 days: field, last value, count and first occurrence; ongoing ones first.',
    access: right('device', 'Read'),
    input: ThingKey,
    results: z.array(ReportFault),
    errors: ['NOT_FOUND'],
    shows: ['thing', 'peripheral'],
    freshFor: 10_000,
  }),
}
