import { z } from 'zod'
import { credential } from '../kernel/credential.ts'
import { CREDENTIAL_TYPES } from './channels.ts'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { pageOf, PageInput, Email, EmployeeID, HomeID, Millis, ThingName } from '../kernel/scalars.ts'
import { DENIALS } from './access-pass.ts'
import { EmployeeKey, EmployeeRow } from './employee.ts'
import { ScannerCredentials, ScannerKey } from './scanner.ts'
import { Phone, Visitor, VisitorKey, VisitorRow } from './visitor.ts'
import { ImageType, UploadTarget } from '../homes/upload-calls.ts'

const visitors = 'access_control_visitor'
const employees = 'access_control_employee'
const scanners = 'access_control_scanner'

/** Signed pass as encoded in its QR code. */
export const AccessPass = z.object({ Token: credential(z.string()) })

export const PERSON_KINDS = ['visitor', 'employee'] as const
const Person = z.object({
  /** Null for a credential that belongs to no person. */
  PersonKind: z.enum(PERSON_KINDS).nullable(),
  PersonID: z.string().nullable(),
  /** Present name; null for a removed or anonymised person. */
  PersonName: z.string().nullable(),
})

export const ScanEvent = Person.extend({
  ScanEventID: z.number().int(),
  /** Time of the gateway's decision. */
  Timestamp: Millis,
  ThingName,
  /** Null if the scanner was removed. */
  ScannerName: z.string().nullable(),
  HomeID,
  Type: z.enum(CREDENTIAL_TYPES),
  Allow: z.boolean(),
  Reason: z.enum(DENIALS).nullable(),
  Movement: z.enum(['in', 'out']).nullable(),
})
export type ScanEvent = z.infer<typeof ScanEvent>

/** Person who is inside, by their last movement or by the reception desk. */
export const Inside = Person.extend({
  PersonKind: z.enum(PERSON_KINDS),
  PersonID: z.string(),
  /** Company of a visitor, department of an employee. */
  Of: z.string().nullable(),
  /** Phone number, for visitors. */
  Phone: z.string().nullable(),
  Since: Millis,
  /** Scanner of the entry; null at the reception desk, or if the scanner was removed. */
  ScannerName: z.string().nullable(),
  HomeID: HomeID.nullable(),
})
export type Inside = z.infer<typeof Inside>

export const accessControl = {
  getVisitorOverview: defineEndpoint({
    path: '/GetVisitorOverview',
    summary: 'Number of visitors expected in a period, of those inside now, and of those overdue.',
    access: right(visitors, 'Read'),
    sites: 'mixed',
    input: z.object({ From: Millis, Until: Millis }),
    results: z.object({
      Expected: z.number().int(),
      Inside: z.number().int(),
      Overdue: z.number().int(),
    }),
    shows: ['visitor'],
    freshFor: 0,
  }),
  searchHost: defineEndpoint({
    path: '/SearchHost',
    summary: 'Active employees who can receive visitors, at most 20, filtered by name or department.',
    access: right(visitors, 'Read'),
    sites: 'company',
    input: z.object({ Search: z.string().trim().max(100).default('') }),
    results: z.array(EmployeeRow.pick({ EmployeeID: true, EmployeeName: true, Department: true })),
    shows: ['employee', 'department'],
  }),
  findFormerVisitor: defineEndpoint({
    path: '/FindFormerVisitor',
    summary: 'Data of the last visit with this email or phone number; null if there was none.',
    access: right(visitors, 'Read'),
    sites: 'mixed',
    input: z.object({ Email: Email.optional(), Phone: Phone.optional() }),
    results: Visitor.pick({
      VisitorName: true,
      Company: true,
      Email: true,
      Phone: true,
      Ext: true,
      HostEmployeeID: true,
      Purpose: true,
    })
      .extend({ HostName: z.string().nullable(), Visits: z.number().int() })
      .nullable(),
    shows: ['visitor', 'employee'],
    freshFor: 0,
  }),
  checkInVisitor: defineEndpoint({
    path: '/CheckInVisitor',
    summary: 'Checks a visitor in. The first check-in time is kept.',
    access: right(visitors, 'Update'),
    sites: 'record',
    input: VisitorKey,
    results: VisitorRow,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['visitor'],
  }),
  checkOutVisitor: defineEndpoint({
    path: '/CheckOutVisitor',
    summary: 'Checks a visitor out; the pass expires.',
    access: right(visitors, 'Update'),
    sites: 'record',
    input: VisitorKey,
    results: VisitorRow,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['visitor'],
  }),
  revokeVisitor: defineEndpoint({
    path: '/RevokeVisitor',
    summary: "Revokes a visitor's pass permanently.",
    access: right(visitors, 'Update'),
    sites: 'record',
    input: VisitorKey,
    results: VisitorRow,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['visitor'],
  }),
  getVisitorPass: defineEndpoint({
    path: '/GetVisitorPass',
    summary: "A visitor's signed pass, valid within the time window of the visit.",
    access: right(visitors, 'Read'),
    sites: 'record',
    input: VisitorKey,
    results: AccessPass,
    errors: ['NOT_FOUND', 'CONFLICT'],
    shows: ['visitor'],
    freshFor: 0,
  }),
  mailVisitorPass: defineEndpoint({
    path: '/MailVisitorPass',
    summary: 'Emails the pass to the visitor again.',
    access: right(visitors, 'Update'),
    sites: 'record',
    input: VisitorKey,
    results: VisitorKey,
    errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED', 'UNAVAILABLE'],
    mutates: true,
    commitsItself: true,
    changes: [],
    why: 'It sends an email; the visit does not change.',
  }),
  getEmployeePass: defineEndpoint({
    path: '/GetEmployeePass',
    summary: "An employee's signed pass.",
    access: right(employees, 'Read'),
    sites: 'company',
    input: EmployeeKey,
    results: AccessPass,
    errors: ['NOT_FOUND'],
    shows: ['employee'],
    freshFor: 0,
  }),
  renewEmployeePass: defineEndpoint({
    path: '/RenewEmployeePass',
    summary: 'Creates a new pass for an employee; the old one is revoked at once.',
    access: right(employees, 'Update'),
    sites: 'company',
    input: EmployeeKey,
    results: AccessPass,
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: ['employee'],
  }),
  uploadEmployeePhoto: defineEndpoint({
    path: '/UploadEmployeePhoto',
    summary: 'Upload URL for the photo of an employee.',
    access: right(employees, 'Update'),
    sites: 'company',
    input: EmployeeKey.extend({ ContentType: ImageType }),
    results: UploadTarget,
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: [],
    why: 'The gateway publishes the employee after the photo is uploaded.',
  }),
  deleteEmployeePhoto: defineEndpoint({
    path: '/DeleteEmployeePhoto',
    summary: 'Deletes the photo of an employee.',
    access: right(employees, 'Update'),
    sites: 'company',
    input: EmployeeKey,
    results: EmployeeKey,
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: ['employee'],
  }),
  rotateScannerSecret: defineEndpoint({
    path: '/RotateScannerSecret',
    summary: 'Creates new credentials for a scanner, returned only once; the old ones are revoked at once.',
    access: right(scanners, 'Update'),
    sites: 'record',
    input: ScannerKey,
    results: ScannerCredentials,
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: [],
    why: 'A secret is returned only once and is part of no other answer.',
  }),
  listScannerEmployee: defineEndpoint({
    path: '/ListScannerEmployee',
    summary: 'Employees and whether each is assigned to a scanner; paged, by name.',
    access: right(scanners, 'Read'),
    sites: 'record',
    input: ScannerKey.extend({
      ...PageInput.shape,
      Search: z.string().trim().max(100, 'tooLong').default(''),
      AssignedOnly: z.boolean().default(false),
    }),
    results: pageOf(
      EmployeeRow.pick({ EmployeeID: true, EmployeeName: true, Department: true, Active: true }).extend({
        Assigned: z.boolean(),
      }),
    ),
    errors: ['NOT_FOUND'],
    shows: ['scanner', 'employee', 'department'],
    freshFor: 0,
  }),
  assignScannerEmployee: defineEndpoint({
    path: '/AssignScannerEmployee',
    summary: 'Assigns employees to a scanner, or removes them from it.',
    access: right(scanners, 'Update'),
    sites: 'record',
    input: ScannerKey.extend({ EmployeeIDs: z.array(EmployeeID).min(1).max(500), Assigned: z.boolean() }),
    results: ScannerKey.extend({ Changed: z.number().int() }),
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: ['scanner'],
  }),
  listScanEvent: defineEndpoint({
    path: '/ListScanEvent',
    summary: 'Access log: what scanners read and decided; paged, newest first.',
    access: right(scanners, 'Read'),
    sites: 'mixed',
    input: PageInput.extend({
      Search: z.string().trim().max(100, 'tooLong').default(''),
      From: Millis.optional(),
      Until: Millis.optional(),
      ThingName: ThingName.optional(),
      PersonKind: z.enum(PERSON_KINDS).optional(),
      Allow: z.boolean().optional(),
    }),
    results: pageOf(ScanEvent),
    shows: ['scanEvent', 'scanner', 'visitor', 'employee'],
    freshFor: 0,
  }),
  listInside: defineEndpoint({
    path: '/ListInside',
    summary: 'Everyone who is inside now, by name: the roll call for an evacuation.',
    access: right(scanners, 'Read'),
    sites: 'mixed',
    input: z.object({}),
    results: z.array(Inside),
    shows: ['scanEvent', 'scanner', 'visitor', 'employee', 'department'],
    freshFor: 0,
  }),
}
