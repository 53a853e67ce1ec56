import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { pageOf, PageInput } from '../kernel/page.ts'
import { CognitoId, Millis } from '../kernel/scalars.ts'

/** Who changed what, when and from where; secrets are hidden before it is written. */
export const AuditRow = z.object({
  AuditID: z.number().int(),
  /** When, epoch ms. */
  At: Millis,
  /** Null for the gateway itself. */
  CognitoId: CognitoId.nullable(),
  /** The person's name as it was then. */
  ByName: z.string(),
  Ip: z.string(),
  RequestId: z.string(),
  /** The call, e.g. /UpdateRoomInfo. */
  Path: z.string(),
  /** What was sent, and the record before and after where the call tells. */
  Input: z.unknown(),
  Before: z.unknown(),
  After: z.unknown(),
})
export type AuditRow = z.infer<typeof AuditRow>

/** Whom the log shows by: somebody who has left is in it too. */
export const AuditPerson = AuditRow.pick({ CognitoId: true, ByName: true })

/** The audit tells of every record of a company, so it has a right of its own: Control of the company; who takes it away as a file needs the company's Export, too (§6). */
const access = right('company', 'Control')

export const audit = {
  listAuditLog: defineEndpoint({
    path: '/ListAuditLog',
    summary: 'Who changed what, newest first, by time, person, call and words.',
    access,
    input: PageInput.extend({
      From: Millis.optional(),
      Until: Millis.optional(),
      CognitoId: CognitoId.optional(),
      Path: z
        .string()
        .regex(/^\/\w{1,64}$/, 'invalid')
        .optional(),
      /** Words that stand in what was sent, or in the record before or after. */
      Search: z.string().trim().max(100).default(''),
    }),
    results: pageOf(AuditRow),
    shows: [],
    why: 'Every mutation adds a row, and no event tells of it.',
    freshFor: 0,
  }),
  listAuditChoice: defineEndpoint({
    path: '/ListAuditChoice',
    summary: 'The people and the calls that the log has rows of, to filter by.',
    access,
    input: z.object({}),
    results: z.object({ People: z.array(AuditPerson), Paths: z.array(z.string()) }),
    shows: [],
    why: 'Every mutation adds a row, and no event tells of it.',
    freshFor: 0,
  }),
}
