import { z } from 'zod'

/** Severity of an alarm, notification or attention item, highest first. Information needs no action. */
export const SEVERITIES = ['critical', 'warning', 'info'] as const
export const Severity = z.enum(SEVERITIES)
export type Severity = z.infer<typeof Severity>

/** Severity of an alarm, highest first. */
export const ALARM_SEVERITIES = ['critical', 'warning'] as const
export const AlarmSeverity = z.enum(ALARM_SEVERITIES)
export type AlarmSeverity = z.infer<typeof AlarmSeverity>
