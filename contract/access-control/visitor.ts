import { z } from 'zod'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import { pageOf, PageInput, Email, EmployeeID, Millis, Name, Version, VisitorID } from '../kernel/scalars.ts'
import { phoneDigits, VISIT_STATES } from './access-pass.ts'

/** Ten digits like 0911-222-333 (§5), or a foreign E.164 number, in any notation; stored without separators. */
export const Phone = z
  .string()
  .max(32, 'tooLong')
  .overwrite(phoneDigits)
  .regex(/^(?:0\d{9}|\+(?!886)[1-9]\d{6,14})$/, 'phone')

const Text = z.string().trim().max(128, 'tooLong')

/** Details of a visitor (§3). HostEmployeeID is null if no particular employee is visited. */
const VisitorFields = z.object({
  VisitorName: Name,
  Company: Text,
  Email,
  Phone,
  Ext: z.string().trim().max(16, 'tooLong'),
  HostEmployeeID: EmployeeID.nullable(),
  Purpose: z.string().trim().max(256, 'tooLong'),
  ValidFrom: Millis,
  ValidUntil: Millis,
})

/**
 * One visit of one person. A repeated visit is a new record, prefilled from the last one. After the configured retention time, name,
 * company, addresses and purpose are cleared and AnonymisedAt is set.
 */
export const Visitor = VisitorFields.extend({
  VisitorID,
  VisitorName: z.string().max(64),
  Email: z.string().max(254),
  Phone: z.string().max(32),
  CheckedInAt: Millis.nullable(),
  /** Time of leaving by a door before the last day of the visit, without having returned since. */
  AwayAt: Millis.nullable(),
  CheckedOutAt: Millis.nullable(),
  RevokedAt: Millis.nullable(),
  AnonymisedAt: Millis.nullable(),
  Version,
})
export type Visitor = z.infer<typeof Visitor>

/** Visitor with the host's name; null if there is no host, or if the host was deleted. */
export const VisitorRow = Visitor.extend({ HostName: z.string().nullable() })
export type VisitorRow = z.infer<typeof VisitorRow>

export const VisitorKey = Visitor.pick({ VisitorID: true })
export type VisitorKey = z.infer<typeof VisitorKey>

export const VISITOR_SORTS = ['ValidFrom', 'VisitorName', 'Company'] as const

/** Filter of visitor lists; Search matches name, company, email, phone and purpose; States are those of `visitState`. */
export const VisitorFilter = z.object({
  Search: z.string().trim().max(100, 'tooLong').default(''),
  States: z.array(z.enum(VISIT_STATES)).max(VISIT_STATES.length).default([]),
  /** Visits whose window overlaps this range. */
  From: Millis.optional(),
  Until: Millis.optional(),
})

export const visitor = defineResource({
  name: 'visitor',
  scope: 'company',
  feature: 'access_control_visitor',
  record: Visitor,
  key: ['VisitorID'],
  events: eventsOf(VisitorKey),
  operations: {
    list: {
      path: '/ListVisitor',
      summary: 'Visitors, paged, by default the latest visit first.',
      sites: 'mixed',
      input: VisitorFilter.extend({
        ...PageInput.shape,
        Sort: z.enum(VISITOR_SORTS).default('ValidFrom'),
        Descending: z.boolean().default(true),
      }),
      results: pageOf(VisitorRow),
      shows: ['employee'],
      freshFor: 0,
    },
    get: {
      path: '/GetVisitor',
      summary: 'One visitor.',
      sites: 'record',
      input: VisitorKey,
      results: VisitorRow,
      errors: ['NOT_FOUND'],
      shows: ['employee'],
      freshFor: 0,
    },
    create: {
      path: '/RegisterVisitor',
      summary: 'Registers a visit and emails the pass to the visitor, unless disabled.',
      sites: 'orCompany',
      input: VisitorFields.partial({ Company: true, Ext: true, HostEmployeeID: true, Purpose: true }).extend({
        MailPass: z.boolean().default(true),
      }),
      results: VisitorRow,
      errors: ['NOT_FOUND', 'LIMIT_EXCEEDED'],
    },
    update: {
      path: '/UpdateVisitor',
      summary:
        'Changes a visit that has not ended; omitted fields keep their values. If the time window or the email address changes, the pass is emailed again. Rejected if Version is given and outdated.',
      sites: 'record',
      input: VisitorKey.extend(VisitorFields.partial().shape).extend({ Version: Version.optional() }),
      results: VisitorRow,
      errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED'],
    },
    remove: {
      path: '/RemoveVisitor',
      summary: 'Deletes a visit with its personal data. A visitor who is inside is checked out first.',
      sites: 'record',
      input: VisitorKey,
      results: VisitorKey,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
  },
})
