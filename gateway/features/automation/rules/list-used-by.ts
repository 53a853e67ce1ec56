import { type FeatureKey, may } from '../../../../contract/kernel/permissions.ts'
import type { runs } from '../../../../contract/automation/run-calls.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { type AutomationType, FEATURE_OF_TYPE } from '../../../../contract/automation/automation.ts'
import type { Handler } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { type Db, type Sql, sql } from '../../../kernel/db.ts'
import { inHomes } from '../../../store/sql.ts'
import { isInScenes, sceneNames } from '../targets/scene-store.ts'

type Row = ResultsOf<typeof runs.listUsedBy>['Rows'][number]

interface Asked {
  tenant: string
  /** Null means all. */
  homes: readonly string[] | null
  subject: 'device' | 'group' | 'scene' | 'room' | 'person'
  id: string
}

/** References to a thing that the caller may read, and the number of those that they may not. */
export const listUsedBy: Handler<typeof runs.listUsedBy> = async ({ HomeID, Subject, ID }, context) => {
  const { db, actor } = context
  if (Subject === 'room' && HomeID === undefined)
    throw new GatewayError('INVALID', 'A room is one of a home', { HomeID: 'required' })
  const homes = HomeID === undefined ? context.homes() : [HomeID]
  const query = { tenant: actor.tenant, homes, subject: Subject, id: String(ID) }
  await findSubject(db, query)
  const groups = await readGroups(db, query)
  const scenes = await readScenes(db, query, groups)
  const all = [...groups, ...scenes, ...(await readAutomationsUsing(db, query, [...groups, ...scenes]))]
  const mayRead = (feature: FeatureKey, row: Row) => may(actor, feature, 'Read', row.HomeID)
  const Rows = all
    .filter((row) => mayRead(featureOf(row), row))
    .map(({ Via, ...row }) => ({
      ...row,
      ...(Via && { Via: { ...Via, Name: mayRead(Via.Kind, row) ? Via.Name : null } }),
    }))
  return { Rows, Hidden: all.length - Rows.length }
}

const featureOf = ({ Kind, AutomationType: type }: Row): FeatureKey =>
  Kind === 'automation' ? FEATURE_OF_TYPE[type as AutomationType] : Kind

const inHome = ({ homes }: Asked, column: Sql): Sql => sql`and ${inHomes(homes, column)}`

/** Checks that the thing exists. Errors: NOT_FOUND. */
async function findSubject(db: Db, query: Asked): Promise<void> {
  const { tenant, id, subject } = query
  const within = inHome(query, sql`home_id`)
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

const readGroups = async (db: Db, { tenant, subject, id }: Asked): Promise<Row[]> =>
  subject !== 'device'
    ? []
    : db.query<Row>(sql`select 'group' as "Kind", g.home_id as "HomeID", g.group_id as "ID", g.group_name as "Name",
        null::int as "AutomationType", 'member' as "Role"
      from group_members m join groups g using (tenant, group_id)
      where m.tenant = ${tenant} and m.peripheral_uid = ${id} order by lower(g.group_name), g.group_id`)

/** Scenes that name it, or a group that contains it. */
async function readScenes(db: Db, query: Asked, groups: readonly Row[]): Promise<Row[]> {
  const { tenant, subject, id } = query
  if (!isInScenes(subject)) return []
  const rows = await db.query<Row & { isDirect: boolean; GroupIDs: string[] }>(sql`
    select 'scene' as "Kind", home_id as "HomeID", scene_id as "ID", scene_name as "Name", null::int as "AutomationType",
      'action' as "Role", ${sceneNames(subject, [id])} as "isDirect",
      array(select a ->> 'GroupID' from jsonb_array_elements(actions) a where a ? 'GroupID') as "GroupIDs"
    from scenes where tenant = ${tenant} ${inHome(query, sql`home_id`)}
      and (${sceneNames(subject, [id])} or ${sceneNames('group', idsOf(groups))})
    order by lower(scene_name), scene_id`)
  return rows.map(({ isDirect, GroupIDs, ...row }) => ({
    ...row,
    ...(!isDirect && { Via: viaOf(groups.find(({ ID }) => GroupIDs.includes(ID))) }),
  }))
}

const idsOf = (rows: readonly Row[]): string[] => rows.map(({ ID }) => ID)

const viaOf = (row: Row | undefined): Row['Via'] =>
  row && { Kind: row.Kind as 'group' | 'scene', ID: row.ID, Name: row.Name }

/** Automations that name it, or a group or scene through which they set it; once for each role. */
async function readAutomationsUsing(db: Db, query: Asked, through: readonly Row[]): Promise<Row[]> {
  const { tenant, subject, id } = query
  const columns = sql`'automation' as "Kind", a.home_id as "HomeID", a.automation_id as "ID", a.automation_name as "Name",
    a.automation_type as "AutomationType"`
  const order = sql`order by lower(a.automation_name), a.automation_id`
  if (subject === 'person')
    return db.query<Row>(sql`select ${columns}, 'owner' as "Role" from automations a
      where a.tenant = ${tenant} and a.owner_id::text = ${id} ${inHome(query, sql`a.home_id`)} ${order}`)
  const rows = await db.query<Row & { kind: string; subject: string }>(sql`
    select ${columns}, s.role as "Role", s.kind, s.subject
    from automation_subjects s join automations a using (tenant, automation_id)
    where s.tenant = ${tenant} ${inHome(query, sql`a.home_id`)} and (s.kind = ${subject} and s.subject = ${id}
      or (s.kind, s.subject) in (select * from unnest(
        ${through.map(({ Kind }) => Kind)}::text[], ${idsOf(through)}::text[])))
    ${order}, s.role, (s.kind = ${subject} and s.subject = ${id}) desc, s.kind, s.subject`)
  const found = new Map<string, Row>()
  for (const { kind, subject: named, ...row } of rows) {
    const key = `${row.ID} ${row.Role}`
    if (found.has(key)) continue
    const isDirect = kind === subject && named === id
    const by = through.find(({ Kind, ID }) => Kind === kind && ID === named)
    found.set(key, isDirect ? row : { ...row, Via: viaOf(by) })
  }
  return [...found.values()]
}
