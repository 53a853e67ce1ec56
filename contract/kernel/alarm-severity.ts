import { z } from 'zod'

/** Severity of an alarm, highest first. */
export const ALARM_SEVERITIES = ['critical', 'warning'] as const
export const AlarmSeverity = z.enum(ALARM_SEVERITIES)
export type AlarmSeverity = z.infer<typeof AlarmSeverity>
