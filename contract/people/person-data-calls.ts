import { z } from 'zod'
import { right, type FeatureKey } from '../kernel/permissions.ts'
import { credential } from '../kernel/credential.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import type { ShownEntity } from '../kernel/entities.ts'
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

interface PersonCall<P extends string, I extends z.ZodObject> {
  path: P
  summary: string
  feature: FeatureKey
  input: I
}

/** The gateway also requires the right to control the company, because an export includes audit rows. */
const exportCall = <P extends string, I extends z.ZodObject>({
  path,
  summary,
  feature,
  input,
}: PersonCall<P, I>) =>
  defineEndpoint({
    path,
    summary,
    access: right(feature, 'Export'),
    input,
    results: PersonData,
    errors: ['NOT_FOUND'],
    mutates: true,
    // The stored result of a RequestID would be a second copy.
    commitsItself: true,
    changes: [],
    why: 'It changes only the audit log.',
  })

/** Deletes the person's own data, and replaces name, address and phone by a pseudonym in the rows that stay. */
const eraseCall = <P extends string, I extends z.ZodObject>({
  path,
  summary,
  feature,
  input,
  changes,
}: PersonCall<P, I> & { changes: readonly ShownEntity[] }) =>
  defineEndpoint({
    path,
    summary,
    access: right(feature, 'Delete'),
    input,
    results: Erased,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes,
  })

const UserKey = z.object({ CognitoId })
const EmployeeKey = z.object({ EmployeeID })
const VisitorKey = z.object({ VisitorID })

/** Copies and erasure of what is stored about one person (Personal Data Protection Act, articles 3, 10 and 11; GDPR, articles 15 and 17). */
export const personData = {
  exportMyData: defineEndpoint({
    path: '/ExportMyData',
    summary: 'All stored data about the caller.',
    access: 'signed-in',
    input: z.object({}),
    results: PersonData,
    mutates: true,
    commitsItself: true,
    changes: [],
    why: 'It changes only the audit log.',
  }),
  exportUserData: exportCall({
    path: '/ExportUserData',
    summary: 'All stored data about a user; also requires the right to control the company.',
    feature: 'user',
    input: UserKey,
  }),
  exportEmployeeData: exportCall({
    path: '/ExportEmployeeData',
    summary:
      'All stored data about an employee in access control; also requires the right to control the company.',
    feature: 'access_control_employee',
    input: EmployeeKey,
  }),
  exportVisitorData: exportCall({
    path: '/ExportVisitorData',
    summary:
      'All stored data about a visitor, with all visits under the same address; also requires the right to control the company.',
    feature: 'access_control_visitor',
    input: VisitorKey,
  }),
  eraseUserData: eraseCall({
    path: '/EraseUserData',
    summary:
      'Erases a user, their employee record and visits under the same address. Confirmation is the address or name.',
    feature: 'user',
    input: UserKey.extend({ Confirmation }),
    changes: ['user', 'employee', 'visitor', 'automation', 'dashboard'],
  }),
  eraseEmployeeData: eraseCall({
    path: '/EraseEmployeeData',
    summary:
      'Erases an employee without an account, and visits under the same address. Confirmation is the address or name.',
    feature: 'access_control_employee',
    input: EmployeeKey.extend({ Confirmation }),
    changes: ['employee', 'visitor'],
  }),
  eraseVisitorData: eraseCall({
    path: '/EraseVisitorData',
    summary:
      'Erases a visitor without an account or employee record, with all visits under the same address. Confirmation is the address or name.',
    feature: 'access_control_visitor',
    input: VisitorKey.extend({ Confirmation }),
    changes: ['visitor'],
  }),
}
