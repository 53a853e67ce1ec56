import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { credential } from '../kernel/credential.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { CognitoId, EmployeeID, Millis, VisitorID } from '../kernel/scalars.ts'

/** Maximum rows per section of an export; the newest are kept, the others are counted in LeftOut. */
export const MAX_EXPORTED_ROWS = 20_000

/** Everything that is stored about one person, by section such as `Profile` or `Bookings`; times are ISO 8601. */
export const PersonData = z.object({
  ExportedAt: Millis,
  Sections: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  /**
   * Rows left out, by section: beyond the maximum, or notifications that the caller may not read; empty if the export is complete.
   */
  LeftOut: z.record(z.string(), z.number().int()),
})
export type PersonData = z.infer<typeof PersonData>

/** Email address or name of the person, typed to confirm. Flagged as a credential so that the audit masks it. */
const Confirmation = credential(z.string().trim().min(1, 'required').max(320, 'tooLong'))
const Erased = z.object({ Pseudonym: z.string() })

/** Common part of exports. The gateway also requires the right to control the company, because an export includes audit rows. */
const EXPORT = {
  sites: 'company',
  results: PersonData,
  errors: ['NOT_FOUND'],
  mutates: true,
  // The stored result of a RequestID would be a second copy.
  commitsItself: true,
  changes: [],
  why: 'It changes only the audit log.',
} as const

/** Common part of erasures: deletes the person's own data, and replaces name, address and phone by a pseudonym in the rows that stay. */
const ERASE = { sites: 'company', results: Erased, errors: ['NOT_FOUND', 'CONFLICT'], mutates: true } as const

const UserKey = z.object({ CognitoId })
const EmployeeKey = z.object({ EmployeeID })
const VisitorKey = z.object({ VisitorID })

/** Copies and erasure of what is stored about one person (Personal Data Protection Act, articles 3, 10 and 11; GDPR, articles 15 and 17). */
export const personData = {
  exportMyData: defineEndpoint({
    path: '/ExportMyData',
    summary: 'All stored data about the caller.',
    access: 'signed-in',
    sites: 'none',
    input: z.object({}),
    results: PersonData,
    mutates: true,
    commitsItself: true,
    changes: [],
    why: 'It changes only the audit log.',
  }),
  exportUserData: defineEndpoint({
    ...EXPORT,
    path: '/ExportUserData',
    summary: 'All stored data about a user; also requires the right to control the company.',
    access: right('user', 'Export'),
    input: UserKey,
  }),
  exportEmployeeData: defineEndpoint({
    ...EXPORT,
    path: '/ExportEmployeeData',
    summary:
      'All stored data about an employee in access control; also requires the right to control the company.',
    access: right('access_control_employee', 'Export'),
    input: EmployeeKey,
  }),
  exportVisitorData: defineEndpoint({
    ...EXPORT,
    path: '/ExportVisitorData',
    summary:
      'All stored data about a visitor, with all visits under the same address; also requires the right to control the company.',
    access: right('access_control_visitor', 'Export'),
    input: VisitorKey,
  }),
  eraseUserData: defineEndpoint({
    ...ERASE,
    path: '/EraseUserData',
    summary:
      'Erases a user, their employee record and visits under the same address. Confirmation is the address or name.',
    access: right('user', 'Delete'),
    input: UserKey.extend({ Confirmation }),
    changes: ['user', 'employee', 'visitor', 'automation', 'dashboard'],
  }),
  eraseEmployeeData: defineEndpoint({
    ...ERASE,
    path: '/EraseEmployeeData',
    summary:
      'Erases an employee without an account, and visits under the same address. Confirmation is the address or name.',
    access: right('access_control_employee', 'Delete'),
    input: EmployeeKey.extend({ Confirmation }),
    changes: ['employee', 'visitor'],
  }),
  eraseVisitorData: defineEndpoint({
    ...ERASE,
    path: '/EraseVisitorData',
    summary:
      'Erases a visitor without an account or employee record, with all visits under the same address. Confirmation is the address or name.',
    access: right('access_control_visitor', 'Delete'),
    input: VisitorKey.extend({ Confirmation }),
    changes: ['visitor'],
  }),
}
