import { MAX_COMMAND_CLOCK_SKEW_MS, COMMAND_TTL_MS } from '../../../../contract/devices/command-calls.ts'
import type { Action } from '../../../../contract/automation/action.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { type Db, sql } from '../../../store/db.ts'
import type { RunPlan } from './port.ts'

/** How long an action that a person began may wait for a hub that is away, ms. */
const OFFLINE_HUB_GRACE_MS = 900_000

/** What people begin has this in common. */
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

/** Whether something was asked for too long ago, or by a clock too far ahead. */
export const isPastDeadline = (at: number | undefined, now: number): boolean =>
  at !== undefined && (now - at > COMMAND_TTL_MS || at - now > MAX_COMMAND_CLOCK_SKEW_MS)

/** Errors: INVALID with `{ At: 'tooLate' }`. */
export function assertNotExpired(at: number | undefined, now: number): void {
  if (isPastDeadline(at, now))
    throw new GatewayError('INVALID', 'This was asked for too long ago', { At: 'tooLate' })
}

/** A scene as a run takes it; undefined when the home has none of that id. */
export async function sceneToRun(db: Db, tenant: string, homeId: string, sceneId: string) {
  const [scene] = await db.query<Pick<RunPlan, 'name' | 'actions' | 'order' | 'stopOnFailure'>>(sql`
    select scene_name as name, actions, action_order as order, stop_on_failure as "stopOnFailure" from scenes
    where tenant = ${tenant} and home_id = ${homeId} and scene_id = ${sceneId}`)
  return scene
}

/** What a group or room is called, and the one action that sets it; undefined when the home has none of that id. */
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
