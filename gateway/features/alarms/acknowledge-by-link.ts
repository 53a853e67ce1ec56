import type { alarms } from '../../../contract/alarms/calls.ts'
import type { Context, Handler } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Identity } from '../../domain/identity/identity.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { readSigned, writeSigned } from '../../lib/seal.ts'
import { acknowledge, canActOnAlarm } from './alarm-actions.ts'
import type { AlarmRow } from './state/alarm-rows.ts'
import type { AlarmPorts } from './state/apply-signals.ts'
import { isVisibleTo } from './state/list-alarms.ts'

/** Lifetime of a link, ms: the same as that of a critical push message. */
const LINK_TTL_MS = 86_400_000

/** Content of a link: the alarm it acknowledges, the person, and the time of issue. */
interface AlarmLink {
  tenant: string
  alarmId: string
  cognitoId: string
  at: number
}

/** Short names, because the link is part of messages with a limited size. */
interface LinkContent {
  t: string
  a: string
  c: string
  i: number
}

export const writeLink = ({ tenant, alarmId, cognitoId, at }: AlarmLink, key: Uint8Array): string =>
  writeSigned({ t: tenant, a: alarmId, c: cognitoId, i: at } satisfies LinkContent, key)

const isTooOld = ({ at }: AlarmLink, now: number): boolean => now - at > LINK_TTL_MS

/** The link, if its signature is valid. */
function readLink(text: string, key: Uint8Array): AlarmLink | undefined {
  const link = readSigned<LinkContent>(text, key)
  return link && { tenant: link.t, alarmId: link.a, cognitoId: link.c, at: link.i }
}

/**
 * Acknowledges an alarm for the person of a signed link, with their current rights. Using a link also invalidates the
 * links that were issued before it.
 */
export const createAcknowledgeByLink =
  (
    ports: AlarmPorts,
    identity: Pick<Identity, 'loadActor'>,
    key: Uint8Array,
  ): Handler<typeof alarms.acknowledgeByLink> =>
  async ({ Token }, context) => {
    const link = readLink(Token, key)
    const actor = link && (await identity.loadActor(link.cognitoId))
    if (!link || isTooOld(link, context.clock.now()) || !actor || actor.tenant !== link.tenant)
      throw invalidLink()
    context.actFor(actor)
    const alarm = await readLinkedAlarm(context.db, link, isVisibleTo(actor))
    if (!alarm || !canActOnAlarm(actor, alarm.kind)) throw invalidLink()
    if (alarm.isUsed) throw new GatewayError('CONFLICT', 'This link was used already', { Token: 'changed' })
    const { alarmId: AlarmID, homeId: HomeID } = alarm
    await context.db.query(sql`
      update alarms set used_links = used_links || ${JSON.stringify({ [link.cognitoId]: link.at })}::jsonb
      where alarm_id = ${AlarmID}::uuid`)
    await acknowledge(
      { ...context, actor } as Context & { actor: typeof actor },
      ports,
      { HomeID, AlarmID },
      undefined,
    )
    return { HomeID, AlarmID }
  }

const invalidLink = () => new GatewayError('NOT_FOUND', 'This link leads to nothing')

/** The alarm of a link, locked; undefined if it was deleted or the person may not see it. */
async function readLinkedAlarm(
  db: Db,
  { tenant, alarmId, cognitoId, at }: AlarmLink,
  isVisible: ReturnType<typeof isVisibleTo>,
) {
  const [alarm] = await db.query<Pick<AlarmRow, 'alarmId' | 'homeId' | 'kind'> & { isUsed: boolean }>(sql`
    select a.alarm_id as "alarmId", a.home_id as "homeId", a.kind,
      coalesce((a.used_links ->> ${cognitoId}::text)::bigint >= ${at}::bigint, false) as "isUsed"
    from alarms a where a.tenant = ${tenant}::uuid and a.alarm_id = ${alarmId}::uuid and ${isVisible} for no key update`)
  return alarm
}
