import type { AuthProvider } from '@refinedev/core'
import { displayName } from '../../contract/kernel/display-name.ts'
import { callErrorIn } from '../data/post.ts'
import { me } from '../data/session.ts'
import { signOut } from '../live/sign-out.ts'
import { tokens } from '../data/tokens/tokens.ts'

/** Refine's view of the session. Signing in happens on the sign-in page, before Refine is there. */
export const authProvider: AuthProvider = {
  login: async () => ({ success: (await tokens()) !== undefined }),
  async logout() {
    await signOut()
    return { success: true }
  },
  check: async () => ({ authenticated: (await tokens()) !== undefined }),
  async onError(error: unknown) {
    if (callErrorIn(error)?.failure === 'UNAUTHENTICATED') await signOut('expired')
    return {}
  },
  getPermissions: () => Promise.resolve(me.get()?.Permissions ?? []),
  getIdentity: () => {
    const person = me.get()
    return Promise.resolve(person && { id: person.CognitoId, name: displayName(person), email: person.Email })
  },
}
