import { MAX_COMMAND_CLOCK_SKEW_MS, COMMAND_TTL_MS } from '../../../../contract/devices/command-calls.ts'
import type { Action } from '../../../../contract/automation/action.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import type { RunPlan } from './port.ts'

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
export const isPastDeadline = (at: number | undefined, now: number): boolean =>
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
export async function targetToRun(
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
