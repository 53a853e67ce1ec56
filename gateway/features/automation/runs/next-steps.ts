import type { ORDERS } from '../../../../contract/automation/action.ts'
import { attemptsOf, type CommandsOfRun, isUndelivered, type RunStep } from './step.ts'

/** Delay before an unanswered command is sent once more, ms. */
export const RETRY_AFTER_MS = 10_000
/** Maximum delay of a step whose gateway ended, ms, unless the step may wait longer. */
export const MAX_STEP_DELAY_MS = 120_000

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
  const begins = new Map<number, number>()
  for (const [i, step] of run.steps.entries()) {
    const before = stepsBefore(run, i)
    // A step that waits for a hub that went offline by itself does not delay others; what follows counts from the start of its wait.
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

/** Steps after which a step begins. */
function stepsBefore({ order, steps }: Pick<RunPlan, 'order' | 'steps'>, i: number): RunStep[] {
  const { follows } = steps[i] ?? {}
  if (follows) return steps.filter(({ n }) => follows.includes(n))
  return order === 'inOrder' ? steps.slice(Math.max(0, i - 1), i) : []
}

/** Whether a step waits for its hub without delaying the steps that follow it. */
const holdsUpNothing = ({ waits, heldUpAt }: RunStep): boolean => waits === true && heldUpAt === undefined

/** Whether the steps that follow are skipped: it was not confirmed, or waits for its hub. */
const hasFailed = (step: RunStep): boolean =>
  holdsUpNothing(step) ||
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
