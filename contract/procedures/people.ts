import { z } from 'zod'
import { FEATURES, OPERATIONS, Permission, right } from '../features.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { pageOf, PageInput } from '../kernel/page.ts'
import { FIELD_REASONS } from '../kernel/reasons.ts'
import { CognitoId, DepartmentID, Email } from '../kernel/scalars.ts'
import { User } from '../resources/user.ts'

/** A person as lists show one: with the name of the department and how many rights they hold, not which. */
export const UserRow = User.omit({ Permissions: true, Version: true }).extend({
  Department: z.string().nullable(),
  Rights: z.number().int(),
})
export type UserRow = z.infer<typeof UserRow>

export const USER_SORTS = ['Name', 'Email', 'Department', 'rank'] as const

/** How lists of people are narrowed: words in name, nickname, e-mail or department. */
export const UserFilter = z.object({
  Search: z.string().trim().max(100, 'tooLong').default(''),
  DepartmentID: DepartmentID.optional(),
  enabled: z.boolean().optional(),
})

/** People that one file may bring. */
export const MAX_USER_IMPORT = 500

/** What of a row of a file can be wrong beyond its own words. */
export const IMPORT_FIELDS = ['Email', 'DepartmentID', 'Permissions'] as const

/** Calls about many people at once, and about who can help whom. */
export const people = {
  listUserPage: defineEndpoint({
    path: '/ListUserPage',
    summary: "A page of the company's people, by department, state and words.",
    access: right('user', 'Read'),
    input: PageInput.extend(UserFilter.shape).extend({
      Sort: z.enum(USER_SORTS).default('Name'),
      Descending: z.boolean().default(false),
    }),
    results: pageOf(UserRow),
    shows: ['user', 'department'],
    freshFor: 0,
  }),
  getUser: defineEndpoint({
    path: '/GetUser',
    summary: 'One person with their rights.',
    access: right('user', 'Read'),
    input: z.object({ CognitoId }),
    results: User,
    errors: ['NOT_FOUND'],
    shows: ['user'],
  }),
  listGrantors: defineEndpoint({
    path: '/ListGrantors',
    summary:
      'Display names of those who can grant rights: the owner first, then whoever may change people; for one right only those who hold it themselves.',
    access: 'signed-in',
    input: z.object({
      Right: z.object({ FeatureKey: z.enum(FEATURES), Operation: z.enum(OPERATIONS) }).optional(),
    }),
    results: z.array(z.object({ Name: z.string() })),
    shows: ['user'],
  }),
  checkUserImport: defineEndpoint({
    path: '/CheckUserImport',
    summary: 'What creating these people would be refused for; creates nobody.',
    access: right('user', 'Create'),
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
        /** Place in People, 0 the first. */
        Row: z.number().int(),
        Field: z.enum(IMPORT_FIELDS),
        Reason: z.enum(FIELD_REASONS),
      }),
    ),
    shows: ['user', 'department'],
    freshFor: 0,
  }),
}
