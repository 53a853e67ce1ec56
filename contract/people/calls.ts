import { z } from 'zod'
import { FEATURES, OPERATIONS, Permission, right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { FIELD_REASONS } from '../kernel/reasons.ts'
import { DepartmentID, Email } from '../kernel/scalars.ts'

export const MAX_USER_IMPORT = 500

/** Fields of an imported row that are checked against the database. */
export const IMPORT_FIELDS = ['Email', 'DepartmentID', 'Permissions'] as const

/** Calls about several people, or about a person but not a verb of the record: grantors, password reset, import check. */
export const people = {
  listGrantors: defineEndpoint({
    path: '/ListGrantors',
    summary:
      'Display names of users who can grant rights: the owner first, then users who may change people; for one right, only those who hold it themselves.',
    access: 'signed-in',
    sites: 'company',
    input: z.object({
      Right: z.object({ FeatureKey: z.enum(FEATURES), Operation: z.enum(OPERATIONS) }).optional(),
    }),
    results: z.array(z.object({ Name: z.string() })),
    shows: ['user'],
  }),
  resetUserPassword: defineEndpoint({
    path: '/ResetUserPassword',
    summary:
      'Emails a user a link to set a new password within 24 hours; the present password stays valid until then.',
    access: right('user', 'Update'),
    sites: 'company',
    input: z.object({ Email }),
    results: z.object({ Email }),
    errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED'],
    mutates: true,
    changes: [],
    why: 'No list or record shows pending links.',
  }),
  checkUserImport: defineEndpoint({
    path: '/CheckUserImport',
    summary: 'Validation errors of creating these users; creates none.',
    access: right('user', 'Create'),
    sites: 'company',
    input: z.object({
      People: z
        .array(
          z.object({
            Email,
            DepartmentID: DepartmentID.nullable(),
            Permissions: z.array(Permission).max(21),
          }),
        )
        .max(MAX_USER_IMPORT, 'tooManyRows'),
    }),
    results: z.array(
      z.object({
        /** Index in People, from 0. */
        Row: z.number().int(),
        Field: z.enum(IMPORT_FIELDS),
        Reason: z.enum(FIELD_REASONS),
      }),
    ),
    shows: ['user', 'department'],
    freshFor: 0,
  }),
}
