import type { ORDERS } from '../../../../contract/automation/action.ts'
import { attemptsOf, type CommandsOfRun, isUndelivered, type RunStep } from './step.ts'

/** Before what was not answered is sent once more, ms. */
export const RETRY_AFTER_MS = 10_000
/** Maximum delay of a step whose gateway had died, ms, unless the step may wait longer. */
export const MAX_STEP_DELAY_MS = 120_000

/** Number of times that a command may reach its hub: what is not answered is sent once more. */
const MAX_DELIVERED = 2

/** What is to be done with a step now. */
export type StepTask =
  | { kind: 'send'; step: RunStep }
  /** It was not answered: sent again only if the device still shows something else, and nobody else has set it. */
  | { kind: 'retry'; step: RunStep }
  | { kind: 'end'; step: RunStep; end: NonNullable<RunStep['end']> }
  /** Handles a step that did not reach its hub: it waits if the hub may return in time, else it ends. */
  | { kind: 'undelivered'; step: RunStep; end: NonNullable<RunStep['end']> }

interface RunPlan {
  runId: string
  order: (typeof ORDERS)[number]
  beganAt: number
  /** Until when a step may wait for its hub; null when none may. */
  catchUpUntil: number | null
  steps: readonly RunStep[]
}

/**
 * What a run does next; pure, so that whoever takes a run up decides the same.
 *
 * returns  the tasks that are due, the next time (epoch ms) at which one is, if any, and whether all steps have ended or
 *          wait for their hubs
 */
export function nextTasks(
  run: RunPlan,
  commands: CommandsOfRun,
  now: number,
): { tasks: StepTask[]; wakeAt: number | undefined; isOver: boolean } {
  const tasks: StepTask[] = []
  const times: number[] = []
  let isOver = true
  const begins = new Map<number, number>()
  for (const [i, step] of run.steps.entries()) {
    const before = stepsBefore(run, i)
    // What waits for a hub that went away by itself holds up nothing: what follows it counts from when it began to.
    const base = Math.max(run.beganAt, ...before.map(({ n, end }) => end?.at ?? begins.get(n) ?? 0))
    begins.set(step.n, base)
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
    } else if (before.every((one) => one.end || holdsUpNothing(one))) {
      const due = base + step.after * 1000
      if (due > now) times.push(due)
      else if (now > latestOf(run, step, due))
        tasks.push({ kind: 'end', step, end: { state: 'failed', reason: 'tooLate', at: now } })
      else tasks.push({ kind: 'send', step })
    }
  }
  return { tasks, wakeAt: times.length > 0 ? Math.min(...times) : undefined, isOver }
}

/** The steps after which one begins. */
function stepsBefore({ order, steps }: Pick<RunPlan, 'order' | 'steps'>, i: number): RunStep[] {
  const { follows } = steps[i] ?? {}
  if (follows) return steps.filter(({ n }) => follows.includes(n))
  return order === 'inOrder' ? steps.slice(Math.max(0, i - 1), i) : []
}

/** Whether a step waits for its hub and what follows it does not wait for it. */
const holdsUpNothing = ({ waits, heldUpAt }: RunStep): boolean => waits === true && heldUpAt === undefined

/** Whether what follows a step is left out: it was not confirmed, or waits for its hub. */
const hasFailed = (step: RunStep): boolean =>
  holdsUpNothing(step) ||
  (step.end !== undefined && step.end.state !== 'confirmed' && step.end.state !== 'left')

/** Until when a step that was due may be sent, epoch ms. */
const latestOf = (run: RunPlan, step: RunStep, due: number): number =>
  Math.max(due + MAX_STEP_DELAY_MS, waitsUntil(run, step))

/** What follows from a step's last command: a task, the time of one, or nothing while the command is under way. */
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

/** Until when a step may wait for its hub, epoch ms; -Infinity if it may not. */
const waitsUntil = ({ catchUpUntil }: RunPlan, { catchUp, survives }: RunStep): number =>
  (catchUp || survives ? catchUpUntil : null) ?? -Infinity
