import type { LastRun } from '../../../../contract/automation/run-states.ts'
import type { Scene } from '../../../../contract/automation/scene.ts'
import { type Db, type Sql, sql } from '../../../kernel/db.ts'
import { lastRunOf } from '../../../domain/automation/last-run.ts'
import { sceneProblem, loadTargets } from './targets.ts'

/** Scenes of a home with their present problem; `rest` is the condition on scenes, and what follows it. */
export async function readScenes(
  db: Db,
  home: { tenant: string; homeId: string },
  rest: Sql,
): Promise<Scene[]> {
  const scenes = await db.query<Omit<Scene, 'LastRun'> & { LastRun: LastRun | null }>(sql`
    select home_id as "HomeID", scene_id as "SceneID", scene_name as "SceneName", icon as "Icon", actions as "Actions",
      action_order as "Order", stop_on_failure as "StopOnFailure", version as "Version",
      ${lastRunOf(sql`r.tenant = scenes.tenant and r.scene_id = scenes.scene_id`)} as "LastRun"
    from scenes where tenant = ${home.tenant} and home_id = ${home.homeId} and ${rest}`)
  const targets = await loadTargets(
    db,
    home,
    scenes.flatMap(({ Actions }) => Actions),
  )
  return scenes.map(({ LastRun, ...scene }) => {
    const Problem = sceneProblem(scene.Actions, targets)
    return { ...scene, ...(Problem && { Problem }), ...(LastRun && { LastRun }) }
  })
}

/** Fields by which actions name deletable things, by kind; room ids are numbers. */
const NAMED = { device: 'PeripheralUID', group: 'GroupID', room: 'RoomID' } as const

/** Whether scenes can name a kind of thing. */
export const isInScenes = (kind: string): kind is keyof typeof NAMED => Object.hasOwn(NAMED, kind)

/** Condition that a scene's actions name one of some devices, groups or rooms directly. */
export const sceneNames = (kind: keyof typeof NAMED, ids: readonly string[]): Sql =>
  sql`actions @> any(array(select jsonb_build_array(jsonb_build_object(${NAMED[kind]}::text,
    ${kind === 'room' ? sql`i::int` : sql`i`})) from unnest(${[...ids]}::text[]) i))`
