import type { CommandFailure } from '../../../../contract/devices/command-calls.ts'
import { may } from '../../../../contract/kernel/permissions.ts'
import { DeviceAction } from '../../../../contract/automation/action.ts'
import type { ScreenClient } from '../../../kernel/broker.ts'
import type { Deps } from '../../deps.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { checkActions } from '../targets/check-actions.ts'
import type { RunPlan } from './port.ts'
import type { RunEngine } from './runs.ts'
import { isPastDeadline, personRun, sceneToRun, targetToRun } from './start-run.ts'

export interface RunTargetInput {
  client: ScreenClient
  homeId: string
  runId: string
  target: object & { GroupID?: string | undefined; SceneID?: string | undefined }
  at: number
  by: string | null
}

/**
 * Starts the run of a group, scene or room that a user requested over the realtime channel; a repeated request with the same id
 * gets the state of that run. A rejection is published on `automation/run` and stores no run.
 */
export function runTarget({ db, clock, events }: Pick<Deps, 'db' | 'clock' | 'events'>, runs: RunEngine) {
  return async (asked: RunTargetInput): Promise<void> => {
    const { client, homeId, runId } = asked
    const { tenant } = client
    const found = await findTarget(asked)
    if (typeof found === 'string') {
      const Actions = { confirmed: 0, failed: 0, open: 0 }
      const run = { RunID: runId, AutomationID: null, SceneID: asked.target.SceneID ?? null, Actions }
      const news = { ...run, State: 'refused', Reason: found, Timestamp: clock.now() } as const
      return events.emit('runChanged', { tenant, homeId, news })
    }
    const run = personRun({ tenant, homeId, runId, by: asked.by, ...found }, clock.now())
    const planned = await db.transaction((tx) => runs.planWhole(tx, run))
    if (planned) runs.begin(tenant, runId)
    else await runs.tell(tenant, runId)
  }

  async function findTarget({
    client: { tenant, subject },
    homeId,
    target,
    at,
  }: RunTargetInput): Promise<Partial<RunPlan> | CommandFailure> {
    if (isPastDeadline(at, clock.now())) return 'tooLate'
    if (target.SceneID !== undefined) {
      if (!may(subject, 'scene', 'Read')) return 'permissionDenied'
      const scene = await sceneToRun(db, tenant, homeId, target.SceneID)
      return scene ? { ...scene, sceneId: target.SceneID } : 'notFound'
    }
    if (target.GroupID !== undefined && !may(subject, 'group', 'Read')) return 'permissionDenied'
    const action = DeviceAction.safeParse(target)
    if (!action.success) return 'invalidValues'
    try {
      await checkActions(db, { tenant, homeId }, [action.data])
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'NOT_FOUND') return 'notFound'
      if (error instanceof GatewayError && error.code === 'INVALID') return 'invalidValues'
      throw error
    }
    return (await targetToRun(db, tenant, homeId, action.data)) ?? 'notFound'
  }
}
