import { z } from 'zod'
import { right, type FeatureKey } from '../../features.ts'
import { credential } from '../../kernel/credential.ts'
import { defineEndpoint } from '../../kernel/define-endpoint.ts'
import { CognitoId, EmployeeID, Millis, VisitorID } from '../../kernel/scalars.ts'

/** Rows of one section that an export has at most, the newest; what is left out is counted. */
export const MAX_EXPORTED_ROWS = 20_000

/** Everything that is stored about one person, by section such as `Profile` or `Bookings`; times are ISO 8601. */
export const PersonData = z.object({
  ExportedAt: Millis,
  Sections: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  /** Rows that are left out, by section: beyond the maximum, or notifications that the caller may not read; empty if the export is complete. */
  LeftOut: z.record(z.string(), z.number().int()),
})
export type PersonData = z.infer<typeof PersonData>

/** The address or name of the person, typed to confirm. It is flagged as a credential so that no audit row keeps it. */
const Confirmation = credential(z.string().trim().min(1, 'required').max(320, 'tooLong'))
const Erased = z.object({ Pseudonym: z.string() })

const exportCall = <P extends string, I extends z.ZodObject>(
  path: P,
  what: string,
  feature: FeatureKey,
  input: I,
) =>
  defineEndpoint({
    path,
    summary: `Everything that is stored about ${what}, for a copy that the person asks for; needs the right to control the company as well, since it includes audit rows.`,
    access: right(feature, 'Export'),
    input,
    results: PersonData,
    errors: ['NOT_FOUND'],
    mutates: true,
    // A stored result of a RequestID would keep a second copy.
    commitsItself: true,
    changes: [],
    why: 'It changes nothing but the audit.',
  })

const eraseCall = <P extends string, I extends z.ZodObject>(
  path: P,
  what: string,
  feature: FeatureKey,
  input: I,
) =>
  defineEndpoint({
    path,
    summary: `Erases ${what}: deletes what is theirs, and replaces name, address and phone by a pseudonym in what stays. Confirmation is the person's address or name.`,
    access: right(feature, 'Delete'),
    input,
    results: Erased,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['user', 'employee', 'visitor', 'automation', 'dashboard', 'conferenceRoom'],
  })

const UserKey = z.object({ CognitoId })
const EmployeeKey = z.object({ EmployeeID })
const VisitorKey = z.object({ VisitorID })

/** Copies and erasure of what is stored about one person (Personal Data Protection Act, articles 3, 10 and 11; GDPR, articles 15 and 17). */
export const personData = {
  exportMyData: defineEndpoint({
    path: '/ExportMyData',
    summary: 'Everything that is stored about me.',
    access: 'signed-in',
    input: z.object({}),
    results: PersonData,
    mutates: true,
    commitsItself: true,
    changes: [],
    why: 'It changes nothing but the audit.',
  }),
  exportUserData: exportCall('/ExportUserData', 'a user', 'user', UserKey),
  exportEmployeeData: exportCall(
    '/ExportEmployeeData',
    'an employee at doors',
    'access_control_employee',
    EmployeeKey,
  ),
  exportVisitorData: exportCall(
    '/ExportVisitorData',
    'a visitor, with all visits under the same address',
    'access_control_visitor',
    VisitorKey,
  ),
  eraseUserData: eraseCall(
    '/EraseUserData',
    'a user, their employee record and visits under the same address',
    'user',
    UserKey.extend({ Confirmation }),
  ),
  eraseEmployeeData: eraseCall(
    '/EraseEmployeeData',
    'an employee without an account, and visits under the same address',
    'access_control_employee',
    EmployeeKey.extend({ Confirmation }),
  ),
  eraseVisitorData: eraseCall(
    '/EraseVisitorData',
    'a visitor without an account or employee record, with all visits under the same address',
    'access_control_visitor',
    VisitorKey.extend({ Confirmation }),
  ),
}
