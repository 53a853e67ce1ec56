import { type FeatureKey, may } from '../../../../contract/features.ts'
import type { runs } from '../../../../contract/procedures/runs.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { type AutomationType, FEATURE_OF_TYPE } from '../../../../contract/resources/automation.ts'
import type { Handler } from '../../../context.ts'
import { GatewayError } from '../../../errors.ts'
import { type Db, empty, type Sql, sql } from '../../../store/db.ts'

type Row = ResultsOf<typeof runs.listUsedBy>['Rows'][number]

interface Asked {
  tenant: string
  homeId: string | undefined
  subject: 'device' | 'group' | 'scene' | 'room' | 'person'
  id: string
}

/** What names something, as far as the person may read it, and how many others do. */
export const listUsedBy: Handler<typeof runs.listUsedBy> = async ({ HomeID, Subject, ID }, { db, actor }) => {
  if (Subject === 'room' && HomeID === undefined)
    throw new GatewayError('INVALID', 'A room is one of a home', { HomeID: 'required' })
  const asked = { tenant: actor.tenant, homeId: HomeID, subject: Subject, id: String(ID) }
  await findSubject(db, asked)
  const all = [
    ...(await groupsOf(db, asked)),
    ...(await scenesOf(db, asked)),
    ...(await automationsOf(db, asked)),
  ]
  const Rows = all.filter((row) => may(actor, featureOf(row), 'Read'))
  return { Rows, Hidden: all.length - Rows.length }
}

const featureOf = ({ Kind, AutomationType: type }: Row): FeatureKey =>
  Kind === 'automation' ? FEATURE_OF_TYPE[type as AutomationType] : Kind

const inHome = ({ homeId }: Asked, column: Sql): Sql =>
  homeId === undefined ? empty : sql`and ${column} = ${homeId}`

/** Errors: NOT_FOUND. */
async function findSubject(db: Db, asked: Asked): Promise<void> {
  const { tenant, id, subject } = asked
  const within = inHome(asked, sql`home_id`)
  const where: Record<Asked['subject'], Sql> = {
    device: sql`peripherals where tenant = ${tenant} and peripheral_uid = ${id} ${within}`,
    group: sql`groups where tenant = ${tenant} and group_id = ${id} ${within}`,
    scene: sql`scenes where tenant = ${tenant} and scene_id = ${id} ${within}`,
    room: sql`rooms where tenant = ${tenant} and room_id::text = ${id} ${within}`,
    person: sql`users where tenant = ${tenant} and cognito_id::text = ${id}`,
  }
  const found = await db.query(sql`select 1 from ${where[subject]}`)
  if (found.length === 0) throw new GatewayError('NOT_FOUND', `${id} does not exist`, { ID: 'notFound' })
}

const groupsOf = async (db: Db, { tenant, subject, id }: Asked): Promise<Row[]> =>
  subject !== 'device'
    ? []
    : db.query<Row>(sql`select 'group' as "Kind", g.home_id as "HomeID", g.group_id as "ID", g.group_name as "Name",
        null::int as "AutomationType", 'member' as "Role"
      from group_members m join groups g using (tenant, group_id)
      where m.tenant = ${tenant} and m.peripheral_uid = ${id} order by lower(g.group_name), g.group_id`)

async function scenesOf(db: Db, asked: Asked): Promise<Row[]> {
  const { tenant, subject, id } = asked
  if (subject === 'scene' || subject === 'person') return []
  const named = { device: { PeripheralUID: id }, group: { GroupID: id }, room: { RoomID: Number(id) } }[
    subject
  ]
  return db.query<Row>(sql`select 'scene' as "Kind", home_id as "HomeID", scene_id as "ID", scene_name as "Name",
      null::int as "AutomationType", 'action' as "Role"
    from scenes where tenant = ${tenant} ${inHome(asked, sql`home_id`)} and actions @> ${JSON.stringify([named])}::jsonb
    order by lower(scene_name), scene_id`)
}

async function automationsOf(db: Db, asked: Asked): Promise<Row[]> {
  const { tenant, subject, id } = asked
  const columns = sql`'automation' as "Kind", a.home_id as "HomeID", a.automation_id as "ID", a.automation_name as "Name",
    a.automation_type as "AutomationType"`
  const order = sql`order by lower(a.automation_name), a.automation_id`
  if (subject === 'person')
    return db.query<Row>(sql`select ${columns}, 'owner' as "Role" from automations a
      where a.tenant = ${tenant} and a.owner_id::text = ${id} ${inHome(asked, sql`a.home_id`)} ${order}`)
  return db.query<Row>(sql`select ${columns}, s.role as "Role"
    from automation_subjects s join automations a using (tenant, automation_id)
    where s.tenant = ${tenant} and s.kind = ${subject} and s.subject = ${id} ${inHome(asked, sql`a.home_id`)}
    ${order}, s.role`)
}
