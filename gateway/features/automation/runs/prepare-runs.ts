import { may } from '../../../../contract/kernel/permissions.ts'
import type { RunState, SkipReason } from '../../../../contract/automation/run-states.ts'
import { groupBy } from '../../../lib/group-by.ts'
import type { Db } from '../../../kernel/db.ts'
import type { TargetDevice } from '../targets/targets.ts'
import { nextTasks, requestId, type RunStep } from './step.ts'
import { planAllSteps } from './plan-steps.ts'
import type { RunPlan } from './port.ts'
import type { RunCommand, UnsentCommand } from './ports.ts'
import { beforeOf } from './restore.ts'
import { homeOf, runKey, type PreparedRun, type RunsState } from './state.ts'
import { beginRuns, type RunLease, type StoredRun, supersedeOlder } from './store.ts'

/** A run that this gateway has claimed; the lease value is absent in the transaction that stored the run. */
interface Held {
  run: StoredRun
  held?: number
}

interface Draft extends Held {
  /** Result of a run that ends before it begins. */
  ending?: { state: RunState; reason: SkipReason | null }
  devices: ReadonlyMap<string, TargetDevice>
  sends: RunStep[]
}

export const storedOf = (
  { actions, by, stopOnFailure = false, ...run }: RunPlan,
  beganAt: number,
): StoredRun => ({
  ...run,
  stopOnFailure,
  by,
  planned: [...actions],
  state: 'planned',
  reason: null,
  beganAt,
  endedAt: null,
  steps: [],
})

/**
 * Prepares runs in one transaction: checks their owners' rights again, ends older runs of their automations, finds the devices, and
 * stores the first commands within the rate limits of the homes. Then the commands only have to be sent.
 *
 * returns  runs that this gateway still leases; of several runs of one automation, only the newest
 */
export async function prepareRuns(state: RunsState, tx: Db, held: readonly Held[]): Promise<PreparedRun[]> {
  const now = state.clock.now()
  const drafts = newestOf(held).map((one): Draft => ({ ...one, devices: new Map(), sends: [] }))
  await endNeedless(state, drafts)
  const older = await endOlder(tx, drafts, now)
  await findSteps(tx, drafts, now)
  for (const draft of drafts) if (!draft.ending) selectFirstSteps(state, draft, now)
  const holds = await beginRuns(tx, drafts.map(beginningOf), now)
  const claimedDrafts = drafts.filter(({ run }) => holds.has(runKey(run.tenant, run.runId)))
  const commands = await storeFirst(state, tx, claimedDrafts, now)
  return claimedDrafts.map(({ run, ending }) => ({
    run: Object.assign(run, ending ? { ...ending, endedAt: now } : { state: 'running' as const }),
    lease: holds.get(runKey(run.tenant, run.runId)) as RunLease,
    commands: commands.get(run) ?? [],
    superseded: older.filter((one) => one.tenant === run.tenant && one.automationId === run.automationId),
  }))
}

/** Each run of a guard sheds or restores one load, so none supersedes another. */
const ofGuard = ({ cause }: StoredRun): boolean => cause === 'shed' || cause === 'giveBack'

const supersedes = ({ run }: Held): boolean => run.automationId !== null && !ofGuard(run)

/** Keeps only the last of several runs of one automation. */
function newestOf(held: readonly Held[]): Held[] {
  const last = new Map(held.filter(supersedes).map((one) => [automationOf(one), one]))
  return held.filter((one) => !supersedes(one) || last.get(automationOf(one)) === one)
}

const automationOf = ({ run }: Held): string => runKey(run.tenant, run.automationId ?? '')

/** Ends runs without actions, and those whose owner no longer has the right. */
async function endNeedless(state: RunsState, drafts: readonly Draft[]): Promise<void> {
  const known = new Map<string, boolean>()
  for (const draft of drafts) {
    const { tenant, homeId, ownerId, planned, restores, steps } = draft.run
    if (planned.length === 0 && restores === null && steps.length === 0)
      draft.ending = { state: 'done', reason: null }
    else if (ownerId !== null) {
      const key = `${ownerId} ${homeId}`
      const mayAct = known.get(key) ?? (await mayControl(state, { tenant, homeId }, ownerId))
      known.set(key, mayAct)
      if (!mayAct) draft.ending = { state: 'refused', reason: 'noRight' }
    }
  }
}

async function mayControl(
  { identity }: RunsState,
  { tenant, homeId }: { tenant: string; homeId: string },
  ownerId: string,
): Promise<boolean> {
  const owner = await identity.loadActor(ownerId)
  return owner?.tenant === tenant && may(owner, 'device_control', 'Control', homeId)
}

async function endOlder(tx: Db, drafts: readonly Draft[], now: number): Promise<StoredRun[]> {
  const newer = drafts.filter((draft) => !draft.ending && supersedes(draft)).map(({ run }) => run)
  const ended: StoredRun[] = []
  for (const [tenant, tenantRuns] of groupBy(newer, (run) => run.tenant))
    ended.push(...(await supersedeOlder(tx, tenant, tenantRuns, now)))
  return ended
}

/** Finds the present devices of each run that has no steps yet. */
async function findSteps(tx: Db, drafts: readonly Draft[], now: number): Promise<void> {
  const going = drafts.filter(({ ending }) => !ending)
  const planned = await planAllSteps(
    tx,
    going.map(({ run }) => run),
    now,
  )
  for (const [i, draft] of going.entries()) {
    const { run } = draft
    const { steps, devices } = planned[i] ?? { steps: [], devices: new Map() }
    draft.devices = devices
    if (run.steps.length === 0) run.steps = steps
    if (run.steps.every((step) => step.end))
      draft.ending = { state: 'skipped', reason: run.steps.length > 0 ? 'handHadChangedIt' : 'nothingToDo' }
  }
}

/** Selects the steps that are sent at once, within the home's rate limit. */
function selectFirstSteps(state: RunsState, draft: Draft, now: number): void {
  const { run, devices, sends } = draft
  const { tasks } = nextTasks(run, new Map(), now)
  const stepsToSend = tasks.filter(({ kind }) => kind === 'send').map(({ step }) => step)
  sends.push(...stepsToSend.slice(0, stepsToSend.length && state.pace.take(homeOf(run), stepsToSend.length)))
  for (const step of sends) step.before ??= beforeOf(step.values, devices.get(step.uid)?.status ?? null)
}

const beginningOf = ({ run, held, ending }: Draft) => ({
  tenant: run.tenant,
  runId: run.runId,
  held,
  steps: run.steps,
  state: ending?.state ?? ('running' as const),
  reason: ending?.reason ?? null,
  isOver: ending !== undefined,
})

async function storeFirst(
  { control }: RunsState,
  tx: Db,
  drafts: readonly Draft[],
  now: number,
): Promise<Map<StoredRun, UnsentCommand[]>> {
  const stored = new Map<StoredRun, UnsentCommand[]>()
  for (const tenantDrafts of groupBy(drafts, ({ run }) => run.tenant).values()) {
    const asked = tenantDrafts.flatMap(({ run, sends, devices }) =>
      sends.map((step) => ({ run, command: commandOf(run, step, 1, now), device: devices.get(step.uid) })),
    )
    if (asked.length === 0) continue
    const commands = await control.storeCommands(
      tx,
      asked.map(({ command, device }) => ({ ...command, target: targetOf(device) })),
    )
    for (const [i, { run }] of asked.entries())
      stored.set(run, [...(stored.get(run) ?? []), commands[i] as UnsentCommand])
  }
  return stored
}

const targetOf = (device: TargetDevice | undefined) =>
  device && device.thingName !== null ? { ...device, thingName: device.thingName } : undefined

export const commandOf = (run: StoredRun, step: RunStep, attempt: number, at: number): RunCommand => ({
  tenant: run.tenant,
  homeId: run.homeId,
  RequestID: requestId(run.runId, step, attempt),
  PeripheralUID: step.uid,
  Values: step.values,
  at,
  source: sourceOf(run),
  by: run.by,
  runId: run.runId,
})

function sourceOf({ cause, automationId, sceneId }: StoredRun) {
  if (cause === 'schedule' || cause === 'booking' || cause === 'off') return 'schedule'
  if (automationId !== null) return 'automation'
  return sceneId === null ? 'person' : 'scene'
}
