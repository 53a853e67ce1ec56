import { z } from 'zod'
import { defineEndpoint } from '../kernel/define-endpoint.ts'

/** A person's own settings (§3). DecimalPrecision in digits, default 2. */
export const PersonalConfig = z.object({
  Notification: z.boolean(),
  CustomDashboard: z.string().max(65_536),
  DecimalPrecision: z.number().int().min(0).max(6),
  Language: z.enum(['zh-TW', 'en-US']).nullable(),
})
export type PersonalConfig = z.infer<typeof PersonalConfig>

export const DEFAULT_PERSONAL_CONFIG: PersonalConfig = {
  Notification: false,
  CustomDashboard: 'DEFAULT',
  DecimalPrecision: 2,
  Language: null,
}

export const personal = {
  getPersonalConfig: defineEndpoint({
    path: '/GetPersonalConfig',
    method: 'GET',
    summary: 'My settings.',
    access: 'signed-in',
    input: z.object({}),
    results: PersonalConfig,
  }),
  updatePersonalConfig: defineEndpoint({
    path: '/UpdatePersonalConfig',
    summary: 'Changes my settings; fields left out stay.',
    access: 'signed-in',
    input: PersonalConfig.partial(),
    results: PersonalConfig,
    mutates: true,
  }),
}
