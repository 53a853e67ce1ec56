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
  const begins = new Map<number, number>()
  for (const [i, step] of run.steps.entries()) {
    const before = stepsBefore(run, i)
    // One that waits for its hub holds up nobody: what follows it counts from when it began to.
    const base = Math.max(run.beganAt, ...before.map(({ n, end }) => end?.at ?? begins.get(n) ?? 0))
    begins.set(step.n, base)
    if (step.end || step.waits) continue
    isOver = false
    if (step.stops && before.some(hasFailed)) {
      tasks.push({ kind: 'end', step, end: { state: 'dropped', reason: 'stopped', at: now } })
      continue
    }
    const last = lastCommand(run.runId, step, commands)
    if (last) {
      const task = afterCommand(run, step, last, now)
      if (typeof task === 'number') times.push(task)
      else if (task) tasks.push(task)
    } else if (before.every(({ end, waits }) => end || waits)) {
      const due = base + step.after * 1000
      if (due > now) times.push(due)
      else if (now - due > LATE)
        tasks.push({ kind: 'end', step, end: { state: 'failed', reason: 'tooLate', at: now } })
      else tasks.push({ kind: 'send', step, attempt: 1 })
    }
  }
  return { tasks, wakeAt: times.length > 0 ? Math.min(...times) : undefined, isOver }
}

/** The steps after which one begins. */
function stepsBefore({ order, steps }: Pick<RunPlan, 'order' | 'steps'>, i: number): Step[] {
  const { follows } = steps[i] ?? {}
  if (follows) return steps.filter(({ n }) => follows.includes(n))
  return order === 'inOrder' ? steps.slice(Math.max(0, i - 1), i) : []
}

/** Whether what follows a step is left out: it was not confirmed, or waits for its hub. */
const hasFailed = ({ end, waits }: Step): boolean =>
  waits === true || (end !== undefined && end.state !== 'confirmed' && end.state !== 'left')

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
