import type { Command } from '../../../../contract/devices/command-calls.ts'
import type { RunState, SkipReason } from '../../../../contract/automation/run-states.ts'
import { commonPaths, confirms } from '../../../../contract/devices/status-order.ts'
import type { Db } from '../../../kernel/db.ts'
import type { TargetDevice } from '../targets/targets.ts'
import { readRule } from '../rules/rule-rows.ts'
import { notifyFailed } from './notices.ts'
import {
  nextTasks,
  RETRY_AFTER_MS,
  type StepTask,
  attemptsOf,
  countSteps,
  endState,
  isUndelivered,
  lastCommand,
  type RunStep,
} from './step.ts'
import type { HubReach } from './ports.ts'
import { commandOf, prepareRuns } from './prepare-runs.ts'
import { beforeOf } from './restore.ts'
import { homeOf, runKey, type ActiveRun, type PreparedRun, type RunsState } from './state.ts'
import {
  commandsSince,
  findRun,
  type RunLease,
  releaseRun,
  type RunChange,
  saveRuns,
  type StoredRun,
  claimRun,
} from './store.ts'

/** Interval at which the commands table is polled for results that other gateways received, ms. */
export const POLL_MS = 2_000
/** Interval of lease renewals, ms. */
const LEASE_RENEWAL_MS = 10_000
/** Delay before a retry after a database failure, ms. */
const RETRY_MS = 1_000
/**
 * Time in ms for which a gateway keeps a run whose remaining steps wait for hubs that lost their gateway: a hub that reconnects
 * before it counts as offline emits no event. After that, the event of its reconnection wakes the run.
 */
const MAX_IDLE_MS = 120_000

interface Work {
  state: RunsState
  run: StoredRun
  lease: RunLease
  activeRun: ActiveRun
  renewedAt: number
  polledAt: number
  /** Time of the last send of each waiting step to a hub that proved unreachable, by step number; epoch ms. */
  attemptedAt: Map<number, number>
}

/**
 * Executes a run to its end, unless another gateway has claimed it. After a failure, the next gateway that claims it continues.
 *
 * planned  whether this gateway has just planned the run and so may begin it
 */
export async function executeRun(
  state: RunsState,
  ref: { tenant: string; runId: string },
  planned: boolean,
): Promise<void> {
  const key = runKey(ref.tenant, ref.runId)
  const prepared = state.prepared.get(key)
  state.prepared.delete(key)
  if (state.activeRuns.has(key)) return state.activeRuns.get(key)?.wake()
  const live: ActiveRun = { commands: new Map(), wake: () => {} }
  state.activeRuns.set(key, live)
  try {
    if (prepared) await begin(state, live, prepared)
    else await claimAndExecute(state, live, ref, planned)
  } finally {
    state.activeRuns.delete(key)
  }
}

/** Claims a stored run, and begins or continues it. */
async function claimAndExecute(
  state: RunsState,
  live: ActiveRun,
  ref: { tenant: string; runId: string },
  planned: boolean,
): Promise<void> {
  const claimed = await claimRun(state.db, ref, state.clock.now(), planned)
  if (!claimed) return planned ? notifyEnded(state, ref) : undefined
  const { run, lease } = claimed
  if (planned || run.steps.length === 0) {
    const [prepared] = await state.db.transaction((tx) =>
      prepareRuns(state, tx, [{ run, held: lease.until }]),
    )
    return prepared && begin(state, live, prepared)
  }
  live.run = run
  const work = workOf(state, live, { run, lease })
  await state.control.recoverRun(ref.tenant, ref.runId)
  await askCommands(work)
  endWaits(work)
  // A hub reconnected that no action of this run waits for.
  if (run.endedAt !== null && (await backTasks(work)).length === 0)
    return void (await releaseRun(state.db, lease))
  if (!(await save(work))) return
  if (run.endedAt === null) emitRun(state, { ...run, state: 'running' })
  await continueRun(work)
}

function workOf(state: RunsState, live: ActiveRun, { run, lease }: Pick<Work, 'run' | 'lease'>): Work {
  const now = state.clock.now()
  return { state, run, lease, activeRun: live, renewedAt: now, polledAt: now, attemptedAt: new Map() }
}

/** Sends the first, already stored commands of a run, and continues it. */
async function begin(
  state: RunsState,
  live: ActiveRun,
  { run, lease, commands, superseded }: PreparedRun,
): Promise<void> {
  for (const one of superseded) {
    state.activeRuns.get(runKey(one.tenant, one.runId))?.wake()
    emitRun(state, one)
  }
  emitRun(state, run)
  if (run.endedAt !== null) return
  live.run = run
  for (const { command } of commands) live.commands.set(command.RequestID, standOf(command))
  const work = workOf(state, live, { run, lease })
  await Promise.all(commands.map(({ send }) => send()))
  await continueRun(work)
}

/** Performs due tasks and waits for later ones until none are left. */
async function continueRun(work: Work): Promise<void> {
  const { state, run, activeRun } = work
  const { clock } = state
  while (!state.isClosed) {
    endWaits(work)
    const { tasks, wakeAt, isOver } = nextTasks(run, activeRun.commands, clock.now())
    const all = [...tasks, ...(await backTasks(work))]
    const now = inPace(work, all)
    if (now.length > 0) {
      if (!(await perform(work, now))) return
    } else if (all.length > 0) {
      if (!(await waitForWork(work, state.pace.nextAt(homeOf(run))))) return
    } else if (isOver && !isHeldUp(run, clock.now())) return end(work, endState(run.steps), null)
    else if (!(await waitForWork(work, wakeAt))) return
  }
  await releaseRun(state.db, work.lease)
}

/** Ends the waits of steps whose latest command may have reached its hub. */
function endWaits({ run, activeRun }: Work): void {
  for (const step of run.steps) {
    const last = lastCommand(run.runId, step, activeRun.commands)
    if (step.waits && last && !isUndelivered(last)) step.waits = false
  }
}

/** Whether a step has been waiting for a short time for a hub whose gateway ended. */
const isHeldUp = ({ steps }: StoredRun, now: number): boolean =>
  steps.some(({ waits, heldUpAt = -Infinity }) => waits === true && now - heldUpAt < MAX_IDLE_MS)

/** Tasks that can be done now; commands are limited to the home's rate. */
function inPace({ state, run }: Work, tasks: readonly StepTask[]): StepTask[] {
  const sends = tasks.filter(({ kind }) => kind === 'send' || kind === 'retry')
  const sent = new Set(sends.slice(0, sends.length && state.pace.take(homeOf(run), sends.length)))
  return tasks.filter((task) => sent.has(task) || !sends.includes(task))
}

/** Waits for a command to end or a task to become due, and polls the table. False if the run is no longer leased. */
async function waitForWork(work: Work, wakeAt: number | undefined): Promise<boolean> {
  const { state, activeRun } = work
  const { clock } = state
  const waitMs = Math.max(0, Math.min(POLL_MS, (wakeAt ?? Infinity) - clock.now()))
  const byClock = await new Promise<boolean>((resolve) => {
    const cancel = clock.after(waitMs, () => resolve(true))
    activeRun.wake = () => {
      cancel()
      resolve(false)
    }
  })
  activeRun.wake = () => {}
  if (!byClock || state.isClosed) return true
  if (clock.now() - work.polledAt >= POLL_MS) await askCommands(work)
  if (clock.now() - work.renewedAt < LEASE_RENEWAL_MS) return true
  return renewAndStore(work, {})
}

async function askCommands(work: Work): Promise<void> {
  const { state, run, activeRun } = work
  work.polledAt = state.clock.now()
  for (const [id, command] of await state.batchedRuns.readCommands(run)) activeRun.commands.set(id, command)
}

/** Tasks for steps whose hub has reconnected, or whose wait has expired. */
async function backTasks(work: Work): Promise<StepTask[]> {
  const { state, run, activeRun } = work
  const waitingSteps = run.steps.filter(({ waits }) => waits)
  if (waitingSteps.length === 0) return []
  const now = state.clock.now()
  if (run.catchUpUntil === null || run.catchUpUntil <= now)
    return waitingSteps.map((step) => {
      const reason = lastCommand(run.runId, step, activeRun.commands)?.Reason ?? 'hubOffline'
      return { kind: 'end', step, end: { state: 'failed', reason, at: now } }
    })
  const devices = await devicesOf(state, run, waitingSteps)
  const hubs = await hubsOf(state, devices)
  return waitingSteps.flatMap((step): StepTask[] => {
    const device = devices.get(step.uid)
    if (!device) return [{ kind: 'end', step, end: { state: 'failed', reason: 'notFound', at: now } }]
    const hub = hubs.get(device.thingName ?? '')
    if (!device.online || hub?.state !== 'connected') return []
    const attemptedAt = work.attemptedAt.get(step.n) ?? -Infinity
    return (hub.since ?? 0) > attemptedAt || now - attemptedAt >= RETRY_AFTER_MS
      ? [{ kind: 'retry', step }]
      : []
  })
}

/** Performs tasks; state that must survive this gateway is stored before anything is sent. False if the lease is lost. */
async function perform(work: Work, tasks: readonly StepTask[]): Promise<boolean> {
  const { state, run } = work
  const { clock } = state
  const now = clock.now()
  const sends: RunStep[] = []
  const touchedSteps = tasks.filter(({ kind }) => kind !== 'end').map(({ step }) => step)
  const devices =
    touchedSteps.length > 0 ? await devicesOf(state, run, touchedSteps) : new Map<string, TargetDevice>()
  const hubs = tasks.some(({ kind }) => kind === 'undelivered') ? await hubsOf(state, devices) : new Map()
  for (const task of tasks) {
    const { step } = task
    const device = devices.get(step.uid)
    if (task.kind === 'undelivered') waitOrEnd(task, device, hubs.get(device?.thingName ?? ''), now)
    else if (task.kind === 'end') endStep(step, task.end)
    else if (task.kind === 'send') {
      step.before ??= beforeOf(step.values, device?.status ?? null)
      sends.push(step)
    } else {
      const skipReason = await notAgain(work, step, device?.status ?? null)
      if (skipReason) endStep(step, { ...skipReason, at: now })
      else {
        if (step.waits) {
          work.attemptedAt.set(step.n, now)
          step.before = beforeOf(step.values, device?.status ?? null)
        }
        sends.push(step)
      }
    }
  }
  // The ends of steps can be derived from the commands; other changes must be stored.
  if (sends.length === 0 && tasks.every(({ kind }) => kind === 'end')) return true
  if (!(await save(work))) return false
  const sent = await Promise.allSettled(sends.map((step) => send(work, step)))
  const lost = sent.find((result) => result.status === 'rejected')
  if (lost) {
    state.log.warn({ err: lost.reason, runId: run.runId }, 'action of a run not sent, will retry')
    await waitForWork(work, clock.now() + RETRY_MS)
  }
  return true
}

function endStep(step: RunStep, end: NonNullable<RunStep['end']>): void {
  step.end = end
  step.waits = false
}

/**
 * Handles a step whose command did not reach its hub: it waits for a hub whose gateway has ended or is unreachable, and for a hub
 * that went offline by itself only if the action allows it.
 */
function waitOrEnd(
  { step, end }: Extract<StepTask, { kind: 'undelivered' }>,
  device: TargetDevice | undefined,
  hub: HubReach | undefined,
  now: number,
): void {
  const isBack = device?.online && hub?.state === 'connected' && (hub.since ?? 0) >= end.at
  const isOwnAbsence = end.reason === 'hubOffline' && hub?.state !== 'reconnecting' && !isBack
  if (!isOwnAbsence) step.heldUpAt ??= now
  if (step.catchUp || step.heldUpAt !== undefined) step.waits = true
  else endStep(step, end)
}

/** Reason for not sending a step again: the device shows the requested values, or something else has set it since. */
async function notAgain(
  { state, run, activeRun }: Work,
  step: RunStep,
  status: TargetDevice['status'],
): Promise<Pick<NonNullable<RunStep['end']>, 'state' | 'reason'> | undefined> {
  const attempts = attemptsOf(run.runId, step, activeRun.commands)
  const last = attempts.at(-1)
  if (status && confirms(status, step.values)) return { state: 'confirmed', reason: null }
  const since = attempts[0]?.RequestedAt ?? run.beganAt
  const others = await commandsSince(state.db, { tenant: run.tenant, uid: step.uid, since, runId: run.runId })
  if (!others.some(({ values }) => commonPaths(values, step.values))) return undefined
  return step.waits
    ? { state: 'dropped', reason: 'superseded' }
    : { state: last?.State ?? 'failed', reason: last?.Reason ?? null }
}

async function send({ state, run, activeRun }: Work, step: RunStep): Promise<void> {
  const attempt = attemptsOf(run.runId, step, activeRun.commands).length + 1
  const command = await state.control.sendCommand(commandOf(run, step, attempt, state.clock.now()))
  activeRun.commands.set(command.RequestID, standOf(command))
}

const standOf = ({ State, Reason, RequestedAt, SettledAt }: Command) => ({
  State,
  Reason,
  RequestedAt,
  SettledAt,
})

const devicesOf = ({ batchedRuns }: RunsState, { tenant, homeId }: StoredRun, steps: readonly RunStep[]) =>
  batchedRuns.devices({ tenant, homeId, uids: steps.map(({ uid }) => uid) })

const hubsOf = ({ control }: RunsState, devices: ReadonlyMap<string, TargetDevice>) =>
  control.readHubReach([...new Set([...devices.values()].flatMap(({ thingName }) => thingName ?? []))])

/** Stores the steps and renews the lease; false if the lease is lost. */
const save = (work: Work, change: Change = {}, tx?: Db): Promise<boolean> =>
  renewAndStore(work, { steps: work.run.steps, ...change }, tx)

type Change = Omit<RunChange, 'lease' | 'now'>

/** Renews the lease and stores changes of the run. */
async function renewAndStore(work: Work, change: Change, tx?: Db): Promise<boolean> {
  const { state } = work
  const now = state.clock.now()
  const changed = { lease: work.lease, now, ...change }
  const [saved] = tx ? await saveRuns(tx, [changed]) : [await state.batchedRuns.save(changed)]
  if (saved) Object.assign(work, { lease: saved, renewedAt: now })
  return saved !== undefined
}

async function end(work: Work, state: RunState, reason: SkipReason | null): Promise<void> {
  const { run, state: runs } = work
  const endedAt = runs.clock.now()
  const waits = run.steps.some((step) => step.waits)
  const change = { state, endedAt, waits, ...(reason && { reason }) }
  const hasFailed = (state === 'partly' || state === 'failed') && !waits && run.automationId !== null
  const isSaved = hasFailed
    ? await runs.db.transaction(async (tx) => {
        const saved = await save(work, change, tx)
        if (saved) await notifyFailure(tx, runs, run, endedAt)
        return saved
      })
    : await save(work, change)
  if (!isSaved) return
  Object.assign(run, { state, reason, endedAt })
  emitRun(runs, run)
}

/** Notifies the rule's recipients that some actions failed. */
async function notifyFailure(tx: Db, { notify }: RunsState, run: StoredRun, at: number): Promise<void> {
  const { tenant, automationId } = run
  if (automationId === null) return
  const rule = await readRule(tx, { tenant, automationId })
  if (!rule) return
  const { failed } = countSteps(run.steps)
  await notifyFailed(notify, tx, rule, rule.rule.Notify, { at, failed, total: run.steps.length })
}

/** Emits the state of a run to screens and other features. */
export function emitRun({ events, clock }: Pick<RunsState, 'events' | 'clock'>, run: StoredRun): void {
  const { tenant, homeId, runId: RunID, automationId: AutomationID, sceneId: SceneID, state: State } = run
  const message = { RunID, AutomationID, SceneID, State, Reason: run.reason, Actions: countSteps(run.steps) }
  events.emit('runChanged', { tenant, homeId, news: { ...message, Timestamp: clock.now() } })
}

/** Emits the state of a run that ended before it began. */
async function notifyEnded(
  state: RunsState,
  { tenant, runId }: { tenant: string; runId: string },
): Promise<void> {
  const run = await findRun(state.db, tenant, runId)
  if (run && run.endedAt !== null) emitRun(state, run)
}
