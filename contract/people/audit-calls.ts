import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { pageOf, PageInput, CognitoId, Millis } from '../kernel/scalars.ts'

/** Audit entry: who changed what, when and from where. Secrets are masked before it is written. */
export const AuditRow = z.object({
  AuditID: z.number().int(),
  At: Millis,
  /** Null for the gateway itself. */
  CognitoId: CognitoId.nullable(),
  /** The person's name at that time. */
  ByName: z.string(),
  Ip: z.string(),
  RequestId: z.string(),
  /** The call, e.g. /UpdateRoomInfo. */
  Path: z.string(),
  /** Input of the call, and the record before and after if the call provides them. */
  Input: z.unknown(),
  Before: z.unknown(),
  After: z.unknown(),
})
export type AuditRow = z.infer<typeof AuditRow>

/** Person to filter the log by; includes people who were deleted. */
export const AuditPerson = AuditRow.pick({ CognitoId: true, ByName: true })

/**
 * The audit covers every record of a company, so reading it needs Control of the company; downloading it also needs Export (§6).
 */
const access = right('company', 'Control')

export const audit = {
  listAuditLog: defineEndpoint({
    path: '/ListAuditLog',
    summary: 'Audit log: who changed what, newest first, filtered by time, person, call and text.',
    access,
    sites: 'company',
    input: PageInput.extend({
      From: Millis.optional(),
      Until: Millis.optional(),
      CognitoId: CognitoId.optional(),
      Path: z
        .string()
        .regex(/^\/\w{1,64}$/, 'invalid')
        .optional(),
      /** Words contained in the input, or in the record before or after. */
      Search: z.string().trim().max(100).default(''),
    }),
    results: pageOf(AuditRow),
    shows: [],
    why: 'Every mutation adds a row, and no event reports it.',
    freshFor: 0,
  }),
  listAuditChoice: defineEndpoint({
    path: '/ListAuditChoice',
    summary: 'People and calls in the audit log, as filter options.',
    access,
    sites: 'company',
    input: z.object({}),
    results: z.object({ People: z.array(AuditPerson), Paths: z.array(z.string()) }),
    shows: [],
    why: 'Every mutation adds a row, and no event reports it.',
    freshFor: 0,
  }),
}
