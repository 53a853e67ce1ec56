import {
  MAX_COMMAND_CLOCK_SKEW_MS,
  COMMAND_TTL_MS,
  type CommandFailure,
} from '../../../../contract/devices/command-calls.ts'
import { type Action, DeviceAction } from '../../../../contract/automation/action.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { may } from '../../../../contract/kernel/permissions.ts'
import type { ScreenClient } from '../../../kernel/broker.ts'
import type { Deps } from '../../deps.ts'
import { checkActions } from '../targets/check-actions.ts'
import type { RunPlan } from './port.ts'
import type { RunEngine } from './runs.ts'

/** Time for which an action of a run that a user started may wait for an offline hub, ms. */
const OFFLINE_HUB_GRACE_MS = 900_000

export const personRun = (
  run: Pick<RunPlan, 'tenant' | 'homeId' | 'runId' | 'by'> & Partial<RunPlan>,
  now: number,
): RunPlan => ({
  automationId: null,
  sceneId: null,
  name: null,
  cause: 'person',
  ownerId: null,
  edgeNo: null,
  plannedAt: null,
  depth: 0,
  actions: [],
  order: 'together',
  catchUpUntil: now + OFFLINE_HUB_GRACE_MS,
  conditions: [],
  restores: null,
  ...run,
})

/** Whether a request is too old, or its clock too far ahead. */
const isPastDeadline = (at: number | undefined, now: number): boolean =>
  at !== undefined && (now - at > COMMAND_TTL_MS || at - now > MAX_COMMAND_CLOCK_SKEW_MS)

/** Rejects an expired request. Errors: INVALID with `{ At: 'tooLate' }`. */
export function assertNotExpired(at: number | undefined, now: number): void {
  if (isPastDeadline(at, now))
    throw new GatewayError('INVALID', 'This was asked for too long ago', { At: 'tooLate' })
}

/** Scene as a run needs it; undefined if the home has none with that id. */
export async function sceneToRun(db: Db, tenant: string, homeId: string, sceneId: string) {
  const [scene] = await db.query<Pick<RunPlan, 'name' | 'actions' | 'order' | 'stopOnFailure'>>(sql`
    select scene_name as name, actions, action_order as order, stop_on_failure as "stopOnFailure" from scenes
    where tenant = ${tenant} and home_id = ${homeId} and scene_id = ${sceneId}`)
  return scene
}

/** Name of a group or room, and the action that sets it; undefined if the home has none with that id. */
async function targetToRun(
  db: Db,
  tenant: string,
  homeId: string,
  action: Action,
): Promise<Pick<RunPlan, 'name' | 'actions'> | undefined> {
  const [found] = await db.query<{ name: string }>(
    action.GroupID !== undefined
      ? sql`select group_name as name from groups
          where tenant = ${tenant} and home_id = ${homeId} and group_id = ${action.GroupID}`
      : sql`select room_name as name from rooms
          where tenant = ${tenant} and home_id = ${homeId} and room_id = ${action.RoomID ?? -1}::int`,
  )
  return found && { name: found.name, actions: [action] }
}

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
  return async (input: RunTargetInput): Promise<void> => {
    const { client, homeId, runId } = input
    const { tenant } = client
    const found = await findTarget(input)
    if (typeof found === 'string') {
      const Actions = { confirmed: 0, failed: 0, open: 0 }
      const run = { RunID: runId, AutomationID: null, SceneID: input.target.SceneID ?? null, Actions }
      const message = { ...run, State: 'refused', Reason: found, Timestamp: clock.now() } as const
      return events.emit('runChanged', { tenant, homeId, news: message })
    }
    const run = personRun({ tenant, homeId, runId, by: input.by, ...found }, clock.now())
    const planned = await db.transaction((tx) => runs.planWhole(tx, run))
    if (planned) runs.begin(tenant, runId)
    else await runs.publish(tenant, runId)
  }

  async function findTarget({
    client: { tenant, subject },
    homeId,
    target,
    at,
  }: RunTargetInput): Promise<Partial<RunPlan> | CommandFailure> {
    if (isPastDeadline(at, clock.now())) return 'tooLate'
    if (target.SceneID !== undefined) {
      if (!may(subject, 'scene', 'Read', homeId)) return 'permissionDenied'
      const scene = await sceneToRun(db, tenant, homeId, target.SceneID)
      return scene ? { ...scene, sceneId: target.SceneID } : 'notFound'
    }
    if (target.GroupID !== undefined && !may(subject, 'group', 'Read', homeId)) return 'permissionDenied'
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
