import { z } from 'zod'
import {
  type Access,
  decide,
  FEATURES,
  GENERAL_ACCESS,
  OPERATIONS,
  SOMEWHERE,
} from '../../../contract/kernel/permissions.ts'
import type { Actor } from '../../kernel/context.ts'
import type { Identity } from './identity.ts'

/** Right of a user that an address carries, usable without signing in: valid while the user has the right and the session exists. */
const Grant = z.object({
  cognitoId: z.string(),
  sessionId: z.string(),
  access: z.union([
    z.enum(GENERAL_ACCESS),
    z.object({ feature: z.enum(FEATURES), operation: z.enum(OPERATIONS) }),
  ]),
})
export type Grant = z.infer<typeof Grant>

/** Whether a grant is still valid, as far as the gateway knows; unknown formats of earlier versions are not. */
export type IsGranted = (grant: Grant) => Promise<boolean>

export const grantOf = ({ cognitoId, sessionId }: Actor, access: Access): Grant => ({
  cognitoId,
  sessionId,
  access,
})

export const createIsGranted =
  ({ loadActor }: Pick<Identity, 'loadActor'>): IsGranted =>
  async (grant) => {
    const { data } = Grant.safeParse(grant)
    if (!data) return false
    const { cognitoId, sessionId, access } = data
    const actor = await loadActor(cognitoId, sessionId ? { originJti: sessionId } : {})
    return decide(access, actor, SOMEWHERE) === true
  }
