import { z } from 'zod'

/** How much something that needs somebody, or may, matters. Information needs nobody. */
export const SEVERITIES = ['critical', 'warning', 'info'] as const
export const Severity = z.enum(SEVERITIES)
export type Severity = z.infer<typeof Severity>
