import type { Action } from '../../../../contract/rules/automation/action.ts'
import { type Db, sql } from '../../../store/db.ts'
import type { HomeKey } from './ports.ts'

/** Scenes and groups that actions name. */
interface Named {
  scenes: ReadonlyMap<string, readonly Action[]>
  groups: ReadonlyMap<string, readonly string[]>
}

/**
 * Which fields of which devices some lists of actions of a home set, as texts that are equal for equal fields. Scenes and groups
 * count as what is in them now; a room counts as itself.
 */
export async function fieldsSet(
  db: Db,
  home: HomeKey,
  lists: readonly (readonly Action[])[],
): Promise<Set<string>[]> {
  const named = await readNamed(db, home, lists.flat())
  return lists.map((actions) => new Set(actions.flatMap((action) => fieldsOf(action, named))))
}

function fieldsOf(action: Action, named: Named): string[] {
  const { PeripheralUID, GroupID, SceneID, RoomID, Only, Values = {} } = action
  if (SceneID !== undefined)
    return (named.scenes.get(SceneID) ?? []).flatMap((part) => fieldsOf(part, named))
  const fields = Object.keys(Values)
  const of = (target: string) => fields.map((field) => `${target}/${field}`)
  if (GroupID !== undefined) return (named.groups.get(GroupID) ?? []).flatMap(of)
  return of(PeripheralUID ?? `room ${RoomID} ${Only}`)
}

async function readNamed(db: Db, { tenant, homeId }: HomeKey, actions: readonly Action[]): Promise<Named> {
  const sceneIds = actions.flatMap(({ SceneID }) => SceneID ?? [])
  const scenes = sceneIds.length
    ? await db.query<{ id: string; actions: Action[] }>(sql`select scene_id as id, actions from scenes
        where tenant = ${tenant} and home_id = ${homeId} and scene_id = any(${sceneIds}::text[])`)
    : []
  const groupIds = [...actions, ...scenes.flatMap((scene) => scene.actions)].flatMap(
    ({ GroupID }) => GroupID ?? [],
  )
  const groups = groupIds.length
    ? await db.query<{ id: string; members: string[] }>(sql`
        select group_id as id, array_agg(peripheral_uid) as members from group_members
        where tenant = ${tenant} and group_id = any(${groupIds}::text[]) group by group_id`)
    : []
  return {
    scenes: new Map(scenes.map(({ id, actions: parts }) => [id, parts])),
    groups: new Map(groups.map(({ id, members }) => [id, members])),
  }
}
