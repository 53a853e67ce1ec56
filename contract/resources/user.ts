import { z } from 'zod'
import { Permission } from '../features.ts'
import { defineResource } from '../kernel/define-resource.ts'
import { CognitoId, DepartmentID, Email, Password, Version } from '../kernel/scalars.ts'

const PersonName = z.string().trim().max(64, 'tooLong')

/** A person of the company. Root has the company's own id as CognitoId and holds every right (§6). */
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
  Version,
})
export type User = z.infer<typeof User>

export const UserKey = User.pick({ Email: true })
export type UserKey = z.infer<typeof UserKey>

const Editable = User.omit({ CognitoId: true, Email: true, Version: true })

export const user = defineResource({
  name: 'user',
  scope: 'company',
  feature: 'user',
  record: User,
  key: ['Email'],
  operations: {
    list: {
      path: '/ListUser',
      summary: "The company's people, owner first.",
      input: z.object({}),
      results: z.array(User),
      inPlace: true,
    },
    create: {
      path: '/CreateUser',
      summary: 'Adds a person with an initial password, to be changed at the first sign-in.',
      input: UserKey.extend(Editable.partial().shape).extend({ password: Password }),
      results: User,
      errors: ['CONFLICT', 'NOT_FOUND'],
    },
    update: {
      path: '/UpdateUserInfo',
      summary:
        'Changes a person; fields left out stay. Changed permissions sign that person out. Refused if Version is given and old.',
      input: UserKey.extend(Editable.partial().shape).extend({
        password: Password.optional(),
        Version: Version.optional(),
      }),
      results: User,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    remove: {
      path: '/DeleteUser',
      summary: 'Deletes a person and ends every session of theirs. The owner cannot be deleted.',
      input: UserKey,
      results: UserKey,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
  },
})
