import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { Command, CommandFailure } from '../../../../contract/devices/command-calls.ts'
import type { ACTION_STATES } from '../../../../contract/automation/run-calls.ts'
import type { RunState } from '../../../../contract/automation/run-states.ts'
import type { ORDERS } from '../../../../contract/automation/action.ts'

type StepState = (typeof ACTION_STATES)[number]

/** Stored action of a run on one device. The states of its commands are in the commands table. */
export interface RunStep {
  /** Number in its commands' RequestIDs, from 1. */
  n: number
  uid: string
  values: CommandValues
  /** Delay in seconds: from the start of the run, or in order, after the previous step. */
  after: number
  /**
   * Numbers of the steps after which it begins, if the order of its run does not apply: for a scene with another order than the
   * automation that runs it.
   */
  follows?: readonly number[]
  /** Whether this step is skipped if one that it follows was not confirmed. */
  stops?: boolean
  /** Whether this step may wait for an offline hub. */
  catchUp: boolean
  /** Whether the step may wait for a hub whose gateway ended: true for commands of rules, except to outputs that need a confirmation. */
  survives?: boolean
  /** Values of the fields before it was sent; undefined until then, null if unknown. */
  before?: CommandValues | null
  /** Set once it needs no further command. */
  end?: { state: StepState; reason: CommandFailure | null; at: number }
  /** Whether this step waits for its hub to reconnect. */
  waits?: boolean
  /** Start of a wait for a hub whose gateway ended, epoch ms; the steps that follow wait too. */
  heldUpAt?: number
}

export type CommandsOfRun = ReadonlyMap<
  string,
  Pick<Command, 'State' | 'Reason' | 'RequestedAt' | 'SettledAt'>
>

export const requestId = (runId: string, { n }: Pick<RunStep, 'n'>, attempt: number): string =>
  attempt === 1 ? `${runId}-${n}` : `${runId}-${n}-r${attempt === 2 ? '' : attempt}`

export const runIdOf = (id: string): string => id.replace(/-\d+(-r\d*)?$/, '')

/** Reasons that a command never reached its hub. */
const UNDELIVERED = new Set<CommandFailure | null>(['hubOffline', 'unreachable', 'tooLate'])

/** Whether a command is known not to have reached its hub. */
export const isUndelivered = ({ State, Reason }: Pick<Command, 'State' | 'Reason'>): boolean =>
  State === 'failed' && UNDELIVERED.has(Reason)

type CommandOfRun = NonNullable<ReturnType<CommandsOfRun['get']>>

export function attemptsOf(runId: string, step: RunStep, commands: CommandsOfRun): CommandOfRun[] {
  const found: CommandOfRun[] = []
  for (;;) {
    const command = commands.get(requestId(runId, step, found.length + 1))
    if (!command) return found
    found.push(command)
  }
}

export const lastCommand = (
  runId: string,
  step: RunStep,
  commands: CommandsOfRun,
): CommandOfRun | undefined => attemptsOf(runId, step, commands).at(-1)

/** State of a step as screens receive it. */
export function stateOf(
  runId: string,
  step: RunStep,
  commands: CommandsOfRun,
): { State: StepState; Reason: CommandFailure | null } {
  if (step.end) return { State: step.end.state, Reason: step.end.reason }
  const last = lastCommand(runId, step, commands)
  if (step.waits) return { State: 'catchUp', Reason: last?.Reason ?? 'hubOffline' }
  return last ? { State: last.State, Reason: last.Reason } : { State: 'waiting', Reason: null }
}

/** Numbers of confirmed steps, of failed or otherwise ended ones, and of open ones. */
export function countSteps(steps: readonly RunStep[]): { confirmed: number; failed: number; open: number } {
  const counts = { confirmed: 0, failed: 0, open: 0 }
  for (const { end } of steps) {
    if (!end) counts.open += 1
    else if (end.state === 'confirmed') counts.confirmed += 1
    else if (end.state !== 'left') counts.failed += 1
  }
  return counts
}

/** Final state of a run; partly while one of its steps waits for its hub. */
export function endState(steps: readonly RunStep[]): RunState {
  const { confirmed, failed, open } = countSteps(steps)
  if (open > 0) return 'partly'
  if (failed === 0) return 'done'
  return confirmed > 0 ? 'partly' : 'failed'
}

/** Delay before an unanswered command is sent once more, ms. */
export const RETRY_AFTER_MS = 10_000
/** Maximum delay of a step whose gateway ended, ms, unless the step may wait longer. */
const MAX_STEP_DELAY_MS = 120_000

/** Maximum number of deliveries of a command to its hub: an unanswered one is sent once more. */
const MAX_DELIVERED = 2

export type StepTask =
  | { kind: 'send'; step: RunStep }
  /** Unanswered: sent again only if the device still shows another value, and nothing else has set it. */
  | { kind: 'retry'; step: RunStep }
  | { kind: 'end'; step: RunStep; end: NonNullable<RunStep['end']> }
  /** Handles a step that did not reach its hub: it waits if the hub may return in time, else it ends. */
  | { kind: 'undelivered'; step: RunStep; end: NonNullable<RunStep['end']> }

interface RunPlan {
  runId: string
  order: (typeof ORDERS)[number]
  beganAt: number
  /** End of the time that a step may wait for its hub, epoch ms; null if none may. */
  catchUpUntil: number | null
  steps: readonly RunStep[]
}

/**
 * Next tasks of a run; pure, so that every gateway that claims the run decides the same.
 *
 * returns  the due tasks, the time of the next one (epoch ms), if any, and whether all steps have ended or wait for their hubs
 */
export function nextTasks(
  run: RunPlan,
  commands: CommandsOfRun,
  now: number,
): { tasks: StepTask[]; wakeAt: number | undefined; isOver: boolean } {
  const tasks: StepTask[] = []
  const times: number[] = []
  let isOver = true
  const startsByStep = new Map<number, number>()
  for (const [i, step] of run.steps.entries()) {
    const before = stepsBefore(run, i)
    // A step that waits for a hub that went offline by itself does not delay others; what follows counts from the start of its wait.
    const base = Math.max(run.beganAt, ...before.map(({ n, end }) => end?.at ?? startsByStep.get(n) ?? 0))
    startsByStep.set(step.n, base)
    if (step.end || step.waits) continue
    isOver = false
    if (step.stops && before.some(hasFailed)) {
      tasks.push({ kind: 'end', step, end: { state: 'dropped', reason: 'stopped', at: now } })
      continue
    }
    const attempts = attemptsOf(run.runId, step, commands)
    if (attempts.length > 0) {
      const task = afterCommand(run, step, attempts, now)
      if (typeof task === 'number') times.push(task)
      else if (task) tasks.push(task)
    } else if (before.every((one) => one.end || isNotBlocking(one))) {
      const due = base + step.after * 1000
      if (due > now) times.push(due)
      else if (now > latestOf(run, step, due))
        tasks.push({ kind: 'end', step, end: { state: 'failed', reason: 'tooLate', at: now } })
      else tasks.push({ kind: 'send', step })
    }
  }
  return { tasks, wakeAt: times.length > 0 ? Math.min(...times) : undefined, isOver }
}

/** Steps after which a step begins. */
function stepsBefore({ order, steps }: Pick<RunPlan, 'order' | 'steps'>, i: number): RunStep[] {
  const { follows } = steps[i] ?? {}
  if (follows) return steps.filter(({ n }) => follows.includes(n))
  return order === 'inOrder' ? steps.slice(Math.max(0, i - 1), i) : []
}

/** Whether a step waits for its hub without delaying the steps that follow it. */
const isNotBlocking = ({ waits, heldUpAt }: RunStep): boolean => waits === true && heldUpAt === undefined

/** Whether the steps that follow are skipped: it was not confirmed, or waits for its hub. */
const hasFailed = (step: RunStep): boolean =>
  isNotBlocking(step) ||
  (step.end !== undefined && step.end.state !== 'confirmed' && step.end.state !== 'left')

/** Latest time to send a due step, epoch ms. */
const latestOf = (run: RunPlan, step: RunStep, due: number): number =>
  Math.max(due + MAX_STEP_DELAY_MS, waitsUntil(run, step))

/** Next task after a step's last command, or its time; undefined while the command is pending. */
function afterCommand(
  run: RunPlan,
  step: RunStep,
  attempts: ReturnType<typeof attemptsOf>,
  now: number,
): StepTask | number | undefined {
  const last = attempts.at(-1)
  if (!last || last.SettledAt === null) return undefined
  const { State, Reason, SettledAt } = last
  const end = { state: State, reason: Reason, at: SettledAt }
  if (isUndelivered(last)) return { kind: now < waitsUntil(run, step) ? 'undelivered' : 'end', step, end }
  const delivered = attempts.filter((command) => !isUndelivered(command))
  if ((Reason === 'noAnswer' || Reason === 'notConfirmed') && delivered.length < MAX_DELIVERED) {
    const due = SettledAt + RETRY_AFTER_MS
    if (due > now) return due
    if (now <= latestOf(run, step, due)) return { kind: 'retry', step }
  }
  return { kind: 'end', step, end }
}

/** Latest time until which a step may wait for its hub, epoch ms; -Infinity if it may not. */
const waitsUntil = ({ catchUpUntil }: RunPlan, { catchUp, survives }: RunStep): number =>
  (catchUp || survives ? catchUpUntil : null) ?? -Infinity
