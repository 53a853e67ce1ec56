import type { Permission } from '../../../../contract/kernel/permissions.ts'
import type { Language } from '../../../../contract/kernel/scalars.ts'
import { invitations } from '../../../../contract/people/invitation-calls.ts'
import type { ResultsOf } from '../../../data/api.ts'
import { callErrorIn } from '../../../data/post.ts'
import type { Send } from '../../../data/use-action.ts'

/** What is said of everybody who is invited at once. */
export interface Invitation {
  emails: readonly string[]
  /** Of one alone: several have no name yet. */
  FirstName: string
  LastName: string
  DepartmentID: string | null
  Permissions: readonly Permission[]
  Language: Language
}

export interface Outcome {
  email: string
  /** Undefined where it was refused. */
  invited?: ResultsOf<typeof invitations.inviteUser>
  error?: unknown
}

/** Failures after which no further call can succeed. */
const ENDS = new Set(['NETWORK', 'UNAVAILABLE', 'UNAUTHENTICATED', 'LIMIT_EXCEEDED'])

/** Invites one after the other. Once the gateway is away, or says that it were too many, the rest is not tried and fails alike. */
export async function invitePeople(asked: Invitation, send: Send): Promise<readonly Outcome[]> {
  const { emails, FirstName, LastName, Permissions, ...rest } = asked
  const names = emails.length === 1 ? { FirstName, LastName } : {}
  const outcomes: Outcome[] = []
  let ended: unknown
  for (const email of emails) {
    if (ended !== undefined) {
      outcomes.push({ email, error: ended })
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
      if (ENDS.has(callErrorIn(error)?.failure ?? '')) ended = error
    }
  }
  return outcomes
}

/**
 * The link as whoever gets it can open it: a gateway that was not told its address names this machine, and the page that is
 * open has another one.
 */
export const reachable = (link: string): string => {
  const { hostname, pathname, hash } = new URL(link)
  return /^(localhost|127\.|\[::1\])/.test(hostname) ? `${location.origin}${pathname}${hash}` : link
}
