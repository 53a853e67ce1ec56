import { MAX_SCENES, type Scene, type scene, type SceneKey } from '../../../../contract/automation/scene.ts'
import type { HandlersOf, SignedIn } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { findHome, lockHome, lockHomeExclusively } from '../../../domain/homes/find-home.ts'
import { assertVersion } from '../../../lib/assert-version.ts'
import { conflictOnUniqueViolation } from '../../../store/database-errors.ts'
import { sql } from '../../../kernel/db.ts'
import { assertNoNewLoop } from '../rules/other-rules.ts'
import { checkActions } from '../targets/check-actions.ts'
import type { RecheckRules } from './mark-broken.ts'
import { assertRight } from '../targets/assert-right.ts'
import { readScenes } from '../targets/scene-store.ts'
import { deleteUnreferenced } from '../targets/references.ts'

const TAKEN = 'This home already has a scene of that name'

export const sceneHandlers = ({
  recheck,
}: {
  recheck: RecheckRules
}): HandlersOf<typeof scene.operations> => ({
  list: async ({ HomeID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return readScenes(
      db,
      { tenant: actor.tenant, homeId: HomeID },
      sql`true order by lower(scene_name), scene_id`,
    )
  },

  create: async (input, context) => {
    const { db, actor, random } = context
    assertRight(actor, 'device_control', 'Control', input.HomeID)
    await lockHomeExclusively(db, actor.tenant, input.HomeID)
    await checkActions(db, { tenant: actor.tenant, homeId: input.HomeID }, input.Actions)
    const [count] = await db.query<{ scenes: number }>(sql`select count(*) as scenes from scenes
      where tenant = ${actor.tenant} and home_id = ${input.HomeID}`)
    if ((count?.scenes ?? 0) >= MAX_SCENES)
      throw new GatewayError('LIMIT_EXCEEDED', `A home has at most ${MAX_SCENES} scenes`)
    const record: Scene = { SceneID: random.uuid(), ...input, Version: 1 }
    await conflictOnUniqueViolation(
      'SceneName',
      TAKEN,
      db.query(sql`insert into scenes (tenant, scene_id, home_id, scene_name, icon, actions, action_order, stop_on_failure)
        values (${actor.tenant}, ${record.SceneID}, ${record.HomeID}, ${record.SceneName}, ${record.Icon},
          ${JSON.stringify(record.Actions)}::jsonb, ${record.Order}, ${record.StopOnFailure})`),
    )
    context.change('scene.add', record)
    context.audit({ after: record })
    return record
  },

  update: async ({ HomeID, SceneID, Version, ...changes }, context) => {
    const { db, actor } = context
    if (changes.Actions || changes.Order || changes.StopOnFailure !== undefined)
      assertRight(actor, 'device_control', 'Control', HomeID)
    await lockHome(db, actor.tenant, HomeID)
    const before = await lockScene({ HomeID, SceneID }, context)
    assertVersion(Version, before)
    if (changes.Actions)
      await checkActions(db, { tenant: actor.tenant, homeId: HomeID }, changes.Actions, {
        known: before.Actions,
      })
    const { Problem: _was, ...sceneBefore } = sceneRowOf(before)
    const written: Scene = { ...sceneBefore, ...changes, Version: before.Version + 1 }
    const write = () =>
      conflictOnUniqueViolation(
        'SceneName',
        TAKEN,
        db.query(sql`update scenes set scene_name = ${written.SceneName}, icon = ${written.Icon},
        actions = ${JSON.stringify(written.Actions)}::jsonb, action_order = ${written.Order},
        stop_on_failure = ${written.StopOnFailure}, version = ${written.Version}
        where tenant = ${actor.tenant} and scene_id = ${SceneID}`),
      )
    if (changes.Actions) await assertNoNewLoop(db, { tenant: actor.tenant, homeId: HomeID }, 'Actions', write)
    else await write()
    if (changes.Actions) await recheck(context, { kind: 'scene', ids: [SceneID] })
    const after = await lockScene({ HomeID, SceneID }, context)
    context.change('scene.update', after)
    context.audit({ before: sceneRowOf(before), after: sceneRowOf(after) })
    return after
  },

  remove: async (key, context) => {
    await deleteUnreferenced(context, {
      kind: 'scene',
      id: key.SceneID,
      homeId: key.HomeID,
      lockSubject: async () => sceneRowOf(await lockScene(key, context)),
    })
    context.change('scene.remove', key)
    return key
  },
})

/** Scene without its last run, as the audit keeps it. */
function sceneRowOf({ LastRun: _l, ...written }: Scene): Scene {
  return written
}

/** Reads a scene and locks it until the transaction ends. Errors: NOT_FOUND. */
async function lockScene({ HomeID, SceneID }: SceneKey, { db, actor }: SignedIn): Promise<Scene> {
  const [record] = await readScenes(
    db,
    { tenant: actor.tenant, homeId: HomeID },
    sql`scene_id = ${SceneID} for update`,
  )
  if (!record) throw new GatewayError('NOT_FOUND', `Scene ${SceneID} does not exist`)
  return record
}
