import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { deviceType } from '../../../../contract/devices/kinds/registry.ts'
import { groupBy } from '../../../lib/group-by.ts'
import type { Db } from '../../../kernel/db.ts'
import {
  expandActions,
  type DeviceStep,
  loadDevices,
  loadTargets,
  type TargetDevice,
  type LoadedTargets,
} from '../targets/targets.ts'
import { restoring, lastSetBy } from './restore.ts'
import { findRun, type StoredRun } from './store.ts'
import type { RunStep } from './step.ts'
import type { RunPlan } from './port.ts'

type Ordered = Pick<RunStep, 'follows' | 'stops'>

/**
 * Order of steps that differs from that of their run, and whether a step is skipped after a failure: a scene in an automation keeps
 * its own order, and counts as one action.
 *
 * returns  for each step, in order; steps are numbered from 1
 */
function orderOf(
  steps: readonly Pick<DeviceStep, 'action' | 'scene'>[],
  { order, stopOnFailure = false }: Pick<RunPlan, 'order' | 'stopOnFailure'>,
): Ordered[] {
  if (order === 'together') return steps.map((_, i) => withinScene(steps, i))
  const stops = stopOnFailure && { stops: true }
  if (!steps.some(({ scene }) => scene)) return steps.map((_, i) => (i > 0 ? { ...stops } : {}))
  let [block, before]: [number[], number[]] = [[], []]
  return steps.map((step, i) => {
    const within = withinScene(steps, i)
    const isParallel = isOfLast(steps, i) && step.scene?.Order === 'together'
    if (isParallel) block.push(i + 1)
    else [before, block] = [block, [i + 1]]
    return { ...(before.length > 0 && stops), ...within, follows: [...before] }
  })
}

/** Order of a step within its scene: after the scene's previous step. */
function withinScene(steps: readonly Pick<DeviceStep, 'action' | 'scene'>[], i: number): Ordered {
  const { scene } = steps[i] ?? {}
  if (!isOfLast(steps, i) || scene?.Order !== 'inOrder') return {}
  return { follows: [i], ...(scene.StopOnFailure && { stops: true }) }
}

const isOfLast = (steps: readonly Pick<DeviceStep, 'action' | 'scene'>[], i: number): boolean =>
  steps[i]?.scene !== undefined && steps[i - 1]?.action === steps[i]?.action

export type PlannedRun = Pick<
  StoredRun,
  'tenant' | 'homeId' | 'automationId' | 'cause' | 'planned' | 'restores' | 'order'
> & {
  stopOnFailure?: boolean
}

/** Steps of a run, and the devices that they set, by UID, as stored now. */
export interface PlannedSteps {
  steps: RunStep[]
  devices: ReadonlyMap<string, TargetDevice>
}

export async function planSteps(db: Db, run: PlannedRun, now: number): Promise<RunStep[]> {
  const [planned] = await planAllSteps(db, [run], now)
  return planned?.steps ?? []
}

/** Steps of several runs, in their order; targets of the same home are loaded together. */
export async function planAllSteps(
  db: Db,
  runs: readonly PlannedRun[],
  now: number,
): Promise<PlannedSteps[]> {
  const found = new Map<PlannedRun, PlannedSteps>()
  const homes = groupBy(
    runs.filter(({ restores }) => restores === null),
    ({ tenant, homeId }) => `${tenant}/${homeId}`,
  )
  for (const [home, ...others] of homes.values()) {
    if (!home) continue
    const all = [home, ...others]
    const targets = await loadTargets(
      db,
      home,
      all.flatMap(({ planned }) => planned),
    )
    for (const run of all) found.set(run, fromActions(run, targets))
  }
  for (const run of runs) if (run.restores !== null) found.set(run, await fromRun(db, run, run.restores, now))
  return runs.map((run) => found.get(run) ?? { steps: [], devices: new Map() })
}

function fromActions(run: PlannedRun, targets: LoadedTargets): PlannedSteps {
  const { devices } = targets
  const expanded = expandActions(run.planned, targets)
  const orders = orderOf(expanded, run)
  const steps = expanded.map(({ uid, values, after, ifOffline }, i) => {
    const mustConfirm = requiresConfirmation(devices.get(uid), values)
    return {
      n: i + 1,
      uid,
      values,
      after,
      catchUp: ifOffline === 'catchUp' && !mustConfirm,
      ...(run.automationId !== null && !mustConfirm && { survives: true }),
      ...orders[i],
    }
  })
  return { steps, devices }
}

/** Whether such a command by hand needs confirmation; it does not wait for a hub, because nothing would ask again. */
const requiresConfirmation = (device: TargetDevice | undefined, values: CommandValues): boolean =>
  (deviceType(device?.type ?? '')?.capabilities ?? []).some(({ needsConfirmation: asksFirst }) =>
    asksFirst?.(values),
  )

/** Steps that restore what a run set; values that have changed since are left. */
async function fromRun(db: Db, run: PlannedRun, restores: string, now: number): Promise<PlannedSteps> {
  const original = await findRun(db, run.tenant, restores)
  const sent = (original?.steps ?? []).filter(({ before }) => before !== undefined)
  const uids = [...new Set(sent.map(({ uid }) => uid))]
  const devices = await loadDevices(db, run, { uids })
  const setBy = original && (await lastSetBy(db, original, uids, now))
  const byId = new Map(devices.map((device) => [device.uid, device]))
  const steps: RunStep[] = []
  for (const { uid, ...set } of sent) {
    const device = byId.get(uid)
    if (!device) continue
    const { values, unrestoredCount } = restoring(
      set,
      device.status,
      run.cause === 'off' ? 'off' : 'before',
      (part) => setBy?.(uid, part) ?? 'nobody',
    )
    const common = { uid, after: 0, catchUp: false }
    const survives = run.automationId !== null && !requiresConfirmation(device, values)
    if (Object.keys(values).length > 0)
      steps.push({ ...common, n: steps.length + 1, values, ...(survives && { survives }) })
    if (unrestoredCount > 0)
      steps.push({
        ...common,
        n: steps.length + 1,
        values: set.values,
        end: { state: 'left', reason: null, at: now },
      })
  }
  return { steps, devices: byId }
}
