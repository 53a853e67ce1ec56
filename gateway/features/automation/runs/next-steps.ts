import type { ORDERS } from '../../../../contract/rules/automation/action.ts'
import { type CommandsOfRun, lastCommand, type Step } from './step.ts'

/** Before what was not answered is sent once more, ms. */
export const RETRY_AFTER = 10_000
/** How late a step may be sent when its gateway had died, ms. */
export const LATE = 120_000

/** What is to be done with a step now. */
export type Task =
  | { kind: 'send'; step: Step; attempt: 1 | 2 }
  /** It was not answered: sent again only if the device still shows something else, and nobody else has set it. */
  | { kind: 'retry'; step: Step }
  | { kind: 'end'; step: Step; end: NonNullable<Step['end']> }
  | { kind: 'wait'; step: Step }

interface RunPlan {
  runId: string
  order: (typeof ORDERS)[number]
  beganAt: number
  /** Until when a step may wait for its hub; null when none may. */
  catchUpUntil: number | null
  steps: readonly Step[]
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
): { tasks: Task[]; wakeAt: number | undefined; isOver: boolean } {
  const tasks: Task[] = []
  const times: number[] = []
  let isOver = true
  /** In order: when the step before came to its end. */
  let base = run.beganAt
  for (const step of run.steps) {
    if (step.end || step.waits) {
      if (run.order === 'inOrder') base = step.end?.at ?? base
      continue
    }
    isOver = false
    const last = lastCommand(run.runId, step, commands)
    if (last) {
      const task = afterCommand(run, step, last, now)
      if (typeof task === 'number') times.push(task)
      else if (task) tasks.push(task)
    } else {
      const due = base + step.after * 1000
      if (due > now) times.push(due)
      else if (now - due > LATE)
        tasks.push({ kind: 'end', step, end: { state: 'failed', reason: 'tooLate', at: now } })
      else tasks.push({ kind: 'send', step, attempt: 1 })
    }
    if (run.order === 'inOrder') break
  }
  return { tasks, wakeAt: times.length > 0 ? Math.min(...times) : undefined, isOver }
}

/** What follows from a step's last command: a task, the time of one, or nothing while the command is under way. */
function afterCommand(
  { catchUpUntil }: RunPlan,
  step: Step,
  { command, attempt }: NonNullable<ReturnType<typeof lastCommand>>,
  now: number,
): Task | number | undefined {
  const { State, Reason, SettledAt } = command
  if (SettledAt === null) return undefined
  const end: Task = { kind: 'end', step, end: { state: State, reason: Reason, at: SettledAt } }
  if (attempt === 2) return end
  if (Reason === 'noAnswer' || Reason === 'notConfirmed') {
    const due = SettledAt + RETRY_AFTER
    return due > now ? due : now - due > LATE ? end : { kind: 'retry', step }
  }
  const mayWait = Reason === 'hubOffline' && step.catchUp && catchUpUntil !== null && catchUpUntil > now
  return mayWait ? { kind: 'wait', step } : end
}
