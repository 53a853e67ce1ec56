import { createHash } from 'node:crypto'
import { may, type Permission } from '../../../contract/kernel/permissions.ts'
import type { BookingLink } from '../../../contract/bookings/calls.ts'
import { type Db, sql } from '../../kernel/db.ts'

/** Target of a secret address. */
export interface Link {
  tenant: string
  kind: BookingLink['Kind']
  cognitoId: string | null
  roomId: string | null
  roomName: string | null
  email: string | null
  enabled: boolean | null
  permissions: Permission[] | null
}

/** Target of a secret address; undefined if it was revoked, or if its person was deleted or lost the right to read. */
export async function linkOf(db: Db, token: string): Promise<Link | undefined> {
  const hash = createHash('sha256').update(token).digest()
  const [link] = await db.query<Link>(sql`
    select l.tenant, l.kind, l.cognito_id as "cognitoId", l.conference_room_id as "roomId",
      r.conference_room_name as "roomName", u.email, u.enabled, u.permissions
    from booking_links l left join users u on u.cognito_id = l.cognito_id
      left join conference_rooms r on r.tenant = l.tenant and r.conference_room_id = l.conference_room_id
    where l.token_hash = ${hash}`)
  if (link?.kind !== 'person') return link
  const subject = { isRoot: link.cognitoId === link.tenant, permissions: link.permissions ?? [] }
  return link.enabled && may(subject, 'conference_room', 'Read') ? link : undefined
}
