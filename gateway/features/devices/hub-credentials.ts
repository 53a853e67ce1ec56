import type { hubCredentials } from '../../../contract/devices/hub-credential-calls.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { createHubSecret } from '../../domain/devices/hub-secret.ts'
import { lockThing } from './thing.ts'
import { sql } from '../../store/db.ts'

export const hubCredentialHandlers: HandlersOf<typeof hubCredentials> = {
  rotateThingSecret: async (key, context) => {
    const { db, actor, random } = context
    await lockThing(key, context)
    const { secret, hash } = createHubSecret(random)
    await db.query(sql`update things set secret_hash = ${hash}
      where tenant = ${actor.tenant} and thing_name = ${key.ThingName}`)
    context.emit('hubRevoked', { tenant: actor.tenant, thingName: key.ThingName })
    context.emit('hubSecretMade', { tenant: actor.tenant, homeId: key.HomeID, thingName: key.ThingName })
    context.audit({ after: key })
    return { ...key, Secret: secret }
  },
}
