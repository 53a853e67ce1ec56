import { type runs, UNDO_WINDOW_MS } from '../../../contract/automation/run-calls.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { findHome } from '../../domain/homes/find-home.ts'
import { sql } from '../../kernel/db.ts'
import { listUsedBy } from './rules/list-used-by.ts'
import { captureScene } from './targets/capture-scene.ts'
import { explainDevice } from './explain/explain-device.ts'
import { assertRight } from './targets/assert-right.ts'
import { listAutomationRun } from './runs/list-runs.ts'
import type { RunEngine } from './runs/runs.ts'
import { personRun, assertNotExpired, sceneToRun } from './runs/start-run.ts'
import { type RunStep, stateOf } from './runs/step.ts'
import { readCommandsOfRuns, findRun, type StoredRun, supersede } from './runs/store.ts'
import type { RunPlan } from './runs/port.ts'

export const runCallHandlers = (engine: RunEngine): HandlersOf<typeof runs> => ({
  runScene: async ({ HomeID, SceneID, At }, context) => {
    const { db, actor, clock } = context
    assertRight(actor, 'scene', 'Read', HomeID)
    assertNotExpired(At, clock.now())
    await findHome(db, actor.tenant, HomeID)
    const scene = await sceneToRun(db, actor.tenant, HomeID, SceneID)
    if (!scene) throw new GatewayError('NOT_FOUND', `Scene ${SceneID} does not exist`)
    const { RunID, Actions } = await plan(engine, { homeId: HomeID, sceneId: SceneID, ...scene }, context)
    return { RunID, Actions }
  },

  undoScene: async ({ HomeID, RunID, At }, context) => {
    const { db, actor, clock } = context
    const now = clock.now()
    assertNotExpired(At, now)
    const run = await findPersonRun(HomeID, RunID, context)
    if (run.cause !== 'person' || now - run.beganAt >= UNDO_WINDOW_MS)
      throw new GatewayError('CONFLICT', 'This run cannot be undone any more', { RunID: 'tooLate' })
    // Cancels unsent commands, which would otherwise be sent after the undo.
    await supersede(db, actor.tenant, sql`run_id = ${RunID}`, now)
    const { sceneId, name } = run
    return plan(
      engine,
      { homeId: HomeID, sceneId, name, cause: 'undo', restores: RunID, catchUpUntil: null },
      context,
    )
  },

  retryRun: async ({ HomeID, RunID, At }, context) => {
    const { db, actor, clock } = context
    assertNotExpired(At, clock.now())
    const run = await findPersonRun(HomeID, RunID, context)
    if (run.endedAt === null) throw new GatewayError('CONFLICT', 'This run is not over', { RunID: 'notYet' })
    const commands = (await readCommandsOfRuns(db, actor.tenant, [RunID])).get(RunID) ?? new Map()
    const failed = run.steps.filter((step) =>
      ['failed', 'timedOut', 'dropped'].includes(stateOf(RunID, step, commands).State),
    )
    if (failed.length === 0)
      throw new GatewayError('CONFLICT', 'No action of this run has failed', { RunID: 'nothingFailed' })
    const actions = failed.map(({ uid, values, catchUp }) => ({
      PeripheralUID: uid,
      Values: values,
      After: 0,
      IfOffline: catchUp ? ('catchUp' as const) : ('fail' as const),
    }))
    const { sceneId, name, order, stopOnFailure } = run
    const again = { homeId: HomeID, sceneId, name, order, stopOnFailure, actions }
    const planned = await plan(engine, again, context)
    return { RunID: planned.RunID, Actions: planned.Actions }
  },

  captureScene,
  listAutomationRun,
  explainDevice,
  listUsedBy,
})

/** Plans a run for the caller; it begins when the transaction commits. */
async function plan(
  engine: RunEngine,
  given: Pick<RunPlan, 'homeId'> & Partial<RunPlan>,
  context: SignedIn,
): Promise<{ RunID: string; Actions: number; Left: number }> {
  const { db, actor, clock, random } = context
  const RunID = random.uuid()
  const run = personRun({ tenant: actor.tenant, runId: RunID, by: actor.name, ...given }, clock.now())
  const steps: readonly RunStep[] = (await engine.planWhole(db, run)) ?? []
  const remainingCount = steps.filter(({ end }) => end?.state === 'left').length
  context.emit('runPlanned', { tenant: actor.tenant, runId: RunID })
  context.audit({ after: { RunID, Name: run.name } })
  return { RunID, Actions: steps.length - remainingCount, Left: remainingCount }
}

/** Run of a scene, group or room of the home. Errors: NOT_FOUND. */
async function findPersonRun(HomeID: string, RunID: string, { db, actor }: SignedIn): Promise<StoredRun> {
  const run = await findRun(db, actor.tenant, RunID)
  if (!run || run.homeId !== HomeID || run.automationId !== null)
    throw new GatewayError('NOT_FOUND', `Run ${RunID} does not exist`)
  return run
}
