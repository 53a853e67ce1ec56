import type { Actor } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Identity } from '../../domain/identity/identity.ts'
import type { TokenVerifier } from './verifier.ts'

/** Creates the function that maps a pool's token to the person stored in the database. */
export const createAuthenticate =
  (verifier: TokenVerifier, loadActor: Identity['loadActor']): Identity['authenticate'] =>
  async (token, accessToo = false): Promise<Actor> => {
    const asId = () => verifier.verify(token, 'id')
    const claims = await (accessToo ? verifier.verify(token, 'access').catch(asId) : asId())
    const actor = await loadActor(claims.sub, claims)
    if (!actor) throw new GatewayError('UNAUTHENTICATED', 'Signed out')
    return actor
  }
