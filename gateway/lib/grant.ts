import { type Access, decide } from '../../contract/features.ts'
import type { Actor } from '../context.ts'
import type { Identity } from './identity.ts'

/** The right of a person that an address stands for, used without signing in: good while they have it and their sign-in stands. */
export interface Grant {
  cognitoId: string
  sessionId: string
  access: Access
}

/** Whether a grant still stands, as far as the gateway knows now. */
export type IsGranted = (grant: Grant) => Promise<boolean>

export const grantOf = ({ cognitoId, sessionId }: Actor, access: Access): Grant => ({
  cognitoId,
  sessionId,
  access,
})

export const createIsGranted =
  ({ loadActor }: Pick<Identity, 'loadActor'>): IsGranted =>
  async ({ cognitoId, sessionId, access }) => {
    const actor = await loadActor(cognitoId, sessionId ? { originJti: sessionId } : {})
    return decide(access, actor) === true
  }
