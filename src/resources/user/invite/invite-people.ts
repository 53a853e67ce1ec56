import type { Permission } from '../../../../contract/kernel/permissions.ts'
import type { Language } from '../../../../contract/kernel/scalars.ts'
import { invitations } from '../../../../contract/people/invitation-calls.ts'
import type { ResultsOf } from '../../../data/api.ts'
import { callErrorIn } from '../../../data/post.ts'
import type { Send } from '../../../data/use-action.ts'

export interface Invitation {
  emails: readonly string[]
  /** Only for a single person; several have no name yet. */
  FirstName: string
  LastName: string
  DepartmentID: string | null
  Permissions: readonly Permission[]
  Language: Language
}

export interface Outcome {
  email: string
  /** Undefined if the invitation failed. */
  invited?: ResultsOf<typeof invitations.inviteUser>
  error?: unknown
}

/** Failures after which no further call can succeed. */
const FINAL_FAILURES = new Set(['NETWORK', 'UNAVAILABLE', 'UNAUTHENTICATED', 'LIMIT_EXCEEDED'])

/** Invites people one after another. After a failure in `FINAL_FAILURES`, the rest is not sent and gets the same error. */
export async function invitePeople(invitation: Invitation, send: Send): Promise<readonly Outcome[]> {
  const { emails, FirstName, LastName, Permissions, ...rest } = invitation
  const names = emails.length === 1 ? { FirstName, LastName } : {}
  const outcomes: Outcome[] = []
  let failure: unknown
  for (const email of emails) {
    if (failure !== undefined) {
      outcomes.push({ email, error: failure })
      continue
    }
    try {
      const invited = await send(invitations.inviteUser, {
        ...rest,
        ...names,
        Email: email,
        Permissions: [...Permissions],
      })
      outcomes.push({ email, invited })
    } catch (error) {
      outcomes.push({ email, error })
      if (FINAL_FAILURES.has(callErrorIn(error)?.failure ?? '')) failure = error
    }
  }
  return outcomes
}

/**
 * Makes a link reachable for its recipient: a gateway without a configured address uses localhost, which is replaced by the origin of the
 * open page.
 */
export const reachable = (link: string): string => {
  const { hostname, pathname, hash } = new URL(link)
  return /^(localhost|127\.|\[::1\])/.test(hostname) ? `${location.origin}${pathname}${hash}` : link
}
