import { z } from 'zod'
import { HomeGrant, Permission } from '../kernel/permissions.ts'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import {
  pageOf,
  PageInput,
  CognitoId,
  DepartmentID,
  Email,
  Millis,
  Password,
  Version,
} from '../kernel/scalars.ts'
import { TEMPLATE_NAMES } from './permission-templates.ts'

const PersonName = z.string().trim().max(64, 'tooLong')

/** Person of the company. Root's CognitoId is the ID of the company; root holds every right (§6). */
export const User = z.object({
  CognitoId,
  Email,
  FirstName: PersonName,
  LastName: PersonName,
  nickname: PersonName,
  DepartmentID: DepartmentID.nullable(),
  enabled: z.boolean(),
  rank: z.number().int().min(0).max(99),
  Permissions: z.array(Permission).max(21),
  /** Rights at single homes: each home is in one grant at most. Homes that were deleted since stay until the person is saved. */
  HomeGrants: z.array(HomeGrant).max(20, 'tooBig'),
  /** Expiry of the invitation link, possibly in the past; null for a person who has a password or signs in elsewhere. */
  InvitedUntil: Millis.nullable(),
  /** Whether the person still has to replace the initial password that they were given. */
  HasInitialPassword: z.boolean().optional(),
  Version,
})
export type User = z.infer<typeof User>

export const UserKey = User.pick({ Email: true })

/** Person in a list: with the department's name, and the number of rights instead of the rights. */
export const UserRow = User.omit({
  Permissions: true,
  HomeGrants: true,
  HasInitialPassword: true,
  Version: true,
}).extend({
  Department: z.string().nullable(),
  Rights: z.number().int(),
  /** Template with exactly the person's rights; null if there is none. */
  Template: z.enum(TEMPLATE_NAMES).nullable(),
})
export type UserRow = z.infer<typeof UserRow>

export const USER_SORTS = ['Name', 'Email', 'Department', 'rank'] as const

/** Filters for lists of people; Search matches name, nickname, email or department. */
export const UserFilter = z.object({
  Search: z.string().trim().max(100, 'tooLong').default(''),
  DepartmentID: DepartmentID.optional(),
  enabled: z.boolean().optional(),
  /** Whether they still have to accept their invitation. */
  Invited: z.boolean().optional(),
})

const Editable = User.omit({
  CognitoId: true,
  Email: true,
  InvitedUntil: true,
  HasInitialPassword: true,
  Version: true,
})

export const user = defineResource({
  name: 'user',
  scope: 'company',
  feature: 'user',
  record: User,
  key: ['Email'],
  events: eventsOf(UserKey, User),
  operations: {
    list: {
      path: '/ListUser',
      summary: 'Users of the company, owner first.',
      sites: 'company',
      input: z.object({}),
      results: z.array(User),
      inPlace: true,
    },
    page: {
      path: '/ListUserPage',
      summary: "A page of the company's users, filtered by department, state and text.",
      sites: 'company',
      input: PageInput.extend(UserFilter.shape).extend({
        Sort: z.enum(USER_SORTS).default('Name'),
        Descending: z.boolean().default(false),
      }),
      results: pageOf(UserRow),
      shows: ['department'],
      freshFor: 0,
    },
    get: {
      path: '/GetUser',
      summary: 'One user with their rights.',
      sites: 'company',
      input: User.pick({ CognitoId: true }),
      results: User,
      errors: ['NOT_FOUND'],
    },
    create: {
      path: '/CreateUser',
      summary: 'Adds a user with an initial password, to be changed at the first sign-in.',
      sites: 'company',
      input: UserKey.extend(Editable.partial().shape).extend({ password: Password }),
      results: User,
      errors: ['CONFLICT', 'NOT_FOUND', 'LIMIT_EXCEEDED'],
    },
    update: {
      path: '/UpdateUserInfo',
      summary:
        'Changes a user; omitted fields keep their values. Changed permissions sign the user out and revoke an unused invitation or initial password, unless a new password is given. Rejected if Version is given and outdated.',
      sites: 'company',
      input: UserKey.extend(Editable.partial().shape).extend({
        password: Password.optional(),
        Version: Version.optional(),
      }),
      results: User,
      errors: ['NOT_FOUND', 'CONFLICT'],
      changes: ['automation'],
    },
    remove: {
      path: '/DeleteUser',
      summary: 'Deletes a user and ends all of their sessions. The owner cannot be deleted.',
      sites: 'company',
      input: UserKey,
      results: UserKey,
      errors: ['NOT_FOUND', 'CONFLICT'],
      changes: ['automation', 'dashboard'],
    },
  },
})
