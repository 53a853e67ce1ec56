import type { Db } from '../kernel/db.ts'
import type { Broker } from '../kernel/broker.ts'

/**
 * Ends connections whose rights were revoked, by any gateway: the database notifies on commit. After missed
 * notifications all connections are checked.
 */
export function followRights({
  db,
  broker,
}: {
  db: Pick<Db, 'listen'>
  broker: Pick<Broker, 'review'>
}): void {
  const reauthorizeAll = () => void broker.review?.()
  db.listen('person_changed', {
    heard: (cognitoId) => void broker.review?.({ cognitoId }),
    missed: reauthorizeAll,
  })
  db.listen('thing_changed', {
    heard: (thingName) => void broker.review?.({ thingName }),
    missed: reauthorizeAll,
  })
}
