import { deviceType } from '../../../../contract/device-kinds/registry.ts'
import type { Action } from '../../../../contract/rules/automation/action.ts'
import type { Db } from '../../../store/db.ts'
import { expandActions } from '../expand-actions.ts'
import { loadDevices, loadTargets } from '../targets.ts'
import { restoring } from './restore.ts'
import { findRun, type StoredRun } from './store.ts'
import type { Step } from './step.ts'

type Planned = Pick<StoredRun, 'tenant' | 'homeId' | 'cause' | 'planned' | 'restores'>

/** The devices that a run sets, as things stand; a step for each. */
export async function planSteps(db: Db, run: Planned, now: number): Promise<Step[]> {
  return run.restores === null ? fromActions(db, run, run.planned) : fromRun(db, run, run.restores, now)
}

async function fromActions(db: Db, home: Planned, actions: readonly Action[]): Promise<Step[]> {
  const targets = await loadTargets(db, home, actions)
  return expandActions(actions, targets).map(({ uid, values, after, ifOffline }, i) => {
    const capabilities = deviceType(targets.devices.get(uid)?.type ?? '')?.capabilities ?? []
    // Nobody is asked when the hub comes back.
    const asks = capabilities.some(({ asksFirst }) => asksFirst?.(values))
    return { n: i + 1, uid, values, after, catchUp: ifOffline === 'catchUp' && !asks }
  })
}

/** What sets back what a run has set; what was changed since is a step that is left. */
async function fromRun(db: Db, run: Planned, restores: string, now: number): Promise<Step[]> {
  const original = await findRun(db, run.tenant, restores)
  const sent = (original?.steps ?? []).filter(({ before }) => before !== undefined)
  const devices = await loadDevices(db, run, { uids: sent.map(({ uid }) => uid) })
  const byId = new Map(devices.map((device) => [device.uid, device]))
  const steps: Step[] = []
  for (const { uid, ...set } of sent) {
    const device = byId.get(uid)
    if (!device) continue
    const { values, left } = restoring(set, device.status, run.cause === 'off' ? 'off' : 'before')
    const common = { uid, after: 0, catchUp: false }
    if (Object.keys(values).length > 0) steps.push({ ...common, n: steps.length + 1, values })
    if (left > 0)
      steps.push({
        ...common,
        n: steps.length + 1,
        values: set.values,
        end: { state: 'left', reason: null, at: now },
      })
  }
  return steps
}
