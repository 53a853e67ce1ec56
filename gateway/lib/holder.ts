import { type Access, decide } from '../../contract/features.ts'
import type { Actor } from '../context.ts'
import type { Identity } from './identity.ts'

/** Whose right an address stands for that is used without signing in: good while they hold it and their sign-in stands. */
export interface Holder {
  cognitoId: string
  sessionId: string
  access: Access
}

/** Whether a holder may still do what their address is for, as far as the gateway knows now. */
export type Holds = (holder: Holder) => Promise<boolean>

export const holderOf = ({ cognitoId, sessionId }: Actor, access: Access): Holder => ({
  cognitoId,
  sessionId,
  access,
})

export const createHolds =
  ({ loadActor }: Pick<Identity, 'loadActor'>): Holds =>
  async ({ cognitoId, sessionId, access }) => {
    const actor = await loadActor(cognitoId, sessionId ? { originJti: sessionId } : {})
    return decide(access, actor) === true
  }
