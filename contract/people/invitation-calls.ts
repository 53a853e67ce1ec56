import { z } from 'zod'
import { credential } from '../kernel/credential.ts'
import { Permission, right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { CognitoId, DepartmentID, Email, Language, Millis, Name } from '../kernel/scalars.ts'
import { TEMPLATE_NAMES } from './permission-templates.ts'
import { User } from './user.ts'

/** Maximum addresses that a screen accepts in one form; it makes one call for each. */
export const MAX_INVITATIONS_PER_CALL = 50

/** Secret after `#` in the link. Invalid and used tokens return the same error. */
const Token = credential(z.string().min(1).max(256, 'tooLong'))

/** Pending invitation. Link is set only if the gateway sends no email; the inviter then passes it on. */
const Invited = z.object({
  CognitoId,
  ExpiresAt: Millis,
  Sent: z.boolean(),
  Link: credential(z.string()).optional(),
})

/** Calls with which people are invited to the company and choose their own password. */
export const invitations = {
  inviteUser: defineEndpoint({
    path: '/InviteUser',
    summary:
      'Adds a user without a password and emails them a link to choose one, valid once and for seven days. The rights are those of Template unless Permissions is given.',
    access: right('user', 'Create'),
    sites: 'company',
    input: z.object({
      Email,
      FirstName: User.shape.FirstName.optional(),
      LastName: User.shape.LastName.optional(),
      DepartmentID: DepartmentID.nullable().optional(),
      Template: z.enum(TEMPLATE_NAMES).default('viewer'),
      Permissions: z.array(Permission).max(21).optional(),
      /** Language of this email, and of later emails to the person. */
      Language,
    }),
    results: Invited,
    errors: ['CONFLICT', 'NOT_FOUND', 'LIMIT_EXCEEDED'],
    mutates: true,
    changes: ['user'],
  }),
  resendInvitation: defineEndpoint({
    path: '/ResendInvitation',
    summary: 'Emails a new link to an invited user; the previous link expires.',
    access: right('user', 'Create'),
    sites: 'company',
    input: z.object({ Email }),
    results: Invited,
    errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED'],
    mutates: true,
    changes: ['user'],
  }),
  revokeInvitation: defineEndpoint({
    path: '/RevokeInvitation',
    summary: 'Revokes an invitation and deletes the invited user, who has never signed in.',
    access: right('user', 'Create'),
    sites: 'company',
    input: z.object({ Email }),
    results: z.object({ Email }),
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: ['user'],
  }),
  readInvitation: defineEndpoint({
    path: '/ReadInvitation',
    summary: 'Inviter, invited user and company of an invitation, by the secret of the link.',
    access: 'public',
    sites: 'none',
    input: z.object({ Token }),
    results: z.object({
      CompanyName: z.string(),
      /** Empty if the inviter was deleted or has no name. */
      InvitedBy: z.string(),
      /** Email address with all but the first character before @ masked. */
      MaskedEmail: z.string(),
      FirstName: z.string(),
      LastName: z.string(),
      Language,
    }),
    errors: ['NOT_FOUND'],
    shows: [],
    why: 'The reader is not signed in and receives no events.',
    freshFor: 0,
  }),
  acceptInvitation: defineEndpoint({
    path: '/AcceptInvitation',
    summary:
      'Sets the password of an invited user, who can then sign in. Password is a JWE to the published sign-up key.',
    access: 'public',
    sites: 'none',
    input: z.object({
      Token,
      Password: credential(z.string().min(1).max(4096)),
      FirstName: Name,
      LastName: Name,
      Language: Language.optional(),
    }),
    results: z.object({ Email }),
    errors: ['NOT_FOUND', 'LIMIT_EXCEEDED'],
    mutates: true,
    changes: ['user'],
  }),
}
