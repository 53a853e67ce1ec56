import { createHash } from 'node:crypto'
import { may, type PermissionSubject, SOMEWHERE } from '../../../contract/kernel/permissions.ts'
import { BookingLink, type bookings } from '../../../contract/bookings/calls.ts'
import { SUBJECT_COLUMNS } from '../../domain/identity/subject.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { columnsOf } from '../../store/sql.ts'
import { sql, type Db } from '../../kernel/db.ts'
import { readRoom } from './conference-room.ts'

type LinkCalls = Pick<typeof bookings, 'listLinks' | 'createLink' | 'revokeLink'>

/** Secret addresses of calendars and doors. The address is returned only once; the database stores the hash of its secret. */
export const bookingLinkHandlers: HandlersOf<LinkCalls> = {
  listLinks: (_, { db, actor }) =>
    db.query<BookingLink>(sql`select ${columnsOf(BookingLink)} from booking_links
      where tenant = ${actor.tenant}
        and (cognito_id = ${actor.cognitoId}
          or (kind <> 'person' and ${may(actor, 'conference_room', 'Update', SOMEWHERE)}::boolean))
      order by created_at`),

  createLink: async ({ Kind, ConferenceRoomID }, context) => {
    const { db, actor, random, clock } = context
    const room = Kind === 'person' ? null : await readRoomId(context, ConferenceRoomID)
    const person = Kind === 'person' ? actor.cognitoId : null
    await db.query(sql`delete from booking_links where tenant = ${actor.tenant} and kind = ${Kind}
      and cognito_id is not distinct from ${person} and conference_room_id is not distinct from ${room}`)
    const token = Buffer.from(random.bytes(24)).toString('base64url')
    const link: BookingLink = {
      LinkID: random.uuid(),
      Kind,
      ConferenceRoomID: room,
      CreatedAt: clock.now(),
    }
    const hash = createHash('sha256').update(token).digest()
    await db.query(sql`insert into booking_links (tenant, link_id, kind, cognito_id, conference_room_id, token_hash, created_at)
      values (${actor.tenant}, ${link.LinkID}, ${Kind}, ${person}, ${room}, ${hash}, ${link.CreatedAt})`)
    context.audit({ after: link })
    return { ...link, Path: Kind === 'door' ? `/RoomDoor/${token}` : `/booking-feeds/${token}.ics` }
  },

  revokeLink: async ({ LinkID }, context) => {
    const { db, actor } = context
    const [link] = await db.query<BookingLink & { owner: string | null }>(sql`
      select ${columnsOf(BookingLink)}, cognito_id as owner from booking_links
      where tenant = ${actor.tenant} and link_id = ${LinkID} for update`)
    if (!link || (link.Kind === 'person' && link.owner !== actor.cognitoId))
      throw new GatewayError('NOT_FOUND', 'The address does not exist any more')
    if (link.Kind !== 'person') mayChangeRooms(context)
    await db.query(sql`delete from booking_links where tenant = ${actor.tenant} and link_id = ${LinkID}`)
    context.audit({ before: link })
    return { LinkID }
  },
}

async function readRoomId(context: SignedIn, id: string | undefined): Promise<string> {
  mayChangeRooms(context)
  if (id === undefined)
    throw new GatewayError('INVALID', 'A room is needed', { ConferenceRoomID: 'required' })
  return (await readRoom(context, id)).ConferenceRoomID
}

/** Errors: PERMISSION_DENIED. */
function mayChangeRooms({ actor }: SignedIn): void {
  if (!may(actor, 'conference_room', 'Update', SOMEWHERE))
    throw new GatewayError('PERMISSION_DENIED', 'This takes Update on conference_room')
}

/** Target of a secret address. */
interface Link extends PermissionSubject {
  tenant: string
  kind: BookingLink['Kind']
  cognitoId: string | null
  roomId: string | null
  roomName: string | null
  email: string | null
  enabled: boolean | null
}

/** Target of a secret address; undefined if it was revoked, or if its person was deleted or lost the right to read. */
export async function readLink(db: Db, token: string): Promise<Link | undefined> {
  const hash = createHash('sha256').update(token).digest()
  const [link] = await db.query<Link>(sql`
    select l.tenant, l.kind, l.cognito_id as "cognitoId", l.conference_room_id as "roomId",
      r.conference_room_name as "roomName", u.email, u.enabled, ${SUBJECT_COLUMNS}
    from booking_links l left join users u on u.cognito_id = l.cognito_id
      left join conference_rooms r on r.tenant = l.tenant and r.conference_room_id = l.conference_room_id
    where l.token_hash = ${hash}`)
  if (link?.kind !== 'person') return link
  return link.enabled && may(link, 'conference_room', 'Read', SOMEWHERE) ? link : undefined
}
