import type { Group } from '../../../../contract/automation/group.ts'
import type { SignedIn } from '../../../kernel/context.ts'
import { type Db, type Sql, sql } from '../../../kernel/db.ts'
import { findReferences } from './references.ts'

/** Groups with their members, in the order that users chose. */
export const readGroups = (db: Db, where: Sql): Promise<Group[]> =>
  db.query<Group>(sql`
    select g.home_id as "HomeID", g.group_id as "GroupID", g.group_name as "GroupName", g.group_type as "GroupType",
      g.version as "Version", coalesce((select json_agg(m.peripheral_uid order by m.place) from group_members m
        where m.tenant = g.tenant and m.group_id = g.group_id), '[]') as "PeripheralList"
    from groups g where ${where}`)

export async function writeMembers(
  db: Db,
  tenant: string,
  { GroupID, PeripheralList }: Pick<Group, 'GroupID' | 'PeripheralList'>,
): Promise<void> {
  await db.query(sql`delete from group_members where tenant = ${tenant} and group_id = ${GroupID}`)
  await db.query(sql`insert into group_members (tenant, group_id, peripheral_uid, place)
    select ${tenant}, ${GroupID}, uid, place from unnest(${PeripheralList}::text[]) with ordinality as m (uid, place)`)
}

/**
 * Removes devices that are about to be deleted from their groups, and deletes a group that is then empty unless a scene or an
 * automation acts on it. The caller has locked the devices; lock order: devices before groups.
 */
export async function removeFromGroups(context: SignedIn, uids: readonly string[]): Promise<void> {
  const { db, actor } = context
  if (uids.length === 0) return
  const ofThese = sql`tenant = ${actor.tenant} and peripheral_uid = any(${[...uids]})`
  const held = await db.query<{ id: string }>(sql`select group_id as id from groups
    where tenant = ${actor.tenant} and group_id in (select group_id from group_members where ${ofThese})
    order by group_id for update`)
  if (held.length === 0) return
  await db.query(sql`delete from group_members where ${ofThese}`)
  const ids = held.map(({ id }) => id)
  await db.query(sql`update groups set version = version + 1
    where tenant = ${actor.tenant} and group_id = any(${ids})`)
  for (const group of await readGroups(db, sql`g.tenant = ${actor.tenant} and g.group_id = any(${ids})`)) {
    const { HomeID, GroupID, PeripheralList } = group
    const isUsed =
      PeripheralList.length > 0 ||
      (await findReferences(db, actor.tenant, { kind: 'group', id: GroupID })).length > 0
    if (isUsed) context.change('group.update', group)
    else {
      await db.query(sql`delete from groups where tenant = ${actor.tenant} and group_id = ${GroupID}`)
      context.change('group.remove', { HomeID, GroupID })
    }
  }
}
